package dev.berth.drivers.sim;

import dev.berth.client.Cluster;
import dev.berth.core.publish.DesiredPool;
import dev.berth.node.driver.DeviceHealth;
import dev.berth.node.driver.DriverException;
import dev.berth.node.driver.DriverHost;
import dev.berth.node.driver.DriverOptions;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Simulated devices on a real node: one DRA driver for each driver in a profile, registered with a
/// kubelet or the Berth agent like any other.
public final class SimulatedDrivers implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(SimulatedDrivers.class);

    /// A running driver and its pools.
    private record Member(DriverHost host, List<DesiredPool> pools) {}

    private final List<Member> members = new ArrayList<>();
    private volatile FaultSet faults = FaultSet.NONE;

    private SimulatedDrivers() {}

    /// Starts the drivers of a node; they publish their devices.
    ///
    /// @param node specification of the node: [HardwareProfile#node]
    /// @param shared network-attached pools of the profile: [HardwareProfile#sharedPools]
    /// @param options options by driver name; each driver needs its own directories
    /// @param cluster not closed by this class
    /// @throws DriverException when a driver cannot be started; all started ones are closed then
    public static SimulatedDrivers start(
            SimulatedNodeSpec node,
            List<DesiredPool> shared,
            Function<String, DriverOptions> options,
            Cluster cluster)
            throws DriverException {
        var drivers = new SimulatedDrivers();
        try {
            for (var entry : byDriver(node.pools(), shared).entrySet()) {
                drivers.add(options.apply(entry.getKey()).withHealth(), entry.getValue(), cluster);
            }
        } catch (DriverException e) {
            drivers.close();
            throw e;
        }
        return drivers;
    }

    private static Map<String, List<DesiredPool>> byDriver(
            List<DesiredPool> own, List<DesiredPool> shared) {
        var byDriver = new LinkedHashMap<String, List<DesiredPool>>();
        for (var pools : List.of(own, shared)) {
            for (var pool : pools) {
                byDriver.computeIfAbsent(pool.id().driver(), _ -> new ArrayList<>()).add(pool);
            }
        }
        return byDriver;
    }

    private void add(DriverOptions options, List<DesiredPool> pools, Cluster cluster)
            throws DriverException {
        var driver = new SimDriver(pools, options.data(), () -> faults);
        var member = new Member(DriverHost.start(options, cluster, driver), List.copyOf(pools));
        members.add(member);
        publish(member);
    }

    private void publish(Member member) {
        var faultSet = faults;
        var current = member.pools().stream().map(faultSet::applyTo).toList();
        member.host().publishPools(current);
        var health = new ArrayList<DeviceHealth>();
        for (var pool : current) {
            for (var device : pool.devices()) {
                health.add(
                        faultSet.unhealthyMessage(FaultSet.id(pool, device))
                                .map(message ->
                                        DeviceHealth.unhealthy(
                                                pool.id().pool(), device.name(), message))
                                .orElseGet(() ->
                                        DeviceHealth.healthy(pool.id().pool(), device.name())));
            }
        }
        member.host().reportHealth(health);
    }

    /// Replaces the injected faults by a new set.
    public synchronized void applyFaults(FaultSet faultSet) {
        var pools = members.stream().flatMap(member -> member.pools().stream()).toList();
        for (var device : faultSet.unknown(pools)) {
            LOG.warn("faults: device {} does not exist; berth inventory lists devices", device);
        }
        faults = faultSet;
        members.forEach(this::publish);
    }

    /// Whether all slices are up to date in the cluster.
    public boolean isPublished() {
        return members.stream().allMatch(member -> member.host().isPublished());
    }

    /// Whether all drivers are registered with the kubelet.
    public boolean isRegistered() {
        return members.stream().allMatch(member -> member.host().isRegistered());
    }

    /// Unregisters the drivers. Prepared claims stay prepared.
    @Override
    public void close() {
        members.forEach(member -> member.host().close());
    }
}
