package dev.berth.core.testkit.reference;

import dev.berth.model.api.slice.Device;
import dev.berth.model.api.taint.DeviceTaint;
import dev.berth.model.api.taint.DeviceToleration;
import dev.berth.model.api.taint.TaintEffect;
import dev.berth.model.api.taint.TolerationOperator;
import java.util.List;

/// Decides whether the taints of a device prevent its allocation.
final class ReferenceTaints {

    private ReferenceTaints() {}

    static boolean prevent(Device device, List<DeviceToleration> tolerations) {
        return device.taints().stream()
                .filter(taint -> preventsAllocation(taint.effect()))
                .anyMatch(taint -> tolerations.stream().noneMatch(one -> tolerates(one, taint)));
    }

    private static boolean preventsAllocation(TaintEffect effect) {
        return effect == TaintEffect.Known.NO_SCHEDULE || effect == TaintEffect.Known.NO_EXECUTE;
    }

    private static boolean tolerates(DeviceToleration toleration, DeviceTaint taint) {
        if (toleration.effect().isPresent() && !toleration.effect().get().equals(taint.effect())) {
            return false;
        }
        if (!toleration.key().isEmpty() && !toleration.key().equals(taint.key())) {
            return false;
        }
        return switch (toleration.operator()) {
            case TolerationOperator.Known known ->
                    switch (known) {
                        case EXISTS -> true;
                        case UNSET, EQUAL -> toleration.value().equals(taint.value());
                    };
            case TolerationOperator.Unrecognised _ -> false;
        };
    }
}
