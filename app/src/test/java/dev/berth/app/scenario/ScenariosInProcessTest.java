package dev.berth.app.scenario;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.embedded.EmbeddedBerth;
import dev.berth.embedded.EmbeddedOptions;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/// All scenarios with a cluster in one process.
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class ScenariosInProcessTest {

    private EmbeddedBerth cluster;
    private ScenarioRunner runner;

    @BeforeAll
    void start(@TempDir Path directory) throws InterruptedException {
        cluster =
                EmbeddedBerth.start(
                        EmbeddedOptions.inMemory(directory).withNodes(_ -> Examples.fleet()));
        runner = new ScenarioRunner(cluster.cluster("test"), Examples.TIMEOUT);
        assertThat(runner.awaitFleet(ScenarioPreconditions.of(cluster.plan()))).isEmpty();
    }

    @AfterAll
    void stop() {
        runner.close();
        cluster.close();
    }

    @TestFactory
    Stream<DynamicTest> scenariosComeOutAsExpected() {
        return Examples.on(runner);
    }

    @Test
    void thereIsAScenarioForEachNumberAndAPageForEachScenario() {
        var scenarios = Examples.all();
        assertThat(scenarios).hasSize(15);
        for (var i = 0; i < scenarios.size(); i++) {
            assertThat(scenarios.get(i).name()).startsWith("%02d-".formatted(i + 1));
            assertThat(scenarios.get(i).directory().resolve("README.md")).isNotEmptyFile();
        }
    }
}
