package dev.berth.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.model.workqueue.Backoff;
import dev.berth.model.workqueue.WorkQueueLoop;
import dev.berth.model.workqueue.WorkResult;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.InstantSource;
import org.junit.jupiter.api.Test;

class WorkQueueMetricsTest {

    private static final Instant NOW = Instant.parse("2026-01-01T00:00:00Z");

    private static final class Loop extends WorkQueueLoop<String> {
        Loop() {
            super(Backoff.DEFAULT);
        }

        @Override
        protected WorkResult reconcile(String key, Instant now) {
            return key.equals("bad") ? new WorkResult.Retry("no") : WorkResult.DONE;
        }

        void put(String key) {
            add(key);
        }

        void putLater(String key, Instant at) {
            addAt(key, at);
        }
    }

    private final MetricsRegistry registry = MetricsRegistry.measuring();
    private final Loop loop = new Loop();

    private String text() {
        return new String(registry.expose("").bytes(), StandardCharsets.UTF_8);
    }

    @Test
    void keysAreCountedFromTheQueueToTheirEnd() {
        var registration =
                new WorkQueueMetrics(registry).observe("job", loop, InstantSource.fixed(NOW));
        loop.step(NOW);
        loop.put("good");
        loop.put("good");
        loop.put("bad");
        loop.putLater("later", NOW.plusSeconds(10));
        assertThat(text())
                .contains(
                        "workqueue_depth{name=\"job\"} 2.0\n",
                        "workqueue_adds_total{name=\"job\"} 2.0\n");

        assertThat(loop.step(NOW)).isTrue();
        assertThat(loop.step(NOW)).isTrue();
        assertThat(loop.step(NOW)).isFalse();
        assertThat(text())
                .contains(
                        "workqueue_depth{name=\"job\"} 0.0\n",
                        "workqueue_retries_total{name=\"job\"} 1.0\n",
                        "workqueue_queue_duration_seconds_count{name=\"job\"} 2\n",
                        "workqueue_work_duration_seconds_count{name=\"job\"} 2\n",
                        "workqueue_unfinished_work_seconds{name=\"job\"} 0.0\n",
                        "workqueue_longest_running_processor_seconds{name=\"job\"} 0.0\n");

        // The retry and the delayed key are counted when they are due.
        while (loop.step(NOW.plusSeconds(11))) {
            if (text().contains("workqueue_adds_total{name=\"job\"} 4.0")) {
                break;
            }
        }
        assertThat(text()).contains("workqueue_adds_total{name=\"job\"} 4.0\n");
        registration.close();
        assertThat(text()).doesNotContain("workqueue_depth{");
    }
}
