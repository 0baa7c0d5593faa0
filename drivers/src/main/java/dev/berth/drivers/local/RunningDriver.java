package dev.berth.drivers.local;

import dev.berth.client.Cluster;
import dev.berth.drivers.machine.DeviceException;
import dev.berth.drivers.machine.MachineDriver;
import dev.berth.drivers.machine.MachineRoots;
import dev.berth.model.api.Device;
import dev.berth.node.driver.DriverException;
import dev.berth.node.driver.DriverHost;
import dev.berth.node.driver.DriverOptions;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// A driver at work, which looks again and again which devices there are, until it is closed.
public final class RunningDriver implements AutoCloseable {

    /// Hardware comes and goes rarely, and looking costs little.
    private static final Duration USUAL_PERIOD = Duration.ofSeconds(10);

    private static final Logger LOG = LoggerFactory.getLogger(RunningDriver.class);

    private final LocalDriver<?> about;
    private final MachineDriver<?> driver;
    private final DriverHost host;
    private final Duration period;
    private final Thread looking;

    private RunningDriver(
            LocalDriver<?> about, MachineDriver<?> driver, DriverHost host, Duration period) {
        this.about = about;
        this.driver = driver;
        this.host = host;
        this.period = period;
        this.looking = Thread.ofVirtual().name(about.name() + "-devices").unstarted(this::look);
    }

    /// Starts a driver for this machine.
    ///
    /// @param options where it runs, with the whole name of the driver
    /// @param cluster stays the caller's, and is to be closed later
    /// @throws BadConfig when its configuration is wrong
    /// @throws DriverException when its sockets cannot be opened
    public static RunningDriver start(
            LocalDriver<?> about, DriverConfig config, DriverOptions options, Cluster cluster)
            throws InvalidConfigException, DriverException {
        return start(about, MachineRoots.here(), config, options, cluster, USUAL_PERIOD);
    }

    /// Starts a driver.
    ///
    /// @param options where it runs, with the whole name of the driver
    /// @param cluster stays the caller's, and is to be closed later
    /// @throws BadConfig when its configuration is wrong
    /// @throws DriverException when its sockets cannot be opened
    static RunningDriver start(
            LocalDriver<?> about,
            MachineRoots machine,
            DriverConfig config,
            DriverOptions options,
            Cluster cluster,
            Duration period)
            throws InvalidConfigException, DriverException {
        var driver = made(about, machine, config, options);
        var host = DriverHost.start(options, cluster, driver);
        var running = new RunningDriver(about, driver, host, period);
        running.looking.start();
        return running;
    }

    /// What would be published, without a cluster.
    public static List<Device> list(
            LocalDriver<?> about, MachineRoots machine, DriverConfig config, DriverOptions options)
            throws InvalidConfigException, DeviceException {
        return made(about, machine, config, options).discover();
    }

    private static MachineDriver<?> made(
            LocalDriver<?> about, MachineRoots machine, DriverConfig config, DriverOptions options)
            throws InvalidConfigException {
        return switch (about.make(machine, config.of(about), options.data())) {
            case LocalDriver.Made.Ready(var driver) -> driver;
            case LocalDriver.Made.Misconfigured(var problems) ->
                    throw new InvalidConfigException(
                            "the configuration of drivers is wrong: "
                                    + String.join("; ", problems));
        };
    }

    private void look() {
        var last = Optional.<List<Device>>empty();
        var complaint = "";
        while (!Thread.currentThread().isInterrupted()) {
            try {
                var found = driver.discover();
                if (!Optional.of(found).equals(last)) {
                    host.publish(found);
                    last = Optional.of(found);
                    LOG.info("{}: {} devices", about.driver(), found.size());
                }
                complaint = "";
            } catch (DeviceException | RuntimeException e) {
                // What was published stays: a look that fails says nothing about the devices.
                var isStopping = Thread.currentThread().isInterrupted();
                if (!isStopping && !complaint.equals(e.toString())) {
                    complaint = e.toString();
                    LOG.warn("{}: {}", about.driver(), e.getMessage());
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
        looking.interrupt();
        host.close();
    }
}
