package dev.berth.client.leaderelection;

import java.time.Duration;

/// How long a term is, how long a leader tries to renew it before it gives up, and how often it and
/// the others try.
public record LeaderElectionTiming(Duration term, Duration renewal, Duration attempt) {

    /// What Kubernetes uses.
    public static final LeaderElectionTiming DEFAULT =
            new LeaderElectionTiming(
                    Duration.ofSeconds(15), Duration.ofSeconds(10), Duration.ofSeconds(2));

    public LeaderElectionTiming {
        if (term.toSeconds() < 1
                || renewal.compareTo(term) >= 0
                || attempt.compareTo(renewal) >= 0
                || attempt.isZero()) {
            throw new IllegalArgumentException(
                    "a term of %s must be at least a second and longer than renewal %s, and that"
                                    .formatted(term, renewal)
                            + " longer than an attempt %s".formatted(attempt));
        }
    }
}
