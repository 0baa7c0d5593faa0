package dev.berth.core.place;

import dev.berth.core.allocate.Allocator;
import dev.berth.core.allocate.AllocatorFeature;
import dev.berth.core.allocate.Answer;
import dev.berth.core.allocate.SearchPolicy;
import dev.berth.model.api.Node;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;

/// Decides where a pod can go: first by what needs no devices, then by the devices for all claims
/// that have none yet.
public final class Placer {

    private final Fleet fleet;
    private final Allocator allocator;
    private final Set<AllocatorFeature> features;
    private final SearchPolicy policy;
    private final Supplier<String> shareIds;

    /// Places pods on a fleet.
    ///
    /// @param shareIds a fresh id a call, for shares of devices
    public Placer(
            Fleet fleet,
            Allocator allocator,
            Set<AllocatorFeature> features,
            SearchPolicy policy,
            Supplier<String> shareIds) {
        this.fleet = fleet;
        this.allocator = allocator;
        this.features = Set.copyOf(features);
        this.policy = policy;
        this.shareIds = shareIds;
    }

    public Fleet fleet() {
        return fleet;
    }

    /// What every node means for the pod, by name of the node.
    public List<Verdict> judge(Question question, Occupancy state) {
        var verdicts = new ArrayList<Verdict>();
        for (var node : fleet.nodes()) {
            verdicts.add(judge(question, node, state));
        }
        return verdicts;
    }

    /// What one node means for the pod.
    public Verdict judge(Question question, Node node, Occupancy state) {
        var objection = NodeFilters.objection(question, node, state.use(node.name()));
        if (objection.isPresent()) {
            return new Verdict.Unfit(node.name(), objection.get());
        }
        if (question.wanted().isEmpty()) {
            return new Verdict.Fits(node.name(), List.of());
        }
        var seen = fleet.pools(node.name());
        var answer =
                allocator.answer(
                        node,
                        seen,
                        fleet.classes(),
                        features,
                        state.holdings(seen),
                        question.wanted(),
                        policy,
                        shareIds);
        return switch (answer) {
            case Answer.Allocated(var results, _) -> new Verdict.Fits(node.name(), results);
            case Answer.DoesNotFit _ -> unfit(node, new Reason.NoDevices());
            case Answer.Undecided _ -> unfit(node, new Reason.Undecided());
            case Answer.Failed failed ->
                    unfit(node, new Reason.Fault(failed.message(), !failed.nodeLocal()));
        };
    }

    private static Verdict unfit(Node node, Reason reason) {
        return new Verdict.Unfit(node.name(), reason);
    }

    /// A number that changes whenever a node's verdict might.
    public long stamp(Node node, Occupancy state) {
        return state.stamp(node.name(), fleet.pools(node.name()));
    }

    /// The node to take; empty when none fits, or when a fault keeps the pod from being placed
    /// anywhere.
    public Optional<Verdict.Fits> choose(
            Question question, List<Verdict> verdicts, Occupancy state) {
        var fitting = new ArrayList<Verdict.Fits>();
        for (var verdict : verdicts) {
            switch (verdict) {
                case Verdict.Fits fits -> fitting.add(fits);
                case Verdict.Unfit(_, Reason.Fault fault) when fault.everywhere() -> {
                    return Optional.empty();
                }
                case Verdict.Unfit _ -> {}
            }
        }
        return new Preference(fleet, question, state, policy).best(fitting);
    }
}
