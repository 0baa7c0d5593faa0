package dev.berth.node.probe;

import dev.berth.node.pod.Probe;
import java.util.Optional;

/// What the answers to one probe amount to: it takes some of a kind in a row to change it.
///
/// @param isWell empty while there were too few answers
/// @param streak how many of the last answers were alike
record ProbeThreshold(Optional<Boolean> isWell, boolean wasGood, int streak) {

    static final ProbeThreshold OPEN = new ProbeThreshold(Optional.empty(), false, 0);

    ProbeThreshold after(boolean isGood, Probe probe) {
        var length = streak > 0 && wasGood == isGood ? streak + 1 : 1;
        var enough = isGood ? probe.successes() : probe.failures();
        return new ProbeThreshold(length >= enough ? Optional.of(isGood) : isWell, isGood, length);
    }
}
