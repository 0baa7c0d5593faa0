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
    private static final Duration LENGTH = Duration.ofSeconds(15);

    private static LeaderLease term(String holder, long transitions) {
        var past = Optional.of(NOW.minusSeconds(1_000_000));
        return new LeaderLease(holder, LENGTH, past, past, transitions);
    }

    private static LeaseAction decide(LeaderLease term, Instant seen) {
        return LeaseAction.decide(
                "me", LENGTH, Optional.of(new LeaseAction.Observed(term, seen)), NOW);
    }

    @Test
    void withoutALeaseItIsCreated() {
        assertThat(LeaseAction.decide("me", LENGTH, Optional.empty(), NOW))
                .isEqualTo(
                        new LeaseAction.Create(
                                new LeaderLease(
                                        "me", LENGTH, Optional.of(NOW), Optional.of(NOW), 0)));
    }

    @Test
    void anothersTermIsRespectedFromWhenItWasSeenWhateverItsTimesSay() {
        assertThat(decide(term("other", 0), NOW.minusSeconds(14)))
                .isEqualTo(new LeaseAction.Wait("other"));
    }

    @Test
    void aTermThatHasRunOutIsTakenOver() {
        assertThat(decide(term("other", 3), NOW.minusSeconds(15)))
                .isEqualTo(
                        new LeaseAction.Write(
                                new LeaderLease(
                                        "me", LENGTH, Optional.of(NOW), Optional.of(NOW), 4)));
    }

    @Test
    void aTermThatWasGivenUpIsTakenAtOnce() {
        assertThat(decide(term("", 3), NOW)).isInstanceOf(LeaseAction.Write.class);
    }

    @Test
    void renewingKeepsWhenItWasAcquired() {
        var mine = term("me", 3);
        assertThat(decide(mine, NOW))
                .isEqualTo(
                        new LeaseAction.Write(
                                new LeaderLease(
                                        "me", LENGTH, mine.acquired(), Optional.of(NOW), 3)));
    }

    @Test
    void aTermSurvivesBeingWritten() {
        var term =
                new LeaderLease("me", LENGTH, Optional.of(NOW), Optional.of(NOW.plusMillis(1)), 7);
        assertThat(LeaderLease.read(term.writeInto(JsonObject.EMPTY))).isEqualTo(term);
    }

    @Test
    void timesThatCannotWorkAreRefused() {
        assertThatThrownBy(() -> new LeaderElectionTiming(LENGTH, LENGTH, Duration.ofSeconds(2)))
                .isInstanceOf(IllegalArgumentException.class);
    }
}
