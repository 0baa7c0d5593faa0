package dev.berth.node.pod;

import java.util.Optional;

/// What probes have found out about a container.
///
/// @param sick why it has to be ended, if it has
public record Fitness(boolean isStarted, boolean isReady, Optional<Illness> sick) {

    /// A probe that has failed too often.
    public record Illness(Probe.Purpose purpose) {}

    /// A container that nobody asks.
    public static final Fitness UNASKED = new Fitness(true, true, Optional.empty());
}
