package dev.berth.control.loop;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import org.junit.jupiter.api.Test;

class BacklogTest {

    private static final Instant NOW = Instant.parse("2026-01-01T00:00:00Z");
    private final Backlog<String> backlog = new Backlog<>();

    @Test
    void keyIsThereOnce() {
        backlog.add("a");
        backlog.add("a");

        assertThat(backlog.take(NOW)).contains("a");
        assertThat(backlog.take(NOW)).isEmpty();
    }

    @Test
    void keyAddedDuringWorkComesBackWhenItIsDone() {
        backlog.add("a");
        backlog.take(NOW);
        backlog.add("a");
        assertThat(backlog.take(NOW)).isEmpty();

        backlog.done("a");
        assertThat(backlog.take(NOW)).contains("a");
    }

    @Test
    void keyWaitsForTheEarliestOfItsTimes() {
        backlog.addAt("a", NOW.plusSeconds(10));
        backlog.addAt("a", NOW.plusSeconds(5));
        backlog.addAt("a", NOW.plusSeconds(20));

        assertThat(backlog.nextDue()).contains(NOW.plusSeconds(5));
        assertThat(backlog.take(NOW.plusSeconds(4))).isEmpty();
        assertThat(backlog.take(NOW.plusSeconds(5))).contains("a");
        backlog.done("a");
        assertThat(backlog.take(NOW.plusSeconds(30))).isEmpty();
    }

    @Test
    void failuresComeBackLaterEachTimeUntilOneIsDone() {
        backlog.add("a");
        backlog.take(NOW);
        backlog.retry("a", NOW);
        assertThat(backlog.nextDue()).contains(NOW.plusMillis(5));

        backlog.take(NOW.plusMillis(5));
        backlog.retry("a", NOW);
        assertThat(backlog.nextDue()).contains(NOW.plusMillis(10));

        backlog.take(NOW.plusMillis(10));
        backlog.done("a");
        backlog.add("a");
        backlog.take(NOW);
        backlog.retry("a", NOW);
        assertThat(backlog.nextDue()).contains(NOW.plusMillis(5));
    }
}
