package dev.berth.app.plan;

import dev.berth.app.print.NameRanges;
import dev.berth.app.print.Palette;
import dev.berth.app.print.Palette.Style;
import dev.berth.app.print.TerminalText;
import dev.berth.app.print.TextTable;
import dev.berth.app.print.TextWrap;
import dev.berth.app.utilisation.UtilisationText;
import dev.berth.core.plan.Plan;
import dev.berth.core.plan.PlannedPod;
import dev.berth.core.utilisation.ClassUtilisation;
import dev.berth.core.utilisation.Fit;
import dev.berth.core.utilisation.Utilisation;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/// Writes a plan as text.
final class PlanText {

    /// With more rows, only changed nodes are shown.
    private static final int MAX_NODES_SHOWN = 20;

    private static final String PENDING = "PENDING ";
    private static final Pattern SUMMARY = Pattern.compile("\\d+ pods?: \\d+ placed, \\d+ pending");

    private PlanText() {}

    /// The plan with colours in the width of a terminal, to be printed as is.
    static String of(Plan plan, Palette palette, int width) {
        return TerminalText.escape(of(plan, width))
                .lines()
                .map(line -> painted(line, palette))
                .collect(Collectors.joining("\n", "", "\n"));
    }

    private static String painted(String line, Palette palette) {
        if (line.startsWith(PENDING)) {
            return palette.paint(Style.BAD, PENDING) + line.substring(PENDING.length());
        }
        return SUMMARY.matcher(line).matches()
                ? palette.paint(line.endsWith(" 0 pending") ? Style.GOOD : Style.BAD, line)
                : line;
    }

    private static String of(Plan plan, int width) {
        var text = new StringBuilder(PlanAnswer.of(plan)).append('\n');
        addPending(text, plan);
        var table = new TextTable("POD", "NODE", "DEVICES");
        for (var outcome : plan.outcomes()) {
            if (outcome instanceof PlannedPod.Placed(var pod, var node, var claims)) {
                table.add(pod.ref().toString(), node, devices(claims));
            }
        }
        if (plan.outcomes().size() > plan.pending()) {
            text.append(table.fit(width)).append(hasShares(plan) ? "* a share\n\n" : "\n");
        }
        addClasses(text, plan, width);
        addNodes(text, plan, width);
        plan.notes().forEach(note -> text.append("Note: ").append(note).append('\n'));
        return text.toString().stripTrailing() + "\n";
    }

    private static boolean hasShares(Plan plan) {
        return plan.outcomes().stream()
                .filter(outcome -> outcome instanceof PlannedPod.Placed)
                .flatMap(outcome -> ((PlannedPod.Placed) outcome).claims().stream())
                .flatMap(claim -> claim.devices().stream())
                .anyMatch(device -> device.shareId().isPresent());
    }

    private static String devices(List<PlannedPod.Holding> claims) {
        var parts = new ArrayList<String>();
        for (var claim : claims) {
            var byPool = new LinkedHashMap<String, List<String>>();
            for (var device : claim.devices()) {
                var share = device.shareId().isPresent() ? "*" : "";
                byPool.computeIfAbsent(device.id().poolId().toString(), _ -> new ArrayList<>())
                        .add(device.id().device() + share);
            }
            byPool.forEach((pool, names) ->
                    parts.add(
                            "%s: %s%s"
                                    .formatted(
                                            pool,
                                            String.join(" ", names),
                                            claim.before() ? " (had before)" : "")));
        }
        return parts.isEmpty() ? "-" : String.join(", ", parts);
    }

    /// Adds pending pods, grouped by reason.
    private static void addPending(StringBuilder text, Plan plan) {
        var byReason = new LinkedHashMap<String, List<PlannedPod.Pending>>();
        for (var outcome : plan.outcomes()) {
            if (outcome instanceof PlannedPod.Pending pending) {
                byReason.computeIfAbsent(
                                pending.summary() + pending.shortages(), _ -> new ArrayList<>())
                        .add(pending);
            }
        }
        for (var alike : byReason.values()) {
            var first = alike.getFirst();
            text.append(PENDING).append(first.pod().ref());
            if (alike.size() > 1) {
                text.append(
                        " and %d more, to %s"
                                .formatted(alike.size() - 1, alike.getLast().pod().ref()));
            }
            text.append("\n  ").append(first.summary()).append('\n');
            for (var group : first.groups()) {
                text.append("  %s: %s\n".formatted(group.reason(), nodes(group.nodes())));
            }
            for (var shortage : first.shortages()) {
                text.append(
                        "  class %s: %d requested; %s of %d available, at most %d on one node\n"
                                .formatted(
                                        shortage.deviceClass(),
                                        shortage.requested(),
                                        shortage.free() == Fit.UNLIMITED
                                                ? "unlimited"
                                                : Long.toString(shortage.free()),
                                        shortage.total(),
                                        shortage.mostOnOneNode()));
            }
            text.append('\n');
        }
    }

    private static String nodes(List<String> names) {
        var shown = names.stream().limit(5).collect(Collectors.joining(", "));
        return names.size() <= 5 ? shown : shown + " and %d more".formatted(names.size() - 5);
    }

    /// Adds the classes that the pods request, or all classes with devices when they request none.
    private static void addClasses(StringBuilder text, Plan plan, int width) {
        var table = new TextTable("CLASS", "DEVICES", "IN USE BEFORE", "AFTER", "STILL FITS");
        var isEmpty = true;
        for (var after : plan.after().classes().values()) {
            if (isShown(plan, after)) {
                var before = before(plan, after.deviceClass());
                isEmpty = false;
                table.add(
                        after.deviceClass(),
                        Long.toString(after.total().devices()),
                        UtilisationText.used(before.total()),
                        UtilisationText.used(after.total()),
                        UtilisationText.changes(before.fits(), after.fits()));
            }
        }
        text.append(isEmpty ? "" : table.fit(width) + "\n");
    }

    private static boolean isShown(Plan plan, ClassUtilisation one) {
        return plan.requestedClasses().isEmpty()
                ? one.total().devices() > 0
                : plan.requestedClasses().contains(one.deviceClass());
    }

    private static ClassUtilisation before(Plan plan, String deviceClass) {
        return plan.before().of(deviceClass).orElseGet(() -> ClassUtilisation.none(deviceClass));
    }

    /// The use of a class on nodes that are alike.
    private record NodeRow(String deviceClass, Utilisation before, Utilisation after) {}

    /// Adds the nodes whose use changes, or all of a small cluster. Nodes that are alike are one
    /// row.
    private static void addNodes(StringBuilder text, Plan plan, int width) {
        var rows = new LinkedHashMap<NodeRow, List<String>>();
        for (var after : plan.after().classes().values()) {
            var before = before(plan, after.deviceClass());
            if (isShown(plan, after)) {
                after.nodes()
                        .forEach((node, use) -> {
                            var old = before.nodes().get(node);
                            var row =
                                    new NodeRow(
                                            after.deviceClass(),
                                            old == null
                                                    ? new Utilisation(use.total().devices(), 0)
                                                    : old.total(),
                                            use.total());
                            rows.computeIfAbsent(row, _ -> new ArrayList<>()).add(node);
                        });
            }
        }
        if (rows.isEmpty()) {
            return;
        }
        var table = new TextTable("CLASS", "DEVICES", "IN USE BEFORE", "AFTER", "NODES");
        var unchanged = 0;
        for (var entry : rows.entrySet()) {
            var row = entry.getKey();
            if (rows.size() > MAX_NODES_SHOWN && row.before.equals(row.after)) {
                unchanged += entry.getValue().size();
                continue;
            }
            table.add(
                    row.deviceClass,
                    Long.toString(row.after.devices()),
                    UtilisationText.used(row.before),
                    UtilisationText.used(row.after),
                    NameRanges.of(entry.getValue()));
        }
        text.append(table.fit(width));
        if (unchanged > 0) {
            text.append("and %s without changes\n".formatted(TextWrap.count(unchanged, "node")));
        }
        text.append('\n');
    }
}
