package dev.berth.core.taint;

import dev.berth.model.api.Node;
import dev.berth.model.api.NodeTaint;
import dev.berth.model.api.NodeTaintEffect;
import dev.berth.model.api.Toleration;
import dev.berth.model.api.TolerationOperator;
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
        if (toleration.effect().filter(effect -> !effect.equals(taint.effect())).isPresent()
                || (!toleration.key().isEmpty() && !toleration.key().equals(taint.key()))) {
            return false;
        }
        return switch (toleration.operator()) {
            case TolerationOperator.Known known ->
                    switch (known) {
                        case EXISTS -> true;
                        case EQUAL, UNSET -> toleration.value().equals(taint.value());
                    };
            case TolerationOperator.Unrecognised _ -> false;
        };
    }

    /// `key=value:NoSchedule`.
    public static String format(NodeTaint taint) {
        var value = taint.value().isEmpty() ? "" : "=" + taint.value();
        return taint.key() + value + ":" + taint.effect().text();
    }
}
