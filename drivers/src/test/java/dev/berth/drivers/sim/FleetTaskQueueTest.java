package dev.berth.drivers.sim;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class FleetTaskQueueTest {

    private static final Instant START = Instant.EPOCH;
    private static final FleetTask A = new FleetTask.Register("a");
    private static final FleetTask B = new FleetTask.Register("b");

    private final FleetTaskQueue agenda = new FleetTaskQueue();

    @Test
    void choresComeWhenTheyAreDueEarliestFirst() {
        agenda.put(A, START.plusSeconds(2));
        agenda.put(B, START.plusSeconds(1));
        assertThat(agenda.take(START)).isEmpty();
        assertThat(agenda.nextDue()).contains(START.plusSeconds(1));
        assertThat(agenda.take(START.plusSeconds(5))).contains(B);
        assertThat(agenda.take(START.plusSeconds(5))).contains(A);
    }

    @Test
    void anEarlierTimeGoesBeforeALaterOne() {
        agenda.put(A, START.plusSeconds(5));
        agenda.put(A, START);
        agenda.put(A, START.plusSeconds(9));
        assertThat(agenda.take(START)).contains(A);
        agenda.finish(A, Optional.empty());
        assertThat(agenda.take(START.plusSeconds(10))).isEmpty();
    }

    @Test
    void aChoreIsDoneByOneAtATimeAndNotForgotten() {
        agenda.put(A, START);
        assertThat(agenda.take(START)).contains(A);
        agenda.put(A, START);
        assertThat(agenda.take(START)).isEmpty();
        agenda.finish(A, Optional.of(START.plusSeconds(7)));
        assertThat(agenda.take(START)).contains(A);
    }
}
