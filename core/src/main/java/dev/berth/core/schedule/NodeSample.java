package dev.berth.core.schedule;

import dev.berth.core.place.Verdict;
import dev.berth.core.snapshot.Judgement;
import java.util.ArrayList;
import java.util.List;

/// A few of many nodes that fit, from a place that moves on with each pod, so that in a large
/// cluster choosing costs the same as in a small one and pods still go everywhere.
final class NodeSample {

    /// How many nodes that fit are enough. Kubernetes takes no fewer.
    private static final int ENOUGH = 100;

    private int start;

    /// The next ones that fit.
    List<Verdict> of(Judgement judgement) {
        var sample = new ArrayList<Verdict>();
        begin(judgement.size());
        var seen =
                judgement.round(
                        start,
                        verdict -> {
                            if (verdict instanceof Verdict.Fits) {
                                sample.add(verdict);
                            }
                            return sample.size() < ENOUGH;
                        });
        end(seen, judgement.size());
        return sample;
    }

    /// The next ones that fit.
    List<Verdict> of(List<Verdict> all) {
        var sample = new ArrayList<Verdict>();
        var seen = 0;
        begin(all.size());
        while (seen < all.size() && sample.size() < ENOUGH) {
            var verdict = all.get((start + seen++) % all.size());
            if (verdict instanceof Verdict.Fits) {
                sample.add(verdict);
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
