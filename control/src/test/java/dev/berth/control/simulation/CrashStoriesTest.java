package dev.berth.control.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// A scheduler that crashes at any command of a binding and restarts without its memory: no device
/// is allocated twice, and all pods are scheduled in the end.
class CrashStoriesTest {

    /// Seeds differ in nodes and devices, so that not every seed reaches every crash point.
    private static final int SEEDS = 10;

    /// Steps of both schedulers in which they bind most pods.
    private static final int STEPS = 36;

    /// Distance of the steps after which a scheduler crashes; all of them would take too long.
    private static final int STRIDE = 3;

    /// Keys of the server are kept between runs, since generating them is slow.
    @TempDir private static Path directory;

    @ParameterizedTest
    @EnumSource
    void beforeAWriteIsExecuted(SchedulerWrite write) {
        crash(write, CrashPoint.Side.BEFORE);
    }

    @ParameterizedTest
    @EnumSource
    void afterAWriteIsExecuted(SchedulerWrite write) {
        crash(write, CrashPoint.Side.AFTER);
    }

    private static void crash(SchedulerWrite write, CrashPoint.Side side) {
        var failures = new ArrayList<String>();
        var point = CrashPoint.at(write, side);
        for (var seed = 0; seed < SEEDS && !point.hasCrashed(); seed++) {
            run(seed, point, failures);
        }
        assertThat(failures).isEmpty();
        assertThat(point.hasCrashed()).as("crash " + point).isTrue();
    }

    /// Commands without a request, such as forgetting assumptions or reporting the outcome, are
    /// executed between two writes.
    @Test
    void betweenTwoSteps() {
        var failures = new ArrayList<String>();
        for (var step = 1; step <= STEPS; step += STRIDE) {
            var point = CrashPoint.afterStep(step);
            run(step % SEEDS, point, failures);
            assertThat(point.hasCrashed()).isTrue();
        }
        assertThat(failures).isEmpty();
    }

    @Test
    void samePointGivesSameRun() {
        assertThat(hash()).isEqualTo(hash());
    }

    private static long hash() {
        var point = CrashPoint.at(SchedulerWrite.BIND_POD, CrashPoint.Side.AFTER);
        try (var simulation = Simulation.ofCrash(0, directory, point)) {
            return simulation.runCrashStory();
        }
    }

    private static void run(long seed, CrashPoint point, List<String> failures) {
        try (var errors = new LoggedErrors();
                var simulation = Simulation.ofCrash(seed, directory, point)) {
            try {
                simulation.runCrashStory();
            } catch (AssertionError e) {
                failures.add(
                        "seed %d, crash %s: %s\n%s"
                                .formatted(seed, point, e.getMessage(), simulation.trace()));
            }
            errors.next().ifPresent(e -> failures.add("seed %d: %s".formatted(seed, e)));
        }
    }
}
