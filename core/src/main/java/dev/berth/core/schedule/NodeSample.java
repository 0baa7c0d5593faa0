package dev.berth.core.schedule;

import dev.berth.core.place.PodEvaluation;
import dev.berth.core.snapshot.NodeFits;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;

/// A sample of fitting nodes, starting where the last one ended. Scheduling costs the same in large
/// clusters, and pods are still distributed over all nodes.
final class NodeSample {

    /// Sample size; the minimum of kube-scheduler.
    private static final int ENOUGH = 100;

    private int start;

    /// The next fitting nodes.
    List<PodEvaluation.NodeScopedFit> of(NodeFits nodeFits) {
        begin(nodeFits.size());
        if (nodeFits.candidateCount() < ENOUGH) {
            // All nodes are visited, so that the next pod starts at the same index.
            return nodeFits.fittingFrom(start);
        }
        var sample = new ArrayList<PodEvaluation.NodeScopedFit>(ENOUGH);
        var seen =
                nodeFits.round(
                        start,
                        scopedFit -> {
                            if (nodeFits.fits(scopedFit)) {
                                sample.add(scopedFit);
                            }
                            return sample.size() < ENOUGH;
                        });
        end(seen, nodeFits.size());
        return sample;
    }

    /// The next ones that fit.
    <T> List<T> of(List<T> all, Predicate<T> fits) {
        var sample = new ArrayList<T>();
        var seen = 0;
        begin(all.size());
        while (seen < all.size() && sample.size() < ENOUGH) {
            var one = all.get((start + seen++) % all.size());
            if (fits.test(one)) {
                sample.add(one);
            }
        }
        end(seen, all.size());
        return sample;
    }

    private void begin(int nodes) {
        start = start < nodes ? start : 0;
    }

    private void end(int seen, int nodes) {
        start = nodes == 0 ? 0 : (start + seen) % nodes;
    }
}
