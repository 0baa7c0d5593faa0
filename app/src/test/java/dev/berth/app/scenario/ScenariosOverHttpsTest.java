package dev.berth.app.scenario;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.client.Cluster;
import dev.berth.client.config.ClusterAccess;
import dev.berth.client.config.ProgramEnvironment;
import dev.berth.client.http.ClientOptions;
import dev.berth.client.http.HttpCluster;
import dev.berth.drivers.sim.FleetOptions;
import dev.berth.drivers.sim.HardwareProfiles;
import dev.berth.drivers.sim.SimulatedFleet;
import dev.berth.drivers.sim.StandardClasses;
import dev.berth.model.close.CloseStack;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Clock;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/// All scenarios with server, scheduler and controllers as separate processes that communicate over
/// HTTPS.
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class ScenariosOverHttpsTest {

    private final CloseStack parts = new CloseStack();
    private ScenarioRunner runner;

    @BeforeAll
    void start(@TempDir Path directory) throws IOException, InterruptedException {
        var server =
                started("serve", "--port", "0", "--data-dir", directory.resolve("data").toString());
        server.awaitLine(line -> line.startsWith("Serving"));
        var kubeconfig = directory.resolve("data").resolve("kubeconfig");
        var scheduler =
                started(
                        "schedule",
                        "--replace-default-scheduler",
                        "--kubeconfig",
                        kubeconfig.toString());
        var controllers = started("control", "--kubeconfig", kubeconfig.toString());
        scheduler.awaitLine(line -> line.startsWith("Placing"));
        controllers.awaitLine(line -> line.startsWith("Running"));

        var nodes = cluster("berth-sim", kubeconfig, directory);
        StandardClasses.create(nodes);
        var plan = Examples.fleet();
        var fleet =
                new SimulatedFleet(
                        nodes, plan, HardwareProfiles.builtIn(), FleetOptions.defaults());
        parts.push(fleet);
        fleet.start(Clock.systemUTC());

        runner = new ScenarioRunner(cluster("test", kubeconfig, directory), Examples.TIMEOUT);
        parts.push(runner);
        assertThat(runner.awaitFleet(ScenarioPreconditions.of(plan))).isEmpty();
    }

    private BerthProcess started(String... arguments) throws IOException {
        var process = BerthProcess.start(arguments);
        parts.push(process);
        return process;
    }

    private Cluster cluster(String name, Path kubeconfig, Path home) {
        var around = new ProgramEnvironment(Map.of(), home, home, Clock.systemUTC());
        var access = ClusterAccess.find(around, Optional.of(kubeconfig), Optional.empty());
        var cluster = new HttpCluster(access, ClientOptions.of(name, "0"));
        parts.push(cluster);
        return cluster;
    }

    @AfterAll
    void stop() {
        parts.closeOrThrow("could not stop");
    }

    @TestFactory
    Stream<DynamicTest> scenariosComeOutAsExpected() {
        return Examples.on(runner);
    }
}
