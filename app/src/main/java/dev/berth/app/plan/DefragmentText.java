package dev.berth.app.plan;

import dev.berth.app.print.TerminalText;
import dev.berth.app.print.TextTable;
import dev.berth.app.print.TextWrap;
import dev.berth.app.utilisation.UtilisationText;
import dev.berth.core.plan.Defragmentation;
import dev.berth.core.plan.defragment.DefragmentPlan;
import dev.berth.core.plan.defragment.DefragmentStep;
import dev.berth.core.plan.defragment.RoomRequest;
import dev.berth.core.utilisation.ClassUtilisation;
import java.util.List;
import java.util.stream.Collectors;

/// Writes a defragmentation as text: the answer, the steps, what fits before and after, the
/// commands.
final class DefragmentText {

    /// With more pods, only their number is shown.
    private static final int MAX_NAMES = 5;

    private DefragmentText() {}

    /// @param budget the maximum number of evictions
    static String of(Defragmentation result, int budget, int width) {
        var plan = result.plan();
        var text = new StringBuilder(answer(plan, budget));
        if (!plan.steps().isEmpty()) {
            text.append('\n').append(steps(plan).fit(width));
            addClasses(text, result, width);
            text.append("\nCommands, each to be run when the one before has ended:\n");
            DefragmentCommands.of(plan.steps())
                    .forEach(line -> text.append("  ").append(line).append('\n'));
        }
        return TerminalText.escape(text.toString());
    }

    private static String answer(DefragmentPlan plan, int budget) {
        var text = new StringBuilder();
        var evictions = plan.evictions().size();
        if (!plan.served().isEmpty()) {
            text.append(
                    "%s make%s room for %s.\n"
                            .formatted(
                                    TextWrap.count(evictions, "eviction"),
                                    evictions == 1 ? "s" : "",
                                    plan.served().stream()
                                            .map(one -> name(one.room()) + " on " + one.node())
                                            .collect(Collectors.joining(", "))));
        }
        if (!plan.unserved().isEmpty()) {
            text.append(
                    "No %sevictions, up to the budget of %d, make room for %s.%s\n"
                            .formatted(
                                    plan.served().isEmpty() ? "" : "further ",
                                    budget,
                                    names(plan.unserved()),
                                    plan.isCutShort()
                                            ? " The search reached its limit; there may be some."
                                            : ""));
        }
        if (plan.served().isEmpty() && plan.unserved().isEmpty()) {
            text.append("No evictions are needed.\n");
        }
        var pending = plan.fitting().stream().filter(one -> !one.room().isStatedSize()).count();
        if (pending > 0) {
            text.append(
                    "Without evictions: %s %s.\n"
                            .formatted(
                                    TextWrap.count(pending, "pending pod"),
                                    pending == 1 ? "fits" : "fit"));
        }
        plan.fitting().stream()
                .filter(one -> one.room().isStatedSize())
                .forEach(one ->
                        text.append(
                                "Without evictions: %s fit on %s.\n"
                                        .formatted(name(one.room()), one.node())));
        return text.toString();
    }

    private static String names(List<RoomRequest> rooms) {
        var shown =
                rooms.stream()
                        .limit(MAX_NAMES)
                        .map(DefragmentText::name)
                        .collect(Collectors.joining(", "));
        return rooms.size() <= MAX_NAMES
                ? shown
                : shown + " and %d more".formatted(rooms.size() - MAX_NAMES);
    }

    private static String name(RoomRequest room) {
        return room.isStatedSize() ? room.pod().metadata().name() : room.pod().ref().toString();
    }

    private static TextTable steps(DefragmentPlan plan) {
        var table = new TextTable("STEP", "ACTION", "POD", "NODE", "REPLACEMENT");
        for (var i = 0; i < plan.steps().size(); i++) {
            var number = Integer.toString(i + 1);
            switch (plan.steps().get(i)) {
                case DefragmentStep.Cordon(var node) -> table.add(number, "cordon", "-", node, "-");
                case DefragmentStep.Uncordon(var node) ->
                        table.add(number, "uncordon", "-", node, "-");
                case DefragmentStep.Evict(var pod, var node, var destination, _) ->
                        table.add(number, "evict", pod.ref().toString(), node, destination);
                case DefragmentStep.Schedule(var room, var node) ->
                        table.add(
                                number,
                                room.isStatedSize() ? "free" : "schedule",
                                name(room),
                                node,
                                "-");
            }
        }
        return table;
    }

    private static void addClasses(StringBuilder text, Defragmentation result, int width) {
        var table = new TextTable("CLASS", "DEVICES", "IN USE BEFORE", "AFTER", "STILL FITS");
        for (var name : result.requestedClasses()) {
            var before = result.before().of(name).orElseGet(() -> ClassUtilisation.none(name));
            var after = result.after().of(name).orElseGet(() -> ClassUtilisation.none(name));
            table.add(
                    name,
                    Long.toString(after.total().devices()),
                    UtilisationText.used(before.total()),
                    UtilisationText.used(after.total()),
                    UtilisationText.changes(before.fits(), after.fits()));
        }
        if (!result.requestedClasses().isEmpty()) {
            text.append('\n').append(table.fit(width));
        }
    }
}
