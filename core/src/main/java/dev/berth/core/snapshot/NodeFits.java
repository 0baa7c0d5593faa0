package dev.berth.core.snapshot;

import dev.berth.core.persistent.PersistentSortedMap;
import dev.berth.core.place.NodeFit;
import dev.berth.core.place.PlacementRequest;
import dev.berth.core.place.PodEvaluation;
import dev.berth.core.place.Rejection;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Predicate;

/// The evaluation of one request on all nodes of a snapshot, by node name.
///
/// Share IDs in results may be those of an earlier pod; [FitCache#choose] generates new ones.
public final class NodeFits {

    private final PlacementRequest request;
    private final ClusterSnapshot snapshot;
    private final PodEvaluation evaluation;
    private final PersistentSortedMap<String, PodEvaluation.NodeScopedFit> scopedFits;
    private final PersistentSortedMap<String, PodEvaluation.NodeScopedFit> candidates;
    private final boolean hasFaults;

    /// @param candidates the node-scoped results with which the pod may fit
    /// @param hasFaults false only when no result is an error
    NodeFits(
            PlacementRequest request,
            ClusterSnapshot snapshot,
            PodEvaluation evaluation,
            PersistentSortedMap<String, PodEvaluation.NodeScopedFit> scopedFits,
            PersistentSortedMap<String, PodEvaluation.NodeScopedFit> candidates,
            boolean hasFaults) {
        this.request = request;
        this.snapshot = snapshot;
        this.evaluation = evaluation;
        this.scopedFits = scopedFits;
        this.candidates = candidates;
        this.hasFaults = hasFaults;
    }

    public PlacementRequest request() {
        return request;
    }

    public ClusterSnapshot snapshot() {
        return snapshot;
    }

    PersistentSortedMap<String, PodEvaluation.NodeScopedFit> scopedFits() {
        return scopedFits;
    }

    PersistentSortedMap<String, PodEvaluation.NodeScopedFit> candidates() {
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
    public List<PodEvaluation.NodeScopedFit> fittingFrom(int start) {
        var fitting = new ArrayList<PodEvaluation.NodeScopedFit>(candidates.size());
        var before = new ArrayList<PodEvaluation.NodeScopedFit>();
        var first = start < scopedFits.size() ? scopedFits.key(start) : "";
        candidates.forEach((name, scopedFit) -> {
            if (evaluation.fits(scopedFit)) {
                (name.compareTo(first) < 0 ? before : fitting).add(scopedFit);
            }
        });
        fitting.addAll(before);
        return fitting;
    }

    /// Visits nodes from an index, wrapping around, until the visitor returns false.
    ///
    /// @param visit returns false to stop
    /// @return the number of visited nodes
    public int round(int start, Predicate<PodEvaluation.NodeScopedFit> visit) {
        return scopedFits.round(start, visit);
    }

    /// True when the pod fits.
    public boolean fits(PodEvaluation.NodeScopedFit scopedFit) {
        return evaluation.fits(scopedFit);
    }

    /// The best of several fitting nodes.
    public Optional<NodeFit.Fits> best(List<PodEvaluation.NodeScopedFit> fitting) {
        return evaluation.best(fitting).map(evaluation::fit).map(NodeFit.Fits.class::cast);
    }

    /// The fitting node with the highest score, regardless of the device policy.
    public Optional<NodeFit.Fits> highest(List<PodEvaluation.NodeScopedFit> fitting) {
        return evaluation.highest(fitting).map(evaluation::fit).map(NodeFit.Fits.class::cast);
    }

    /// The allocations of the pod's claims on a fitting node.
    public List<NodeFit.ClaimAllocation> allocations(PodEvaluation.NodeScopedFit scopedFit) {
        return evaluation.allocations(scopedFit);
    }

    /// Visits one rejection per node that does not fit.
    public void forEachRejection(Consumer<Rejection> visit) {
        scopedFits.forEach((_, scopedFit) -> evaluation.rejection(scopedFit).ifPresent(visit));
    }

    /// The fitting nodes.
    public List<NodeFit.Fits> fitting() {
        var fitting = new ArrayList<NodeFit.Fits>();
        candidates.forEach((_, scopedFit) -> {
            if (evaluation.fit(scopedFit) instanceof NodeFit.Fits fits) {
                fitting.add(fits);
            }
        });
        return fitting;
    }
}
