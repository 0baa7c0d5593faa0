package dev.berth.core.place.score;

import dev.berth.core.place.EvaluationContext;
import dev.berth.core.place.NodeScopedFit;
import java.util.List;
import java.util.Optional;

/// A score plugin of kube-scheduler that compares fitting nodes. One class per score, one line in
/// [NodeScores].
interface NodeScore {

    /// Maximum score. It is finer than that of Kubernetes, so that fewer nodes have equal scores.
    long FULL = 10_000;

    /// The default weight in Kubernetes.
    long weight();

    /// The scores of the candidates, from zero to [#FULL]; empty when all are equal.
    Optional<long[]> scores(EvaluationContext context, List<NodeScopedFit.Candidate> candidates);
}
