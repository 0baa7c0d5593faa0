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

    private final PlacementRequest question;
    private final ClusterSnapshot snapshot;
    private final PodEvaluation hearing;
    private final PersistentSortedMap<String, PodEvaluation.Statement> statements;
    private final PersistentSortedMap<String, PodEvaluation.Statement> open;
    private final boolean hasFaults;

    /// @param open those of the statements by which the pod may fit
    /// @param hasFaults false when surely none of the statements is a fault
    NodeFits(
            PlacementRequest question,
            ClusterSnapshot snapshot,
            PodEvaluation hearing,
            PersistentSortedMap<String, PodEvaluation.Statement> statements,
            PersistentSortedMap<String, PodEvaluation.Statement> open,
            boolean hasFaults) {
        this.question = question;
        this.snapshot = snapshot;
        this.hearing = hearing;
        this.statements = statements;
        this.open = open;
        this.hasFaults = hasFaults;
    }

    public PlacementRequest question() {
        return question;
    }

    public ClusterSnapshot snapshot() {
        return snapshot;
    }

    PersistentSortedMap<String, PodEvaluation.Statement> statements() {
        return statements;
    }

    PersistentSortedMap<String, PodEvaluation.Statement> open() {
        return open;
    }

    boolean hasFaults() {
        return hasFaults;
    }

    /// The verdict of one node.
    public Optional<NodeFit> verdict(String node) {
        return statements.find(node).map(hearing::verdict);
    }

    /// All verdicts, by name of the node.
    public List<NodeFit> verdicts() {
        var verdicts = new ArrayList<NodeFit>(statements.size());
        statements.forEach((_, statement) -> verdicts.add(hearing.verdict(statement)));
        return verdicts;
    }

    /// How many nodes there are.
    public int size() {
        return statements.size();
    }

    /// How many nodes have nothing themselves against the pod: it can run on no more.
    public int mayFit() {
        return open.size();
    }

    /// Nodes where the pod can run, from the one at a place among all nodes on and round to the one
    /// before it. Costs as much as there are nodes that have nothing against the pod.
    public List<PodEvaluation.Statement> fittingFrom(int start) {
        var fitting = new ArrayList<PodEvaluation.Statement>(open.size());
        var before = new ArrayList<PodEvaluation.Statement>();
        var first = start < statements.size() ? statements.key(start) : "";
        open.forEach((name, statement) -> {
            if (hearing.fits(statement)) {
                (name.compareTo(first) < 0 ? before : fitting).add(statement);
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
    public int round(int start, Predicate<PodEvaluation.Statement> visit) {
        return statements.round(start, visit);
    }

    /// Whether the pod can run on a node.
    public boolean fits(PodEvaluation.Statement statement) {
        return hearing.fits(statement);
    }

    /// The best of some nodes where the pod can run.
    public Optional<NodeFit.Fits> best(List<PodEvaluation.Statement> fitting) {
        return hearing.best(fitting).map(hearing::verdict).map(NodeFit.Fits.class::cast);
    }

    /// The one of some nodes where the pod can run that has the highest score, whatever the policy
    /// prefers.
    public Optional<NodeFit.Fits> highest(List<PodEvaluation.Statement> fitting) {
        return hearing.highest(fitting).map(hearing::verdict).map(NodeFit.Fits.class::cast);
    }

    /// What the claims of the pod would get on a node where it can run.
    public List<NodeFit.Given> given(PodEvaluation.Statement statement) {
        return hearing.given(statement);
    }

    /// Visits why the pod cannot run, once for each node where it cannot.
    public void forEachRefusal(Consumer<Rejection> visit) {
        statements.forEach((_, statement) -> hearing.refusal(statement).ifPresent(visit));
    }

    /// Those where the pod can run.
    public List<NodeFit.Fits> fitting() {
        var fitting = new ArrayList<NodeFit.Fits>();
        open.forEach((_, statement) -> {
            if (hearing.verdict(statement) instanceof NodeFit.Fits fits) {
                fitting.add(fits);
            }
        });
        return fitting;
    }
}
