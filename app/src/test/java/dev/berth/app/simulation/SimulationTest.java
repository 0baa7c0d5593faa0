package dev.berth.app.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The whole control plane in a world where everything goes wrong, on virtual time.
///
/// `-Dberth.simulation.from` and `-Dberth.simulation.seeds` choose other stories;
/// `-Dberth.simulation.lines` shows more of the first story that ends badly.
class SimulationTest {

    private static final long FROM = Long.getLong("berth.simulation.from", 0);
    private static final long SEEDS = Long.getLong("berth.simulation.seeds", 1_000);
    private static final int MOST_FAILURES = 20;

    /// Keys that a server has are kept between stories, since to make them takes long.
    @TempDir private static Path directory;

    @Test
    void whateverGoesWrongNothingIsGivenTwiceLostOrForgotten() {
        var failures = new LinkedHashMap<Long, String>();
        try (var complaints = new Complaints()) {
            for (var seed = FROM; seed < FROM + SEEDS && failures.size() < MOST_FAILURES; seed++) {
                tell(seed, complaints, failures);
            }
        }
        assertThat(failures).as("seeds and how their stories end").isEmpty();
    }

    @Test
    void theSameSeedTellsTheSameStory() {
        for (var seed = 0; seed < 5; seed++) {
            assertThat(print(seed)).as("seed %d", seed).isEqualTo(print(seed));
        }
    }

    private static long print(long seed) {
        try (var simulation = new Simulation(seed, directory)) {
            return simulation.run();
        }
    }

    private static void tell(long seed, Complaints complaints, Map<Long, String> failures) {
        try (var simulation = new Simulation(seed, directory)) {
            var end = end(simulation);
            complaints
                    .next()
                    .or(() -> end)
                    .ifPresent(e -> {
                        var story = failures.isEmpty() ? simulation.story() + "\n" : "";
                        failures.put(seed, story + text(e) + "\n");
                    });
        }
    }

    private static Optional<Throwable> end(Simulation simulation) {
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
