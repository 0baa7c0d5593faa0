package dev.berth.drivers.sim;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class FleetTaskQueueTest {

    private static final Instant START = Instant.EPOCH;
    private static final FleetTask A = new FleetTask.Register("a");
    private static final FleetTask B = new FleetTask.Register("b");

    private final FleetTaskQueue queue = new FleetTaskQueue();

    @Test
    void dueTasksAreTakenEarliestFirst() {
        queue.put(A, START.plusSeconds(2));
        queue.put(B, START.plusSeconds(1));
        assertThat(queue.take(START)).isEmpty();
        assertThat(queue.nextDue()).contains(START.plusSeconds(1));
        assertThat(queue.take(START.plusSeconds(5))).contains(B);
        assertThat(queue.take(START.plusSeconds(5))).contains(A);
    }

    @Test
    void earlierTimeReplacesALaterOne() {
        queue.put(A, START.plusSeconds(5));
        queue.put(A, START);
        queue.put(A, START.plusSeconds(9));
        assertThat(queue.take(START)).contains(A);
        queue.finish(A, Optional.empty());
        assertThat(queue.take(START.plusSeconds(10))).isEmpty();
    }

    @Test
    void aTaskIsTakenByOneThreadAndRequeuedIfEnqueuedMeanwhile() {
        queue.put(A, START);
        assertThat(queue.take(START)).contains(A);
        queue.put(A, START);
        assertThat(queue.take(START)).isEmpty();
        queue.finish(A, Optional.of(START.plusSeconds(7)));
        assertThat(queue.take(START)).contains(A);
    }
}
