package dev.berth.core.place;

import dev.berth.core.allocate.Allocator;
import dev.berth.core.allocate.AllocatorFeature;
import dev.berth.core.allocate.Reply;
import dev.berth.core.allocate.SearchPolicy;
import dev.berth.model.api.Node;
import dev.berth.model.api.ResourceClaim;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Supplier;

/// Decides where a pod can go: first by what needs no devices, then by the devices for all claims
/// that have none yet.
public final class Placer {

    private final Fleet fleet;
    private final Surroundings surroundings;
    private final Allocator allocator;
    private final Set<AllocatorFeature> features;
    private final SearchPolicy policy;
    private final Supplier<String> shareIds;

    /// Places pods on a fleet.
    ///
    /// @param shareIds a fresh id a call, for shares of devices
    public Placer(
            Fleet fleet,
            Surroundings surroundings,
            Allocator allocator,
            Set<AllocatorFeature> features,
            SearchPolicy policy,
            Supplier<String> shareIds) {
        this.fleet = fleet;
        this.surroundings = surroundings;
        this.allocator = allocator;
        this.features = Set.copyOf(features);
        this.policy = policy;
        this.shareIds = shareIds;
    }

    public Fleet fleet() {
        return fleet;
    }

    Surroundings surroundings() {
        return surroundings;
    }

    public ExtendedResources extended() {
        return fleet.extended();
    }

    /// Begins to ask about a pod.
    public Hearing hear(Question question, Occupancy state) {
        return new Hearing(this, question, state);
    }

    /// What every node means for the pod, by name of the node.
    public List<Verdict> judge(Question question, Occupancy state) {
        var hearing = hear(question, state);
        var verdicts = new ArrayList<Verdict>();
        for (var node : fleet.nodes()) {
            verdicts.add(hearing.judge(node));
        }
        return verdicts;
    }

    Reply reply(Node node, List<ResourceClaim> wanted, Occupancy state) {
        var seen = fleet.pools(node.name());
        return allocator.reply(
                node,
                seen,
                fleet.classes(),
                features,
                state.holdings(seen),
                wanted,
                policy,
                shareIds);
    }

    /// A value that is another whenever something changes that a node and its pools can tell.
    public Object stamp(Node node, Occupancy state) {
        return state.stamp(node.name(), fleet.pools(node.name()));
    }

    /// The node to take; empty when none fits, or when a fault keeps the pod from being placed
    /// anywhere.
    public Optional<Verdict.Fits> choose(
            Question question, List<Verdict> verdicts, Occupancy state) {
        var room = Room.of(question.pod());
        var fitting = new ArrayList<Judged>();
        for (var verdict : verdicts) {
            switch (verdict) {
                case Verdict.Fits fits -> fitting.add(judged(fits, room, state));
                case Verdict.Unfit(_, Reason.Fault fault) when fault.everywhere() -> {
                    return Optional.empty();
                }
                case Verdict.Unfit _ -> {}
            }
        }
        return this.<Judged>preference(question, state, judged -> judged.fits.given())
                .best(fitting)
                .map(Judged::fits);
    }

    private record Judged(Verdict.Fits fits, Node node, long room)
            implements Preference.Candidate {}

    private Judged judged(Verdict.Fits fits, Room room, Occupancy state) {
        var node = fleet.node(fits.node()).orElseThrow();
        return new Judged(fits, node, room.score(node, state.use(node.name())));
    }

    /// @param given what the claims of the pod would get on a node
    <C extends Preference.Candidate> Preference<C> preference(
            Question question, Occupancy state, Function<C, List<Verdict.Given>> given) {
        var namespaces = surroundings.namespaces();
        return new Preference<>(fleet, namespaces, question, state, policy, given);
    }
}
