package dev.berth.node.pod;

import java.util.Optional;

/// Results of a container's probes.
///
/// @param failure the failed probe for which it has to be restarted, if any
public record ProbeResults(boolean isStarted, boolean isReady, Optional<ProbeFailure> failure) {

    /// A startup or liveness probe that reached its failure threshold.
    public record ProbeFailure(Probe.Purpose purpose) {}

    /// Results of a container without probes.
    public static final ProbeResults NO_PROBES = new ProbeResults(true, true, Optional.empty());
}
