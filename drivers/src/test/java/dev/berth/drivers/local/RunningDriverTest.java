package dev.berth.drivers.local;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.berth.client.Request;
import dev.berth.client.RequestResult;
import dev.berth.client.ResourcePath;
import dev.berth.client.cache.ObjectCache;
import dev.berth.client.config.ClusterAccess;
import dev.berth.client.config.ProgramEnvironment;
import dev.berth.client.http.ClientOptions;
import dev.berth.client.http.HttpCluster;
import dev.berth.drivers.machine.HostCommands;
import dev.berth.drivers.machine.MachineRoots;
import dev.berth.drivers.testing.Needs;
import dev.berth.harness.Eventually;
import dev.berth.model.api.slice.Device;
import dev.berth.model.api.slice.ResourceSlice;
import dev.berth.model.codec.Kinds;
import dev.berth.model.json.Json;
import dev.berth.model.json.JsonObject;
import dev.berth.node.driver.DriverOptions;
import dev.berth.node.driver.DriverProblem;
import dev.berth.server.ApiServer;
import dev.berth.server.ServerSettings;
import dev.berth.server.StoreChoice;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Local drivers of this machine with an embedded API server.
class RunningDriverTest {

    @TempDir private Path directory = Path.of("");
    private ApiServer server;
    private HttpCluster cluster;
    private final ObjectCache<ResourceSlice> slices = ObjectCache.ofRecords();
    private final List<DriverProblem> problems = new CopyOnWriteArrayList<>();

    @BeforeEach
    void start() throws Exception {
        server =
                ApiServer.start(
                        ServerSettings.in(directory.resolve("server"))
                                .withStore(new StoreChoice.Memory())
                                .withAddress("127.0.0.1", 0));
        var around = new ProgramEnvironment(Map.of(), directory, directory, Clock.systemUTC());
        var access = ClusterAccess.find(around, Optional.of(server.kubeconfig()), Optional.empty());
        cluster = new HttpCluster(access, ClientOptions.of("test", "0"));
        var node = JsonObject.of("metadata", JsonObject.of("name", Json.of("node-1")));
        cluster.send(Request.Create.of(ResourcePath.of(Kinds.NODE), "", node));
        cluster.watch(Kinds.RESOURCE_SLICE, "", slices);
    }

    @AfterEach
    void stop() {
        cluster.close();
        server.close();
    }

    private DriverOptions options(LocalDriver<?> driver) {
        return DriverOptions.of(driver.driver(), "node-1")
                .withDirectories(
                        directory.resolve("r"),
                        directory.resolve(driver.name()),
                        directory.resolve("cdi"))
                .withProblems(this::note);
    }

    /// Without a kubelet, drivers report that registration takes too long.
    private void note(DriverProblem problem) {
        if (!(problem instanceof DriverProblem.Waiting)) {
            problems.add(problem);
        }
    }

    @Test
    void theClusterAcceptsTheSlicesOfEveryDriver() throws Exception {
        for (var driver : LocalDrivers.all()) {
            var options = options(driver);
            var expected =
                    RunningDriver.list(driver, MachineRoots.here(), DriverConfig.NONE, options);
            try (var running = start(driver, MachineRoots.here())) {
                Eventually.holds(
                        driver.name(), () -> running.host().isPublished() || !problems.isEmpty());
                assertThat(problems).isEmpty();
                Eventually.holds(driver.name(), () -> names(driver).size() == expected.size());
            }
        }
    }

    @Test
    void addedAndRemovedDevicesArePublished() throws Exception {
        Needs.root();
        var dev = Files.createDirectories(directory.resolve("dev"));
        var chardev = LocalDrivers.find("chardev.berth.dev").orElseThrow();
        try (var _ = start(chardev, MachineRoots.here().withDev(dev))) {
            new HostCommands().run("mknod", dev.resolve("kvm").toString(), "c", "10", "232");
            Eventually.holds("kvm is published", () -> names(chardev).equals(List.of("kvm")));
            Files.delete(dev.resolve("kvm"));
            Eventually.holds("kvm is gone", () -> names(chardev).isEmpty());
        }
    }

    private RunningDriver start(LocalDriver<?> driver, MachineRoots machine) throws Exception {
        return RunningDriver.start(
                driver,
                machine,
                DriverConfig.NONE,
                options(driver),
                cluster,
                Duration.ofMillis(50));
    }

    private List<String> names(LocalDriver<?> driver) {
        var names = new ArrayList<String>();
        for (var slice : slices.all()) {
            if (slice.poolId().driver().equals(driver.driver())) {
                slice.spec().devices().stream().map(Device::name).forEach(names::add);
            }
        }
        return names;
    }

    @Test
    void existingClassesAreKept() {
        LocalClasses.create(cluster);
        LocalClasses.create(cluster);
        for (var driver : LocalDrivers.all()) {
            var read = new Request.Get(ResourcePath.of(Kinds.DEVICE_CLASS), "", driver.driver());
            assertThat(cluster.send(read)).isInstanceOf(RequestResult.Done.class);
        }
    }

    @Test
    void allErrorsOfAConfigurationAreReported() throws Exception {
        assertThatThrownBy(() -> DriverConfig.parse("f.yaml", "gpu: {}"))
                .hasMessageStartingWith("f.yaml: unknown driver \"gpu\"; known drivers: cpu, ");
        assertThatThrownBy(() -> DriverConfig.parse("f.yaml", "cpu: 7"))
                .hasMessage("f.yaml: cpu: expected an object, found number");
        assertThatThrownBy(() -> DriverConfig.parse("f.yaml", "cpu: ["))
                .hasMessageStartingWith("f.yaml:1:");
        var cpu = LocalDrivers.find("cpu").orElseThrow();
        var config = DriverConfig.parse("f.yaml", "cpu: {reserved: first, numa: 1}");
        assertThatThrownBy(() -> RunningDriver.list(cpu, MachineRoots.here(), config, options(cpu)))
                .hasMessageContaining("cpu: reserved: \"first\" is not a list of CPUs like 0-1,8")
                .hasMessageContaining("cpu: unknown field \"numa\"");
    }
}
