package dev.berth.core.place.score;

import dev.berth.core.place.EvaluationContext;
import dev.berth.core.place.NodeScopedFit;
import dev.berth.core.taint.NodeTaints;
import dev.berth.model.api.node.Node;
import dev.berth.model.api.taint.NodeTaintEffect;
import dev.berth.model.api.taint.Toleration;
import java.util.List;
import java.util.Optional;

/// TaintToleration: few taints with effect PreferNoSchedule that the pod does not tolerate.
final class TaintTolerationScore implements NodeScore {

    @Override
    public long weight() {
        return 3;
    }

    @Override
    public Optional<long[]> scores(
            EvaluationContext context, List<NodeScopedFit.Candidate> candidates) {
        var tolerations = context.pod().spec().tolerations();
        var raw = new long[candidates.size()];
        for (var i = 0; i < raw.length; i++) {
            raw[i] = untolerated(tolerations, candidates.get(i).node());
        }
        var shares = NodeScores.normalizedByLargest(raw);
        shares.ifPresent(all -> {
            for (var i = 0; i < all.length; i++) {
                all[i] = FULL - all[i];
            }
        });
        return shares;
    }

    static long untolerated(List<Toleration> tolerations, Node node) {
        var count = 0L;
        for (var taint : node.spec().taints()) {
            if (taint.effect() == NodeTaintEffect.Known.PREFER_NO_SCHEDULE
                    && !NodeTaints.isTolerated(tolerations, taint)) {
                count++;
            }
        }
        return count;
    }
}
