package dev.berth.control.schedule;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.time.Clock;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// A failure with one pod does not end the thread that schedules all of them.
class SchedulerFailureTest {

    @TempDir Path directory = Path.of("");

    @Test
    void anErrorDoesNotEndScheduling() {
        var hasFailed = new AtomicBoolean();
        EventSink failing =
                (_, _) -> {
                    if (hasFailed.compareAndSet(false, true)) {
                        throw new StackOverflowError();
                    }
                };
        try (var rig = new SchedulingRig(directory);
                var cluster = rig.connect("berth");
                var scheduler =
                        new Scheduler(
                                cluster, Clock.systemUTC(), SchedulerOptions.defaults(), failing)) {
            rig.node("a");
            scheduler.start();
            pod(rig, "first");
            rig.awaitNode("first");
            rig.await(hasFailed::get, "no event was recorded");

            pod(rig, "second");

            assertThat(rig.awaitNode("second")).isEqualTo("a");
        }
    }

    private static void pod(SchedulingRig rig, String name) {
        rig.create(
                """
                apiVersion: v1
                kind: Pod
                metadata: {name: %s}
                spec: {schedulerName: berth, containers: [{name: c, image: i}]}
                """
                        .formatted(name));
    }
}
