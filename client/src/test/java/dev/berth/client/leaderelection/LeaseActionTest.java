package dev.berth.client.leaderelection;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.berth.model.json.JsonObject;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class LeaseActionTest {

    private static final Instant NOW = Instant.parse("2026-01-01T00:00:00Z");
    private static final Duration DURATION = Duration.ofSeconds(15);

    private static LeaderLease lease(String holder, long transitions) {
        var past = Optional.of(NOW.minusSeconds(1_000_000));
        return new LeaderLease(holder, DURATION, past, past, transitions);
    }

    private static LeaseAction decide(LeaderLease lease, Instant seen) {
        return LeaseAction.decide(
                "me", DURATION, Optional.of(new LeaseAction.Observed(lease, seen)), NOW);
    }

    @Test
    void withoutALeaseItIsCreated() {
        assertThat(LeaseAction.decide("me", DURATION, Optional.empty(), NOW))
                .isEqualTo(
                        new LeaseAction.Create(
                                new LeaderLease(
                                        "me", DURATION, Optional.of(NOW), Optional.of(NOW), 0)));
    }

    @Test
    void aLeaseOfAnotherIsValidFromItsFirstObservation() {
        assertThat(decide(lease("other", 0), NOW.minusSeconds(14)))
                .isEqualTo(new LeaseAction.Wait("other"));
    }

    @Test
    void anExpiredLeaseIsAcquired() {
        assertThat(decide(lease("other", 3), NOW.minusSeconds(15)))
                .isEqualTo(
                        new LeaseAction.Write(
                                new LeaderLease(
                                        "me", DURATION, Optional.of(NOW), Optional.of(NOW), 4)));
    }

    @Test
    void aReleasedLeaseIsAcquiredAtOnce() {
        assertThat(decide(lease("", 3), NOW)).isInstanceOf(LeaseAction.Write.class);
    }

    @Test
    void renewingKeepsTheAcquireTime() {
        var mine = lease("me", 3);
        assertThat(decide(mine, NOW))
                .isEqualTo(
                        new LeaseAction.Write(
                                new LeaderLease(
                                        "me", DURATION, mine.acquired(), Optional.of(NOW), 3)));
    }

    @Test
    void aLeaseIsReadAsWritten() {
        var lease =
                new LeaderLease(
                        "me", DURATION, Optional.of(NOW), Optional.of(NOW.plusMillis(1)), 7);
        assertThat(LeaderLease.read(lease.writeInto(JsonObject.EMPTY))).isEqualTo(lease);
    }

    @Test
    void invalidTimingIsRejected() {
        assertThatThrownBy(
                        () -> new LeaderElectionTiming(DURATION, DURATION, Duration.ofSeconds(2)))
                .isInstanceOf(IllegalArgumentException.class);
    }
}
