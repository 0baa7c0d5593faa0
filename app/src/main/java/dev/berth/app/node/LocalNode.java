package dev.berth.app.node;

import dev.berth.client.Cluster;
import dev.berth.drivers.local.DriverConfig;
import dev.berth.drivers.local.InvalidConfigException;
import dev.berth.drivers.local.LocalDriver;
import dev.berth.drivers.local.RunningDriver;
import dev.berth.drivers.sim.FaultFile;
import dev.berth.drivers.sim.HardwareProfile;
import dev.berth.drivers.sim.SimulatedDrivers;
import dev.berth.model.close.CloseStack;
import dev.berth.node.agent.NodeAgent;
import dev.berth.node.agent.NodeAgentOptions;
import dev.berth.node.driver.DriverException;
import dev.berth.node.driver.DriverOptions;
import dev.berth.node.runtime.RuntimeFailure;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// This machine as a node: container runtime, node agent, and drivers, which use the plugin sockets
/// of the agent like any other driver. Closing it stops all of them; containers keep running.
public final class LocalNode implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(LocalNode.class);
    private static final Duration TIMEOUT = Duration.ofSeconds(30);

    private final NodeAgent agent;
    private final CloseStack parts;

    /// Configuration of the node.
    ///
    /// @param cdi directory for the CDI specs of drivers
    /// @param drivers drivers that run in this process
    /// @param simulated profile whose devices are published without hardware
    public record Settings(
            NodeAgentOptions agent,
            RuntimeChoice runtime,
            Path cdi,
            List<LocalDriver<?>> drivers,
            DriverConfig config,
            Optional<HardwareProfile> simulated) {
        public Settings {
            drivers = List.copyOf(drivers);
        }
    }

    /// Starts runtime, agent and drivers.
    ///
    /// @param forAgent client of the agent; not closed here
    /// @param forDrivers client of the drivers; not closed here
    public static LocalNode start(Settings settings, Cluster forAgent, Cluster forDrivers)
            throws NodeSetupException, InterruptedException {
        var parts = new CloseStack();
        try {
            return new LocalNode(settings, parts, forAgent, forDrivers);
        } catch (RuntimeFailure | IOException | InvalidConfigException | DriverException e) {
            close(parts);
            throw new NodeSetupException(e);
        } catch (RuntimeException | InterruptedException e) {
            close(parts);
            throw e;
        }
    }

    private LocalNode(Settings settings, CloseStack parts, Cluster forAgent, Cluster forDrivers)
            throws RuntimeFailure,
                    IOException,
                    InvalidConfigException,
                    DriverException,
                    InterruptedException {
        this.parts = parts;
        var runtime = parts.push(settings.runtime().start(settings.agent().clock()));
        this.agent = parts.push(NodeAgent.start(settings.agent(), forAgent, runtime));
        // Slices published before the agent has removed stale slices would be removed with them.
        if (!agent.awaitReady(TIMEOUT)) {
            LOG.warn("the cluster does not answer yet; going on without it");
        }
        for (var driver : settings.drivers()) {
            parts.push(
                    RunningDriver.start(
                            driver,
                            settings.config(),
                            options(settings, driver.driver()),
                            forDrivers));
        }
        if (settings.simulated().isPresent()) {
            simulate(settings, settings.simulated().get(), forDrivers);
        }
    }

    private void simulate(Settings settings, HardwareProfile profile, Cluster cluster)
            throws DriverException {
        var drivers =
                SimulatedDrivers.start(
                        profile.node(settings.agent().name(), 0),
                        profile.sharedPools(),
                        driver -> options(settings, driver),
                        cluster);
        parts.push(drivers);
        var file = settings.agent().root().resolve(FaultFile.NAME);
        parts.push(FaultFile.watch(file, drivers::applyFaults));
    }

    private static DriverOptions options(Settings settings, String driver) {
        var node = settings.agent();
        return DriverOptions.of(driver, node.name())
                .withDirectories(node.registry(), node.plugins().resolve(driver), settings.cdi())
                .withMetrics(node.metrics())
                .withLoggedProblems();
    }

    public NodeAgent agent() {
        return agent;
    }

    @Override
    public void close() {
        close(parts);
    }

    private static void close(CloseStack parts) {
        parts.close(e -> LOG.warn("a part of the node did not stop: {}", e.getMessage()));
    }
}
