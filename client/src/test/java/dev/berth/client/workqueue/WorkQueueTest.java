package dev.berth.client.workqueue;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;

class WorkQueueTest {

    private static final Instant NOW = Instant.parse("2026-01-01T00:00:00Z");

    private final WorkQueue<String> backlog = new WorkQueue<>(Backoff.DEFAULT);

    @Test
    void aKeyThatWaitsIsNotAddedTwice() {
        backlog.add("a", NOW);
        backlog.add("a", NOW);
        assertThat(backlog.next(NOW)).contains("a");
        assertThat(backlog.next(NOW)).isEmpty();
    }

    @Test
    void keysComeInTheOrderInWhichTheyWereAdded() {
        for (var key : new String[] {"c", "a", "b"}) {
            backlog.add(key, NOW);
        }
        var order = new ArrayList<String>();
        for (var key = backlog.next(NOW); key.isPresent(); key = backlog.next(NOW)) {
            order.add(key.get());
        }
        assertThat(order).containsExactly("c", "a", "b");
    }

    @Test
    void aKeyIsNeverWorkedOnTwiceAtATimeButComesAgain() {
        backlog.add("a", NOW);
        backlog.next(NOW);
        backlog.add("a", NOW);
        assertThat(backlog.next(NOW)).isEmpty();
        backlog.done("a");
        assertThat(backlog.next(NOW)).contains("a");
        backlog.done("a");
        assertThat(backlog.next(NOW)).isEmpty();
        assertThat(backlog.taken()).isZero();
    }

    @Test
    void theEarlierTimeCounts() {
        backlog.add("a", NOW.plusSeconds(10));
        backlog.add("a", NOW.plusSeconds(5));
        backlog.add("a", NOW.plusSeconds(20));
        assertThat(backlog.nextDue()).contains(NOW.plusSeconds(5));
        assertThat(backlog.next(NOW.plusSeconds(4))).isEmpty();
        assertThat(backlog.next(NOW.plusSeconds(5))).contains("a");
        assertThat(backlog.nextDue()).isEmpty();
    }

    @Test
    void failuresWaitTwiceAsLongEachTime() {
        var now = NOW;
        backlog.add("a", now);
        for (var millis : new long[] {5, 10, 20, 40}) {
            assertThat(backlog.next(now)).contains("a");
            backlog.retry("a", now);
            now = now.plusMillis(millis);
            assertThat(backlog.nextDue()).contains(now);
        }
    }

    @Test
    void newsEndTheWaitAfterAFailureButNotTheCount() {
        backlog.add("a", NOW);
        backlog.next(NOW);
        backlog.add("a", NOW);
        backlog.retry("a", NOW);
        assertThat(backlog.next(NOW)).contains("a");
        assertThat(backlog.failures("a")).isEqualTo(1);
    }

    @Test
    void goingWellMakesFailuresForgotten() {
        backlog.add("a", NOW);
        backlog.next(NOW);
        backlog.retry("a", NOW);
        assertThat(backlog.failures("a")).isEqualTo(1);
        backlog.next(NOW.plusSeconds(1));
        backlog.done("a");
        assertThat(backlog.failures("a")).isZero();
    }

    @Test
    void thePaceIsBounded() {
        assertThat(Backoff.DEFAULT.after(1)).isEqualTo(Duration.ofMillis(5));
        assertThat(Backoff.DEFAULT.after(2)).isEqualTo(Duration.ofMillis(10));
        assertThat(Backoff.DEFAULT.after(18)).isEqualTo(Duration.ofMillis(5L << 17));
        assertThat(Backoff.DEFAULT.after(19)).isEqualTo(Duration.ofSeconds(1000));
        assertThat(Backoff.DEFAULT.after(1_000_000)).isEqualTo(Duration.ofSeconds(1000));
    }

    @Test
    void noKeyIsLostOrTakenTwiceWhateverHappens() {
        for (var seed = 0; seed < 200; seed++) {
            walk(seed);
        }
    }

    /// A random walk; every key that was added must be taken at or after that.
    private static void walk(int seed) {
        var random = new Random(seed);
        var backlog = new WorkQueue<Integer>(Backoff.DEFAULT);
        Set<Integer> taken = new HashSet<>();
        Map<Integer, Boolean> owed = new HashMap<>();
        var now = NOW;
        for (var step = 0; step < 300; step++) {
            now = now.plusMillis(random.nextInt(5));
            var key = random.nextInt(8);
            switch (random.nextInt(4)) {
                case 0 -> {
                    backlog.add(key, now.plusMillis(random.nextInt(10)));
                    owed.put(key, true);
                }
                case 1 -> {
                    var next = backlog.next(now);
                    if (next.isPresent()) {
                        assertThat(taken.add(next.get())).as("seed %d", seed).isTrue();
                        owed.remove(next.get());
                    }
                }
                case 2 -> {
                    if (taken.remove(key)) {
                        backlog.done(key);
                    }
                }
                default -> {
                    if (taken.remove(key)) {
                        backlog.retry(key, now);
                        owed.put(key, true);
                    }
                }
            }
        }
        taken.forEach(backlog::done);
        now = now.plusSeconds(2000);
        for (var next = backlog.next(now); next.isPresent(); next = backlog.next(now)) {
            owed.remove(next.get());
        }
        assertThat(owed).as("seed %d", seed).isEmpty();
    }
}
