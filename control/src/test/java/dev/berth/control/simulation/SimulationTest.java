package dev.berth.control.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The complete control plane under random faults, on virtual time.
///
/// `-Dberth.simulation.from` and `-Dberth.simulation.seeds` choose other seeds;
/// `-Dberth.simulation.lines` shows more of the trace of the first failed run.
class SimulationTest {

    private static final long FROM = Long.getLong("berth.simulation.from", 0);
    private static final long SEEDS = Long.getLong("berth.simulation.seeds", 1_000);
    private static final int MAX_FAILURES = 20;

    /// Keys of the server are kept between runs, since generating them is slow.
    @TempDir private static Path directory;

    @Test
    void noDeviceIsAllocatedTwiceAndNoPodOrClaimIsForgotten() {
        var failures = new LinkedHashMap<Long, String>();
        try (var errors = new LoggedErrors()) {
            for (var seed = FROM; seed < FROM + SEEDS && failures.size() < MAX_FAILURES; seed++) {
                run(seed, errors, failures);
            }
        }
        assertThat(failures).as("failures by seed").isEmpty();
    }

    @Test
    void sameSeedGivesSameRun() {
        for (var seed = 0; seed < 5; seed++) {
            assertThat(hash(seed)).as("seed %d", seed).isEqualTo(hash(seed));
        }
    }

    private static long hash(long seed) {
        try (var simulation = new Simulation(seed, directory)) {
            return simulation.run();
        }
    }

    private static void run(long seed, LoggedErrors errors, Map<Long, String> failures) {
        try (var simulation = new Simulation(seed, directory)) {
            var failure = failure(simulation);
            errors.next()
                    .or(() -> failure)
                    .ifPresent(e -> {
                        var trace = failures.isEmpty() ? simulation.trace() + "\n" : "";
                        failures.put(seed, trace + text(e) + "\n");
                    });
        }
    }

    private static Optional<Throwable> failure(Simulation simulation) {
        try {
            simulation.run();
            return Optional.empty();
        } catch (AssertionError | RuntimeException e) {
            return Optional.of(e);
        }
    }

    private static String text(Throwable e) {
        if (e instanceof AssertionError) {
            return String.valueOf(e.getMessage());
        }
        var text = new StringWriter();
        e.printStackTrace(new PrintWriter(text, true));
        return text.toString();
    }
}
