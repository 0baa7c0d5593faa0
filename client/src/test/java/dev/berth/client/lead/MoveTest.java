package dev.berth.client.lead;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.berth.model.json.JsonObject;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class MoveTest {

    private static final Instant NOW = Instant.parse("2026-01-01T00:00:00Z");
    private static final Duration LENGTH = Duration.ofSeconds(15);

    private static Term term(String holder, long transitions) {
        var past = Optional.of(NOW.minusSeconds(1_000_000));
        return new Term(holder, LENGTH, past, past, transitions);
    }

    private static Move decide(Term term, Instant seen) {
        return Move.decide("me", LENGTH, Optional.of(new Move.Observed(term, seen)), NOW);
    }

    @Test
    void withoutALeaseItIsCreated() {
        assertThat(Move.decide("me", LENGTH, Optional.empty(), NOW))
                .isEqualTo(
                        new Move.Create(
                                new Term("me", LENGTH, Optional.of(NOW), Optional.of(NOW), 0)));
    }

    @Test
    void anothersTermIsRespectedFromWhenItWasSeenWhateverItsTimesSay() {
        assertThat(decide(term("other", 0), NOW.minusSeconds(14)))
                .isEqualTo(new Move.Wait("other"));
    }

    @Test
    void aTermThatHasRunOutIsTakenOver() {
        assertThat(decide(term("other", 3), NOW.minusSeconds(15)))
                .isEqualTo(
                        new Move.Write(
                                new Term("me", LENGTH, Optional.of(NOW), Optional.of(NOW), 4)));
    }

    @Test
    void aTermThatWasGivenUpIsTakenAtOnce() {
        assertThat(decide(term("", 3), NOW)).isInstanceOf(Move.Write.class);
    }

    @Test
    void renewingKeepsWhenItWasAcquired() {
        var mine = term("me", 3);
        assertThat(decide(mine, NOW))
                .isEqualTo(
                        new Move.Write(
                                new Term("me", LENGTH, mine.acquired(), Optional.of(NOW), 3)));
    }

    @Test
    void aTermSurvivesBeingWritten() {
        var term = new Term("me", LENGTH, Optional.of(NOW), Optional.of(NOW.plusMillis(1)), 7);
        assertThat(Term.read(term.writeInto(JsonObject.EMPTY))).isEqualTo(term);
    }

    @Test
    void timesThatCannotWorkAreRefused() {
        assertThatThrownBy(() -> new Timing(LENGTH, LENGTH, Duration.ofSeconds(2)))
                .isInstanceOf(IllegalArgumentException.class);
    }
}
