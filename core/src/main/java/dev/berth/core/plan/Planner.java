package dev.berth.core.plan;

import dev.berth.core.allocate.Allocator;
import dev.berth.core.allocate.rule.AllocatorFeature;
import dev.berth.core.disruption.DisruptionBudget;
import dev.berth.core.place.PlacementPolicy;
import dev.berth.core.place.PlacementRules;
import dev.berth.core.plan.defragment.Defragmenter;
import dev.berth.core.plan.defragment.EvictionRules;
import dev.berth.core.plan.defragment.RoomRequest;
import dev.berth.core.snapshot.ClusterSnapshot;
import dev.berth.core.utilisation.ClusterUtilisation;
import dev.berth.core.utilisation.UtilisationCalculator;
import dev.berth.model.api.claim.DeviceDemand;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.Collectors;

/// Places the pods of a plan input in order. Each placement reduces the resources and devices for
/// later pods.
public final class Planner {

    /// Callback for the progress of a plan.
    @FunctionalInterface
    public interface Progress {
        void placed(int done, int all);
    }

    private final PlacementRules rules;
    private final Progress progress;

    /// A planner with these features and this policy that fails on the errors on which Kubernetes
    /// fails.
    ///
    /// @param shareIds generates a new share ID per call
    public Planner(
            Set<AllocatorFeature> features,
            PlacementPolicy policy,
            Supplier<String> shareIds,
            Progress progress) {
        this(new Allocator(Allocator.DEFAULT_BUDGET), features, policy, shareIds, progress);
    }

    /// A planner with a given allocator, for example a lenient one.
    public Planner(
            Allocator allocator,
            Set<AllocatorFeature> features,
            PlacementPolicy policy,
            Supplier<String> shareIds,
            Progress progress) {
        this.rules = new PlacementRules(allocator, features, policy, shareIds);
        this.progress = progress;
    }

    /// The plan after changes. Its utilisation before is that without the changes.
    public Plan plan(PlanInput input, PlanChanges changes) {
        return changes.isEmpty()
                ? plan(input)
                : plan(changes.applied(input)).withBefore(utilisation(input));
    }

    private ClusterUtilisation utilisation(PlanInput input) {
        var start = snapshot(input);
        return calculator().of(start, RequestedDevices.of(input, start));
    }

    private UtilisationCalculator calculator() {
        return new UtilisationCalculator(rules.allocator(), rules.features());
    }

    public Plan plan(PlanInput input) {
        return new PlanRun(rules, progress, input).plan();
    }

    private ClusterSnapshot snapshot(PlanInput input) {
        return PlanSnapshots.of(input, rules.features());
    }

    /// The plan with as many nodes of some kinds, up to their limits, as all pods need; with the
    /// limits when these are too small.
    ///
    /// Starts with the limits and reduces the numbers one after the other by binary search, those
    /// of later kinds first. Then no number can be smaller while the others stay, and earlier kinds
    /// are preferred. Assumes that more nodes never fit fewer pods. Each number is planned in full,
    /// so that the found numbers have a plan: at most the sum of the logarithms of the limits, and
    /// two more.
    ///
    /// @param changes changes to the cluster before nodes are added
    public Plan plan(PlanInput unchanged, PlanChanges changes, List<NodeCopies> kinds) {
        return grown(changes.applied(unchanged), kinds).withBefore(utilisation(unchanged));
    }

    /// The fewest evictions, up to a maximum, that make room for pending pods which fit nowhere, or
    /// for a stated size.
    ///
    /// @param budgets PodDisruptionBudgets of the cluster
    /// @param most the maximum number of evictions
    public Defragmentation defragment(
            PlanInput unchanged,
            PlanChanges changes,
            List<DisruptionBudget> budgets,
            Optional<StatedSize> size,
            int most) {
        var input = changes.applied(unchanged);
        var with = size.map(one -> input.withPending(one)).orElse(input);
        var start = PlanSnapshots.of(with, rules.features());
        var preFilter = new PlanPreFilter(with.templates(), start.inventory().classes().keySet());
        var rooms = new ArrayList<RoomRequest>();
        input.pendingPods().forEach(one -> rooms.add(RoomRequest.of(one.pod())));
        var defragmenter =
                new Defragmenter(
                        rules,
                        new EvictionRules(budgets, input.pods()),
                        input.pods(),
                        preFilter::resolve);
        var plan = defragmenter.plan(start, rooms, size.map(StatedSize::pod), most);
        var requested = RequestedDevices.of(with, start);
        return new Defragmentation(
                plan,
                requested.stream().map(DeviceDemand::deviceClassName).collect(Collectors.toSet()),
                calculator().of(start, requested),
                calculator().of(plan.after(), requested));
    }

    private Plan grown(PlanInput input, List<NodeCopies> kinds) {
        var counts = new int[kinds.size()];
        var best = plan(input);
        if (!best.everythingFits()) {
            Arrays.setAll(counts, i -> kinds.get(i).limit());
            best = plan(added(input, kinds, counts));
            for (var i = kinds.size() - 1; i >= 0 && best.everythingFits(); i--) {
                best = reduced(input, kinds, counts, i, best);
            }
        }
        var added = new ArrayList<Plan.Added>();
        for (var i = 0; i < counts.length; i++) {
            added.add(new Plan.Added(kinds.get(i).kind(), kinds.get(i).limit(), counts[i]));
        }
        return best.with(new Plan.Growth(added, best.everythingFits()));
    }

    /// Reduces the number of one kind to the smallest one with which all pods fit.
    private Plan reduced(
            PlanInput input, List<NodeCopies> kinds, int[] counts, int kind, Plan enoughPlan) {
        var best = enoughPlan;
        // Without any additional node, not all pods fit.
        var tooFew = kinds.size() == 1 ? 0 : -1;
        var enough = counts[kind];
        while (enough - tooFew > 1) {
            counts[kind] = tooFew + (enough - tooFew) / 2;
            var tried = plan(added(input, kinds, counts));
            if (tried.everythingFits()) {
                enough = counts[kind];
                best = tried;
            } else {
                tooFew = counts[kind];
            }
        }
        counts[kind] = enough;
        return best;
    }

    private static PlanInput added(PlanInput input, List<NodeCopies> kinds, int[] counts) {
        var grown = input;
        for (var i = 0; i < counts.length; i++) {
            grown = kinds.get(i).added(grown, counts[i]);
        }
        return grown;
    }
}
