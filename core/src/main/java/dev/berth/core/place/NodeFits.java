package dev.berth.core.place;

import dev.berth.core.persistent.PersistentSortedMap;
import dev.berth.core.place.pack.PackingCosts;
import dev.berth.core.snapshot.ClusterSnapshot;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.function.BiConsumer;
import java.util.function.Predicate;

/// The evaluation of one request on all nodes of a snapshot, by node name.
///
/// Share IDs in results may be those of an earlier pod; [#withNewShareIds] generates new ones.
public final class NodeFits {

    private final PlacementRequest request;
    private final ClusterSnapshot snapshot;
    private final PlacementRules rules;
    private final PodEvaluation evaluation;
    private final PersistentSortedMap<String, NodeScopedFit> scopedFits;
    private final PersistentSortedMap<String, NodeScopedFit.Candidate> candidates;
    private final PersistentSortedMap<RankedNode, NodeScopedFit.Candidate> ranked;
    private final boolean hasFaults;

    /// @param candidates the node-scoped results with which the pod may fit
    /// @param ranked the same by rank; empty if the policy does not rank nodes
    /// @param hasFaults false only when no result is an error
    NodeFits(
            PlacementRequest request,
            ClusterSnapshot snapshot,
            PlacementRules rules,
            PodEvaluation evaluation,
            PersistentSortedMap<String, NodeScopedFit> scopedFits,
            PersistentSortedMap<String, NodeScopedFit.Candidate> candidates,
            PersistentSortedMap<RankedNode, NodeScopedFit.Candidate> ranked,
            boolean hasFaults) {
        this.request = request;
        this.snapshot = snapshot;
        this.rules = rules;
        this.evaluation = evaluation;
        this.scopedFits = scopedFits;
        this.candidates = candidates;
        this.ranked = ranked;
        this.hasFaults = hasFaults;
    }

    PlacementRequest request() {
        return request;
    }

    ClusterSnapshot snapshot() {
        return snapshot;
    }

    PersistentSortedMap<String, NodeScopedFit> scopedFits() {
        return scopedFits;
    }

    PersistentSortedMap<String, NodeScopedFit.Candidate> candidates() {
        return candidates;
    }

    PersistentSortedMap<RankedNode, NodeScopedFit.Candidate> ranked() {
        return ranked;
    }

    Optional<PackingCosts> packing() {
        return evaluation.packing();
    }

    boolean hasFaults() {
        return hasFaults;
    }

    /// The result of one node.
    public Optional<NodeFit> fit(String node) {
        return scopedFits.find(node).map(evaluation::fit);
    }

    /// All results in the order of node names.
    public List<NodeFit> perNode() {
        var perNode = new ArrayList<NodeFit>(scopedFits.size());
        scopedFits.forEach((_, scopedFit) -> perNode.add(evaluation.fit(scopedFit)));
        return perNode;
    }

    /// The number of nodes.
    public int size() {
        return scopedFits.size();
    }

    /// The number of nodes that pass the node-scoped filters: an upper bound of the fitting nodes.
    public int candidateCount() {
        return candidates.size();
    }

    /// Fitting nodes, starting at an index into all nodes and wrapping around. Costs as much as
    /// there are candidates.
    public List<NodeScopedFit.Candidate> fittingFrom(int start) {
        var fitting = new ArrayList<NodeScopedFit.Candidate>(candidates.size());
        var before = new ArrayList<NodeScopedFit.Candidate>();
        var first = start < scopedFits.size() ? scopedFits.key(start) : "";
        candidates.forEach((name, candidate) -> {
            if (evaluation.fits(candidate)) {
                (name.compareTo(first) < 0 ? before : fitting).add(candidate);
            }
        });
        fitting.addAll(before);
        return fitting;
    }

    /// Visits nodes from an index, wrapping around, until the visitor returns false.
    ///
    /// @param visit returns false to stop
    /// @return the number of visited nodes
    public int round(int start, Predicate<NodeScopedFit> visit) {
        return scopedFits.round(start, visit);
    }

    /// The candidate of a node on which the pod fits.
    public Optional<NodeScopedFit.Candidate> fittingCandidate(NodeScopedFit scopedFit) {
        return scopedFit instanceof NodeScopedFit.Candidate candidate && evaluation.fits(candidate)
                ? Optional.of(candidate)
                : Optional.empty();
    }

    /// True when the policy ranks all nodes.
    public boolean areRanked() {
        return rules.policy().ranksNodes();
    }

    /// The best of all fitting nodes under the policy.
    public Optional<NodeFit.Fits> best() {
        if (!areRanked()) {
            return best(fittingFrom(0));
        }
        return evaluation.hasPodPreferences() ? firstPreferredByPods() : firstRanked();
    }

    private Optional<NodeFit.Fits> firstRanked() {
        var first = new ArrayList<NodeScopedFit.Candidate>();
        ranked.round(
                0,
                candidate -> {
                    if (!first.isEmpty() && !isTied(candidate, first.getFirst())) {
                        return false;
                    }
                    if (evaluation.fits(candidate)) {
                        first.add(candidate);
                    }
                    return first.isEmpty() || rules.policy().scoresEqualNodes();
                });
        return evaluation.highest(first).map(evaluation::chosen);
    }

    private boolean isTied(NodeScopedFit.Candidate one, NodeScopedFit.Candidate other) {
        return evaluation.ranked(one).compareCosts(evaluation.ranked(other)) == 0;
    }

    /// The first node by rank of those that other pods make preferable.
    private Optional<NodeFit.Fits> firstPreferredByPods() {
        var ordered =
                evaluation.preferredByPods(fittingFrom(0)).stream()
                        .sorted(Comparator.comparing(evaluation::ranked))
                        .toList();
        var tied =
                ordered.stream()
                        .filter(one ->
                                rules.policy().scoresEqualNodes()
                                        && isTied(one, ordered.getFirst()))
                        .toList();
        return evaluation
                .highest(tied.isEmpty() ? ordered.stream().limit(1).toList() : tied)
                .map(evaluation::chosen);
    }

    /// The fitting node with the highest scores of kube-scheduler.
    public Optional<NodeFit.Fits> best(List<NodeScopedFit.Candidate> fitting) {
        return evaluation.highest(fitting).map(evaluation::chosen);
    }

    /// The error that affects all nodes, if any: Kubernetes then gives up on the pod.
    public Optional<Rejection.Fault> faultEverywhere() {
        if (!hasFaults && evaluation.volumeProblem().isEmpty()) {
            return Optional.empty();
        }
        for (var fit : perNode()) {
            if (fit instanceof NodeFit.Rejected(_, Rejection.Fault fault) && fault.everywhere()) {
                return Optional.of(fault);
            }
        }
        return Optional.empty();
    }

    /// Visits one rejection per node that does not fit.
    public void forEachRejection(BiConsumer<String, Rejection> visit) {
        scopedFits.forEach((name, scopedFit) ->
                evaluation.rejection(scopedFit).ifPresent(reason -> visit.accept(name, reason)));
    }

    /// The fitting nodes.
    public List<NodeFit.Fits> fitting() {
        var fitting = new ArrayList<NodeFit.Fits>();
        candidates.forEach((_, candidate) -> {
            if (evaluation.fit(candidate) instanceof NodeFit.Fits fits) {
                fitting.add(fits);
            }
        });
        return fitting;
    }

    /// The result of a fitting node with new share IDs.
    public Optional<NodeFit.Fits> withNewShareIds(NodeFit.Fits fits) {
        var hasShares =
                fits.allocations().stream()
                        .flatMap(allocation -> allocation.result().devices().stream())
                        .anyMatch(device -> device.share().isPresent());
        if (!hasShares) {
            return Optional.of(fits);
        }
        var node = snapshot.inventory().node(fits.node()).orElseThrow();
        return fittingCandidate(evaluation.nodeScopedFit(node)).map(evaluation::chosen);
    }
}
