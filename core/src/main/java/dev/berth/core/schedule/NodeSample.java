package dev.berth.core.schedule;

import dev.berth.core.place.Verdict;
import java.util.ArrayList;
import java.util.List;

/// A few of many nodes that fit, from a place that moves on with each pod, so that in a large
/// cluster choosing costs the same as in a small one and pods still go everywhere.
final class NodeSample {

    private static final int SMALL = 100;
    private static final int MOST_PERCENT = 50;
    private static final int LEAST_PERCENT = 5;
    private static final int NODES_PER_PERCENT = 125;

    private int start;

    /// How many nodes that fit are enough.
    static int size(int nodes) {
        if (nodes < SMALL) {
            return nodes;
        }
        var percent = Math.max(LEAST_PERCENT, MOST_PERCENT - nodes / NODES_PER_PERCENT);
        return Math.max(SMALL, nodes * percent / 100);
    }

    /// The next ones that fit.
    List<Verdict> of(List<Verdict> all) {
        var wanted = size(all.size());
        var sample = new ArrayList<Verdict>();
        var seen = 0;
        while (seen < all.size() && sample.size() < wanted) {
            var verdict = all.get((start + seen++) % all.size());
            if (verdict instanceof Verdict.Fits) {
                sample.add(verdict);
            }
        }
        start = all.isEmpty() ? 0 : (start + seen) % all.size();
        return sample;
    }
}
