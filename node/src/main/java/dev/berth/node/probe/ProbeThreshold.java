package dev.berth.node.probe;

import dev.berth.node.pod.Probe;
import java.util.Optional;

/// Applies the success and failure thresholds of a probe to its results.
///
/// @param isHealthy empty before a threshold was reached
/// @param streak number of equal results in a row
record ProbeThreshold(Optional<Boolean> isHealthy, boolean wasSuccess, int streak) {

    static final ProbeThreshold INITIAL = new ProbeThreshold(Optional.empty(), false, 0);

    ProbeThreshold after(boolean isSuccess, Probe probe) {
        var length = streak > 0 && wasSuccess == isSuccess ? streak + 1 : 1;
        var threshold = isSuccess ? probe.successes() : probe.failures();
        return new ProbeThreshold(
                length >= threshold ? Optional.of(isSuccess) : isHealthy, isSuccess, length);
    }
}
