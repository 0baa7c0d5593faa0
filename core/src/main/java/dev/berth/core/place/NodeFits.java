package dev.berth.core.place;

import dev.berth.core.persistent.PersistentSortedMap;
import dev.berth.core.snapshot.ClusterSnapshot;
import java.util.ArrayList;
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
    private final boolean hasFaults;

    /// @param candidates the node-scoped results with which the pod may fit
    /// @param hasFaults false only when no result is an error
    NodeFits(
            PlacementRequest request,
            ClusterSnapshot snapshot,
            PlacementRules rules,
            PodEvaluation evaluation,
            PersistentSortedMap<String, NodeScopedFit> scopedFits,
            PersistentSortedMap<String, NodeScopedFit.Candidate> candidates,
            boolean hasFaults) {
        this.request = request;
        this.snapshot = snapshot;
        this.rules = rules;
        this.evaluation = evaluation;
        this.scopedFits = scopedFits;
        this.candidates = candidates;
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

    /// True when the policy ranks the nodes, which it does for pods with devices.
    public boolean areRanked() {
        return evaluation.requestsDevices();
    }

    /// The fitting nodes that the policy prefers, in the same order.
    public List<NodeScopedFit.Candidate> preferred(List<NodeScopedFit.Candidate> fitting) {
        return PlacementPolicy.preferred(fitting);
    }

    /// The best of all fitting nodes.
    public Optional<NodeFit.Fits> best() {
        return best(fittingFrom(0));
    }

    /// The best of several fitting nodes: by policy, then by score.
    public Optional<NodeFit.Fits> best(List<NodeScopedFit.Candidate> fitting) {
        return evaluation
                .highest(preferred(fitting))
                .map(evaluation::fit)
                .map(NodeFit.Fits.class::cast);
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
        return rules.evaluation(request, snapshot).fit(node) instanceof NodeFit.Fits again
                ? Optional.of(again)
                : Optional.empty();
    }
}
