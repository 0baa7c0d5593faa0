package dev.berth.app.scenario;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.app.print.Palette;
import dev.berth.drivers.sim.FleetPlan;
import dev.berth.drivers.sim.HardwareProfiles;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;

/// The example scenarios as test parameters.
final class Examples {

    static final Path FOLDER = Path.of("..", "examples");
    static final Duration TIMEOUT = Duration.ofMinutes(2);

    private Examples() {}

    static List<Scenario> all() {
        try {
            return ScenarioReader.all(FOLDER);
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    /// A fleet with the nodes of all scenarios.
    static FleetPlan fleet() {
        var profiles = HardwareProfiles.builtIn();
        var plan = FleetPlan.parse("", profiles);
        for (var scenario : all()) {
            plan = plan.atLeast(FleetPlan.parse(scenario.nodes(), profiles));
        }
        return plan;
    }

    static Stream<DynamicTest> on(ScenarioRunner runner) {
        return all().stream()
                .map(scenario ->
                        DynamicTest.dynamicTest(scenario.name(), () -> run(scenario, runner)));
    }

    private static void run(Scenario scenario, ScenarioRunner runner) throws InterruptedException {
        var report = runner.run(scenario, _ -> {});
        assertThat(report.isAsExpected())
                .as(ScenarioReportText.of(report, new Palette(false), 100))
                .isTrue();
    }
}
