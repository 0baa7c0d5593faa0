package dev.berth.node.pod;

import java.util.Optional;

/// What probes have found out about a container.
///
/// @param sick why it has to be ended, if it has
public record ProbeResults(boolean isStarted, boolean isReady, Optional<Illness> sick) {

    /// A probe that has failed too often.
    public record Illness(Probe.Purpose purpose) {}

    /// A container that nobody asks.
    public static final ProbeResults UNASKED = new ProbeResults(true, true, Optional.empty());
}
