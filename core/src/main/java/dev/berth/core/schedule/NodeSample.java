package dev.berth.core.schedule;

import dev.berth.core.place.NodeFits;
import dev.berth.core.place.NodeScopedFit;
import java.util.ArrayList;
import java.util.List;

/// A sample of fitting nodes, starting where the last one ended. Scheduling costs the same in large
/// clusters, and pods are still distributed over all nodes.
final class NodeSample {

    /// Sample size; the minimum of kube-scheduler.
    private static final int ENOUGH = 100;

    private int start;

    /// The next fitting nodes.
    List<NodeScopedFit.Candidate> of(NodeFits nodeFits) {
        begin(nodeFits.size());
        if (nodeFits.candidateCount() < ENOUGH) {
            // All nodes are visited, so that the next pod starts at the same index.
            return nodeFits.fittingFrom(start);
        }
        var sample = new ArrayList<NodeScopedFit.Candidate>(ENOUGH);
        var seen =
                nodeFits.round(
                        start,
                        scopedFit -> {
                            nodeFits.fittingCandidate(scopedFit).ifPresent(sample::add);
                            return sample.size() < ENOUGH;
                        });
        end(seen, nodeFits.size());
        return sample;
    }

    private void begin(int nodes) {
        start = start < nodes ? start : 0;
    }

    private void end(int seen, int nodes) {
        start = nodes == 0 ? 0 : (start + seen) % nodes;
    }
}
