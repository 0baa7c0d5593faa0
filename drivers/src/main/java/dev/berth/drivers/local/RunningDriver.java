package dev.berth.drivers.local;

import dev.berth.client.Cluster;
import dev.berth.drivers.machine.DeviceException;
import dev.berth.drivers.machine.MachineDriver;
import dev.berth.drivers.machine.MachineRoots;
import dev.berth.model.api.slice.Device;
import dev.berth.node.driver.DriverException;
import dev.berth.node.driver.DriverHost;
import dev.berth.node.driver.DriverOptions;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// A running driver. Rediscovers its devices periodically until it is closed.
public final class RunningDriver implements AutoCloseable {

    /// Discovery interval: hardware changes rarely, and discovery is cheap.
    private static final Duration DISCOVERY_PERIOD = Duration.ofSeconds(10);

    private static final Logger LOG = LoggerFactory.getLogger(RunningDriver.class);

    private final LocalDriver<?> local;
    private final MachineDriver<?> driver;
    private final DriverHost host;
    private final Duration period;
    private final Thread discovery;

    private RunningDriver(
            LocalDriver<?> local, MachineDriver<?> driver, DriverHost host, Duration period) {
        this.local = local;
        this.driver = driver;
        this.host = host;
        this.period = period;
        this.discovery =
                Thread.ofVirtual().name(local.name() + "-devices").unstarted(this::discover);
    }

    /// Starts a driver on this machine.
    ///
    /// @param options directories, node and full name of the driver
    /// @param cluster owned by the caller; must stay open longer than the driver
    /// @throws InvalidConfigException when its configuration is invalid
    /// @throws DriverException when its sockets cannot be opened
    public static RunningDriver start(
            LocalDriver<?> local, DriverConfig config, DriverOptions options, Cluster cluster)
            throws InvalidConfigException, DriverException {
        return start(local, MachineRoots.here(), config, options, cluster, DISCOVERY_PERIOD);
    }

    /// Starts a driver.
    ///
    /// @param options directories, node and full name of the driver
    /// @param cluster owned by the caller; must stay open longer than the driver
    /// @throws InvalidConfigException when its configuration is invalid
    /// @throws DriverException when its sockets cannot be opened
    static RunningDriver start(
            LocalDriver<?> local,
            MachineRoots machine,
            DriverConfig config,
            DriverOptions options,
            Cluster cluster,
            Duration period)
            throws InvalidConfigException, DriverException {
        var driver = create(local, machine, config, options);
        var host = DriverHost.start(options, cluster, driver);
        var running = new RunningDriver(local, driver, host, period);
        running.discovery.start();
        return running;
    }

    /// The devices that the driver would publish.
    public static List<Device> list(
            LocalDriver<?> local, MachineRoots machine, DriverConfig config, DriverOptions options)
            throws InvalidConfigException, DeviceException {
        return create(local, machine, config, options).discover();
    }

    private static MachineDriver<?> create(
            LocalDriver<?> local, MachineRoots machine, DriverConfig config, DriverOptions options)
            throws InvalidConfigException {
        return switch (local.create(machine, config.of(local), options.data())) {
            case LocalDriver.Creation.Ready(var driver) -> driver;
            case LocalDriver.Creation.Misconfigured(var problems) ->
                    throw new InvalidConfigException(
                            "invalid driver configuration: " + String.join("; ", problems));
        };
    }

    private void discover() {
        var last = Optional.<List<Device>>empty();
        var lastError = "";
        while (!Thread.currentThread().isInterrupted()) {
            try {
                var found = driver.discover();
                if (!Optional.of(found).equals(last)) {
                    host.publish(found);
                    last = Optional.of(found);
                    LOG.info("{}: {} devices", local.driver(), found.size());
                }
                lastError = "";
            } catch (DeviceException | RuntimeException e) {
                // Published devices stay: a failed discovery proves nothing about them.
                var isStopping = Thread.currentThread().isInterrupted();
                if (!isStopping && !lastError.equals(e.toString())) {
                    lastError = e.toString();
                    LOG.warn("{}: {}", local.driver(), e.getMessage());
                }
            }
            if (!pause()) {
                return;
            }
        }
    }

    private boolean pause() {
        try {
            Thread.sleep(period);
            return true;
        } catch (InterruptedException _) {
            return false;
        }
    }

    public DriverHost host() {
        return host;
    }

    @Override
    public void close() {
        discovery.interrupt();
        host.close();
    }
}
