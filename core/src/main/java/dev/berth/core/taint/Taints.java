package dev.berth.core.taint;

import dev.berth.model.api.taint.DeviceTaint;
import dev.berth.model.api.taint.DeviceToleration;
import dev.berth.model.api.taint.TaintEffect;
import java.util.List;
import java.util.Optional;

/// Matches device taints with tolerations.
public final class Taints {

    private Taints() {}

    /// The first taint that prevents the allocation of a device to a request with these
    /// tolerations.
    public static Optional<DeviceTaint> untolerated(
            List<DeviceTaint> taints, List<DeviceToleration> tolerations) {
        for (var taint : taints) {
            if (forbidsAllocation(taint.effect()) && !isTolerated(taint, tolerations)) {
                return Optional.of(taint);
            }
        }
        return Optional.empty();
    }

    private static boolean forbidsAllocation(TaintEffect effect) {
        return switch (effect) {
            case TaintEffect.Known known ->
                    switch (known) {
                        case NONE -> false;
                        case NO_SCHEDULE, NO_EXECUTE -> true;
                    };
            case TaintEffect.Unrecognised _ -> false;
        };
    }

    private static boolean isTolerated(DeviceTaint taint, List<DeviceToleration> tolerations) {
        for (var toleration : tolerations) {
            if (tolerates(toleration, taint)) {
                return true;
            }
        }
        return false;
    }

    /// Whether a toleration tolerates a taint.
    public static boolean tolerates(DeviceToleration toleration, DeviceTaint taint) {
        return toleration.effect().filter(effect -> !effect.equals(taint.effect())).isEmpty()
                && toleration
                        .operator()
                        .matches(toleration.key(), toleration.value(), taint.key(), taint.value());
    }

    /// `key=value:NoSchedule`.
    public static String format(DeviceTaint taint) {
        var value = taint.value().isEmpty() ? "" : "=" + taint.value();
        return taint.key() + value + ":" + taint.effect().text();
    }
}
