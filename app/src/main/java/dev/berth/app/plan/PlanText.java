package dev.berth.app.plan;

import dev.berth.app.print.Palette;
import dev.berth.app.print.Palette.Style;
import dev.berth.app.print.TerminalText;
import dev.berth.app.print.TextTable;
import dev.berth.app.print.TextWrap;
import dev.berth.core.plan.DeviceUsage;
import dev.berth.core.plan.Plan;
import dev.berth.core.plan.PlannedPod;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.SortedMap;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/// Writes a plan as text.
final class PlanText {

    /// Clusters with more nodes are shown by their changed nodes only.
    private static final int MAX_NODES_SHOWN = 20;

    private static final String PENDING = "PENDING ";
    private static final Pattern SUMMARY = Pattern.compile("\\d+ pods?: \\d+ placed, \\d+ pending");

    private static final DeviceUsage.Share NOTHING = new DeviceUsage.Share(0, 0);

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
        var text = new StringBuilder();
        var table = new TextTable("POD", "NODE", "DEVICES");
        for (var outcome : plan.outcomes()) {
            if (outcome instanceof PlannedPod.Placed(var pod, var node, var claims)) {
                table.add(pod.ref().toString(), node, devices(claims));
            }
        }
        var placed = plan.outcomes().size() - plan.pending();
        if (placed > 0) {
            text.append(table.fit(width)).append(hasShares(plan) ? "* a share\n\n" : "\n");
        }
        addPending(text, plan);
        addUsage(text, "CLASS", plan.before().byClass(), plan.after().byClass());
        addUsage(text, "NODE", plan.before().byNode(), plan.after().byNode());
        plan.notes().forEach(note -> text.append("Note: ").append(note).append('\n'));
        text.append(
                "%s: %d placed, %d pending\n"
                        .formatted(
                                TextWrap.count(plan.outcomes().size(), "pod"),
                                placed,
                                plan.pending()));
        plan.growth().ifPresent(growth -> text.append(of(growth)).append('\n'));
        return text.toString();
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
                        "  class %s: asks for %d; %d of %d free, at most %d on one node\n"
                                .formatted(
                                        shortage.deviceClass(),
                                        shortage.requested(),
                                        shortage.free(),
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

    private static void addUsage(
            StringBuilder text,
            String head,
            SortedMap<String, DeviceUsage.Share> before,
            SortedMap<String, DeviceUsage.Share> after) {
        if (after.isEmpty()) {
            return;
        }
        var table = new TextTable(head, "DEVICES", "IN USE BEFORE", "AFTER");
        var left = 0;
        for (var entry : after.entrySet()) {
            var old = before.getOrDefault(entry.getKey(), NOTHING);
            if (after.size() > MAX_NODES_SHOWN && old.equals(entry.getValue())) {
                left++;
                continue;
            }
            table.add(
                    entry.getKey(),
                    Long.toString(entry.getValue().total()),
                    share(old),
                    share(entry.getValue()));
        }
        text.append(table);
        if (left > 0) {
            text.append("and %d more that do not change\n".formatted(left));
        }
        text.append('\n');
    }

    private static String share(DeviceUsage.Share share) {
        return share.total() == 0
                ? "-"
                : "%d (%d%%)".formatted(share.used(), share.used() * 100 / share.total());
    }

    private static String of(Plan.Growth growth) {
        if (growth.needed().isEmpty()) {
            return "Even %d more nodes like %s are not enough."
                    .formatted(growth.limit(), growth.node());
        }
        var needed = growth.needed().getAsInt();
        return needed == 0
                ? "No more nodes are needed."
                : "%d more %s like %s %s needed; the plan above has them."
                        .formatted(
                                needed,
                                needed == 1 ? "node" : "nodes",
                                growth.node(),
                                needed == 1 ? "is" : "are");
    }
}
