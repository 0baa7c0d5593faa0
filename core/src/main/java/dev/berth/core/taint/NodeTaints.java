package dev.berth.core.taint;

import dev.berth.model.api.node.Node;
import dev.berth.model.api.taint.NodeTaint;
import dev.berth.model.api.taint.NodeTaintEffect;
import dev.berth.model.api.taint.Toleration;
import java.util.List;
import java.util.Optional;

/// Taints of nodes and tolerations of pods.
public final class NodeTaints {

    private NodeTaints() {}

    /// The first taint with effect NoSchedule or NoExecute that is not tolerated.
    public static Optional<NodeTaint> untolerated(List<Toleration> tolerations, Node node) {
        for (var taint : node.spec().taints()) {
            if (preventsScheduling(taint.effect()) && !isTolerated(tolerations, taint)) {
                return Optional.of(taint);
            }
        }
        return Optional.empty();
    }

    private static boolean preventsScheduling(NodeTaintEffect effect) {
        return effect == NodeTaintEffect.Known.NO_SCHEDULE
                || effect == NodeTaintEffect.Known.NO_EXECUTE;
    }

    public static boolean isTolerated(List<Toleration> tolerations, NodeTaint taint) {
        for (var toleration : tolerations) {
            if (tolerates(toleration, taint)) {
                return true;
            }
        }
        return false;
    }

    /// True when a toleration matches the taint's effect, key and value.
    public static boolean tolerates(Toleration toleration, NodeTaint taint) {
        return toleration.effect().filter(effect -> !effect.equals(taint.effect())).isEmpty()
                && toleration
                        .operator()
                        .matches(toleration.key(), toleration.value(), taint.key(), taint.value());
    }

    /// `key=value:NoSchedule`.
    public static String format(NodeTaint taint) {
        var value = taint.value().isEmpty() ? "" : "=" + taint.value();
        return taint.key() + value + ":" + taint.effect().text();
    }
}
