package dev.berth.client.leaderelection;

import java.time.Duration;

/// Timing of a leader election, with the terms of client-go.
///
/// @param leaseDuration after which other candidates may take a lease that is not renewed
/// @param renewDeadline after which a leader that could not renew the lease stops leading
/// @param retryPeriod between two attempts to acquire or renew the lease
public record LeaderElectionTiming(
        Duration leaseDuration, Duration renewDeadline, Duration retryPeriod) {

    /// The defaults of Kubernetes.
    public static final LeaderElectionTiming DEFAULT =
            new LeaderElectionTiming(
                    Duration.ofSeconds(15), Duration.ofSeconds(10), Duration.ofSeconds(2));

    public LeaderElectionTiming {
        if (leaseDuration.toSeconds() < 1
                || renewDeadline.compareTo(leaseDuration) >= 0
                || retryPeriod.compareTo(renewDeadline) >= 0
                || retryPeriod.isZero()) {
            throw new IllegalArgumentException(
                    "leaseDuration %s must be at least 1 s and longer than renewDeadline %s,"
                                    .formatted(leaseDuration, renewDeadline)
                            + " which must be longer than retryPeriod %s".formatted(retryPeriod));
        }
    }
}
