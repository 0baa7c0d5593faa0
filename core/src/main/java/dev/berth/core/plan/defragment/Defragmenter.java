package dev.berth.core.plan.defragment;

import dev.berth.core.place.FitCache;
import dev.berth.core.place.NodeFit;
import dev.berth.core.place.PlacementCacheKey;
import dev.berth.core.place.PlacementRequest;
import dev.berth.core.place.PlacementRules;
import dev.berth.core.place.PreFilterResult;
import dev.berth.core.snapshot.ClusterSnapshot;
import dev.berth.core.snapshot.ClusterUsage;
import dev.berth.model.api.meta.ObjectRef;
import dev.berth.model.api.node.Node;
import dev.berth.model.api.node.NodeSpec;
import dev.berth.model.api.pod.Pod;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.BiFunction;

/// Searches for the fewest evictions after which pods fit that fit nowhere now.
///
/// Story: room for a pod is made on one node. The node is cordoned, a small set of its pods
/// ([VictimSets]) is evicted one after the other, each replaced on another node, and the node is
/// uncordoned. If a replacement fits nowhere, room is made for it in the same way before the
/// eviction, on a third node: a chain of at most [#MAX_CHAIN] moves. The number of evictions is
/// raised from one to the budget, and all nodes are tried with each number, so that the first
/// solution has the fewest evictions of all that this search can find. Of several nodes, that with
/// the lowest priorities of evicted pods is taken, then the first by name.
///
/// Each step is executed on a snapshot: the evaluation that places pods in plans says whether a
/// replacement fits, and where. No pod is moved twice.
///
/// Bound: at most [#MAX_EVALUATIONS] evaluations of a node, of which a node needs one per movable
/// pod and request. A request like one that failed before is not tried again. The fewest moves are
/// NP-hard to find (bin packing; Coffman, Garey, Johnson, "Approximation algorithms for bin
/// packing: a survey", 1996), so a cluster may have a solution that this search does not find.
public final class Defragmenter {

    /// Longest chain of moves in which each one makes room for the next.
    private static final int MAX_CHAIN = 2;

    /// Bound of the evaluations of one request on one node, for all requests together: about half a
    /// minute.
    private static final int MAX_EVALUATIONS = 200_000;

    private final PlacementRules rules;
    private final FitCache fitCache;
    private final EvictionRules evictionRules;
    private final BiFunction<Pod, ClusterUsage, PreFilterResult> resolver;
    private final Map<String, List<Pod>> podsByNode = new HashMap<>();
    private final Set<PlacementCacheKey> failed = new HashSet<>();
    private int evaluations = MAX_EVALUATIONS;

    /// The cluster after some steps.
    private record State(
            ClusterSnapshot snapshot, List<DefragmentStep> steps, Set<ObjectRef> moved) {

        private State with(ClusterSnapshot next, DefragmentStep step) {
            var more = new ArrayList<>(steps);
            more.add(step);
            return new State(next, more, moved);
        }

        private State withMoved(ObjectRef pod) {
            var more = new HashSet<>(moved);
            more.add(pod);
            return new State(snapshot, steps, more);
        }

        private int evictions() {
            return moved.size();
        }
    }

    /// A node on which room can be made.
    private record Candidate(Node node, List<Pod> victims) {

        private long priorities() {
            return victims.stream().mapToLong(pod -> pod.spec().priority().orElse(0)).sum();
        }
    }

    /// @param pods the pods on nodes
    /// @param resolver resolves the claims of a pod
    public Defragmenter(
            PlacementRules rules,
            EvictionRules evictionRules,
            Collection<Pod> pods,
            BiFunction<Pod, ClusterUsage, PreFilterResult> resolver) {
        this.rules = rules;
        this.fitCache = new FitCache(rules);
        this.evictionRules = evictionRules;
        this.resolver = resolver;
        for (var pod : pods) {
            podsByNode.computeIfAbsent(pod.spec().nodeName(), _ -> new ArrayList<>()).add(pod);
        }
    }

    /// Makes room for pending pods in the order of their priority; or for a stated size only, after
    /// the pending pods that fit are placed.
    ///
    /// @param size a pod that does not exist
    /// @param budget the maximum number of evictions
    public DefragmentPlan plan(
            ClusterSnapshot snapshot, List<RoomRequest> pending, Optional<Pod> size, int budget) {
        var fitting = new ArrayList<DefragmentStep.Schedule>();
        var missing = new ArrayList<RoomRequest>();
        var state = new State(snapshot, List.of(), Set.of());
        for (var room : pending) {
            var placed = placed(room.pod(), state.snapshot);
            if (placed.isPresent()) {
                fitting.add(new DefragmentStep.Schedule(room, placed.get().node()));
                state = new State(placed.get().snapshot(), List.of(), Set.of());
            } else {
                missing.add(room);
            }
        }
        if (size.isPresent()) {
            missing.clear();
            var room = RoomRequest.ofSize(size.get());
            placed(size.get(), state.snapshot)
                    .ifPresentOrElse(
                            one -> fitting.add(new DefragmentStep.Schedule(room, one.node())),
                            () -> missing.add(room));
        }
        missing.sort(Comparator.comparingLong(room -> -room.priority()));
        var unserved = new ArrayList<RoomRequest>();
        for (var room : missing) {
            var made = scheduled(room, state, budget);
            made.ifPresentOrElse(_ -> failed.clear(), () -> unserved.add(room));
            state = made.orElse(state);
        }
        return new DefragmentPlan(fitting, state.steps, unserved, evaluations <= 0, state.snapshot);
    }

    /// A pod on a node, and the cluster with it.
    private record PlacedPod(String node, ClusterSnapshot snapshot) {}

    /// Places a pod as a plan does; empty when it fits nowhere.
    private Optional<PlacedPod> placed(Pod pod, ClusterSnapshot snapshot) {
        return request(pod, snapshot).flatMap(request -> placed(request, snapshot));
    }

    private Optional<PlacedPod> placed(PlacementRequest request, ClusterSnapshot snapshot) {
        var fits = fitCache.evaluate(request, snapshot);
        var best =
                fits.faultEverywhere().isPresent()
                        ? Optional.<NodeFit.Fits>empty()
                        : fits.best().flatMap(fits::withNewShareIds);
        return best.map(one ->
                new PlacedPod(
                        one.node(), snapshot.with(snapshot.usage().with(request.placement(one)))));
    }

    private Optional<PlacementRequest> request(Pod pod, ClusterSnapshot snapshot) {
        return resolver.apply(pod, snapshot.usage()) instanceof PreFilterResult.Ready(var request)
                ? Optional.of(request)
                : Optional.empty();
    }

    /// The state after the evictions for a request and its placement.
    private Optional<State> scheduled(RoomRequest room, State state, int budget) {
        // An earlier request may have left room.
        var now = scheduled(room, state);
        var request = request(room.pod(), state.snapshot);
        if (now.isPresent() || request.isEmpty()) {
            return now;
        }
        var key = PlacementCacheKey.of(request.get(), state.snapshot);
        if (failed.contains(key)) {
            return Optional.empty();
        }
        var candidates = candidates(request.get(), room.priority(), state);
        for (var most = state.evictions() + 1; most <= budget; most++) {
            var made = roomMade(candidates, request.get(), room.priority(), state, most, MAX_CHAIN);
            var placed = made.flatMap(one -> scheduled(room, one));
            if (placed.isPresent()) {
                return placed;
            }
        }
        failed.add(key);
        return Optional.empty();
    }

    private Optional<State> scheduled(RoomRequest room, State state) {
        return placed(room.pod(), state.snapshot)
                .map(one ->
                        state.with(
                                room.isStatedSize() ? state.snapshot : one.snapshot,
                                new DefragmentStep.Schedule(room, one.node)));
    }

    /// The state after evictions with which a request fits on the node of a candidate.
    ///
    /// @param most the number of evictions of the new state
    /// @param chain the number of moves in a row that may still follow
    private Optional<State> roomMade(
            List<Candidate> candidates,
            PlacementRequest request,
            long priority,
            State state,
            int most,
            int chain) {
        for (var candidate : candidates) {
            if (state.evictions() + candidate.victims.size() <= most && evaluations > 0) {
                var made = evicted(candidate, request, priority, state, most, chain);
                if (made.isPresent()) {
                    return made;
                }
            }
        }
        return Optional.empty();
    }

    /// Nodes on which the request fits without some pods, the fewest evictions first.
    private List<Candidate> candidates(PlacementRequest request, long priority, State state) {
        var candidates = new ArrayList<Candidate>();
        for (var node : state.snapshot.inventory().nodes()) {
            if (node.spec().unschedulable() || evaluations <= 0) {
                continue;
            }
            var movable =
                    podsByNode.getOrDefault(node.name(), List.of()).stream()
                            .filter(pod -> !state.moved.contains(pod.ref()))
                            .filter(pod ->
                                    evictionRules.permits(pod, priority, state.snapshot.usage()))
                            .toList();
            new VictimSets(state.snapshot, without -> fits(request, node, without))
                    .smallest(movable)
                    .ifPresent(victims -> candidates.add(new Candidate(node, victims)));
        }
        candidates.sort(
                Comparator.<Candidate>comparingInt(one -> one.victims.size())
                        .thenComparingLong(Candidate::priorities)
                        .thenComparing(one -> one.node.name()));
        return candidates;
    }

    /// The state after the pods of a candidate are evicted; empty when a replacement fits nowhere.
    private Optional<State> evicted(
            Candidate candidate,
            PlacementRequest request,
            long priority,
            State state,
            int most,
            int chain) {
        var node = candidate.node;
        var now = cordoned(state, node);
        var rest = candidate.victims.size();
        for (var pod : candidate.victims) {
            var next = evicted(pod, now);
            if (next.isEmpty() && chain > 1 && now.evictions() + rest < most) {
                next =
                        roomMadeFor(pod, priority, now, most - rest, chain - 1)
                                .flatMap(made -> evicted(pod, made));
            }
            if (next.isEmpty()) {
                return Optional.empty();
            }
            now = next.get();
            rest--;
        }
        var uncordoned =
                now.with(now.snapshot.with(node), new DefragmentStep.Uncordon(node.name()));
        return fits(request, node, uncordoned.snapshot)
                ? Optional.of(uncordoned)
                : Optional.empty();
    }

    private boolean fits(PlacementRequest request, Node node, ClusterSnapshot snapshot) {
        evaluations--;
        return rules.evaluation(request, snapshot).fit(node) instanceof NodeFit.Fits;
    }

    private static State cordoned(State state, Node node) {
        var closed =
                new Node(node.metadata(), new NodeSpec(true, node.spec().taints()), node.status());
        return state.with(state.snapshot.with(closed), new DefragmentStep.Cordon(node.name()));
    }

    /// The state after one eviction, with the replacement on another node.
    private Optional<State> evicted(Pod pod, State state) {
        evaluations--;
        return placed(unbound(pod), state.snapshot.without(List.of(pod.ref())))
                .map(one ->
                        state.with(
                                        one.snapshot,
                                        new DefragmentStep.Evict(
                                                pod,
                                                pod.spec().nodeName(),
                                                one.node,
                                                evictionRules.isBudgeted(pod)))
                                .withMoved(pod.ref()));
    }

    /// The state with room for the replacement of a pod that is not evicted yet.
    private Optional<State> roomMadeFor(Pod pod, long priority, State state, int most, int chain) {
        var own = Math.min(priority, pod.spec().priority().orElse(0));
        return request(unbound(pod), state.snapshot.without(List.of(pod.ref())))
                .flatMap(request ->
                        roomMade(
                                candidates(request, own, state), request, own, state, most, chain));
    }

    private static Pod unbound(Pod pod) {
        return new Pod(pod.metadata(), pod.spec().withNodeName(""), pod.status().unbound());
    }
}
