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

/// What every node of a snapshot means for a pod, by name of the node.
///
/// Share ids in verdicts may be those of an earlier pod; [FitCache#choose] makes new ones.
public final class NodeFits {

    private final PlacementRequest request;
    private final ClusterSnapshot snapshot;
    private final PodEvaluation evaluation;
    private final PersistentSortedMap<String, PodEvaluation.NodeScopedFit> scopedFits;
    private final PersistentSortedMap<String, PodEvaluation.NodeScopedFit> candidates;
    private final boolean hasFaults;

    /// @param open those of the statements by which the pod may fit
    /// @param hasFaults false when surely none of the statements is a fault
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

    /// The verdict of one node.
    public Optional<NodeFit> fit(String node) {
        return scopedFits.find(node).map(evaluation::fit);
    }

    /// All verdicts, by name of the node.
    public List<NodeFit> perNode() {
        var perNode = new ArrayList<NodeFit>(scopedFits.size());
        scopedFits.forEach((_, scopedFit) -> perNode.add(evaluation.fit(scopedFit)));
        return perNode;
    }

    /// How many nodes there are.
    public int size() {
        return scopedFits.size();
    }

    /// How many nodes have nothing themselves against the pod: it can run on no more.
    public int candidateCount() {
        return candidates.size();
    }

    /// Nodes where the pod can run, from the one at a place among all nodes on and round to the one
    /// before it. Costs as much as there are nodes that have nothing against the pod.
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

    /// Visits nodes in turn, from the one at a place on and round to the one before it, until the
    /// visitor has enough.
    ///
    /// @param visit false when it has enough
    /// @return how many were visited
    public int round(int start, Predicate<PodEvaluation.NodeScopedFit> visit) {
        return scopedFits.round(start, visit);
    }

    /// Whether the pod can run on a node.
    public boolean fits(PodEvaluation.NodeScopedFit scopedFit) {
        return evaluation.fits(scopedFit);
    }

    /// The best of some nodes where the pod can run.
    public Optional<NodeFit.Fits> best(List<PodEvaluation.NodeScopedFit> fitting) {
        return evaluation.best(fitting).map(evaluation::fit).map(NodeFit.Fits.class::cast);
    }

    /// The one of some nodes where the pod can run that has the highest score, whatever the policy
    /// prefers.
    public Optional<NodeFit.Fits> highest(List<PodEvaluation.NodeScopedFit> fitting) {
        return evaluation.highest(fitting).map(evaluation::fit).map(NodeFit.Fits.class::cast);
    }

    /// What the claims of the pod would get on a node where it can run.
    public List<NodeFit.ClaimAllocation> allocations(PodEvaluation.NodeScopedFit scopedFit) {
        return evaluation.allocations(scopedFit);
    }

    /// Visits why the pod cannot run, once for each node where it cannot.
    public void forEachRejection(Consumer<Rejection> visit) {
        scopedFits.forEach((_, scopedFit) -> evaluation.rejection(scopedFit).ifPresent(visit));
    }

    /// Those where the pod can run.
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
