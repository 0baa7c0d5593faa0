package dev.berth.app.plan;

import dev.berth.app.print.TextWrap;
import dev.berth.core.plan.Plan;
import dev.berth.core.plan.PlanInput;
import dev.berth.core.plan.PlannedPod;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/// The first lines of a plan: how many pods are placed, and which nodes have to be added.
final class PlanAnswer {

    private PlanAnswer() {}

    static String of(Plan plan) {
        var text = new StringBuilder();
        if (plan.outcomes().isEmpty()) {
            text.append("0 pods to plan: the input has no pod without a node.\n");
        } else {
            text.append(counts(plan, _ -> true)).append('\n');
        }
        plan.growth().ifPresent(growth -> text.append(of(growth)).append('\n'));
        if (!plan.displaced().isEmpty()) {
            var nodes = String.join(", ", plan.displaced().values().stream().distinct().toList());
            text.append(
                    "Of removed nodes (%s): %s\n"
                            .formatted(
                                    nodes,
                                    counts(
                                            plan,
                                            one -> plan.displaced().containsKey(one.pod().ref()))));
        }
        for (var workload : plan.workloads()) {
            if (workload.existing() > 0) {
                text.append(of(workload)).append('\n');
            }
        }
        return text.toString();
    }

    private static String counts(Plan plan, Predicate<PlannedPod> counted) {
        var all = plan.outcomes().stream().filter(counted).toList();
        var pending = all.stream().filter(PlannedPod.Pending.class::isInstance).count();
        return "%s: %d placed, %d pending"
                .formatted(TextWrap.count(all.size(), "pod"), all.size() - pending, pending);
    }

    private static String of(PlanInput.Workload workload) {
        return "%s: %s, %d more planned (scaled to %d)"
                .formatted(
                        workload.name(),
                        workload.existing() == 1
                                ? "1 pod exists"
                                : workload.existing() + " pods exist",
                        workload.planned(),
                        workload.existing() + workload.planned());
    }

    private static String of(Plan.Growth growth) {
        var isNone = growth.total() == 0;
        if (isNone && growth.isEnough()) {
            return "No more nodes are needed.";
        }
        var nodes =
                growth.added().stream()
                        .filter(one -> one.count() > 0 || !growth.isEnough())
                        .map(PlanAnswer::nodes)
                        .collect(Collectors.joining(" and "));
        return growth.isEnough()
                ? "%s %s"
                        .formatted(
                                nodes,
                                growth.total() == 1
                                        ? "is needed; the plan includes it."
                                        : "are needed; the plan includes them.")
                : "Even %s are not enough.".formatted(nodes);
    }

    private static String nodes(Plan.Added one) {
        return "%d more %s like %s"
                .formatted(one.count(), one.count() == 1 ? "node" : "nodes", one.kind());
    }
}
