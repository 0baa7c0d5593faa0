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

/// Devices that are not there, offered by a node that is: one driver for each that a profile names,
/// registered with a kubelet or our agent like any other.
public final class SimulatedDrivers implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(SimulatedDrivers.class);

    /// A driver at work, and what it has.
    private record Member(DriverHost host, List<DesiredPool> pools) {}

    private final List<Member> members = new ArrayList<>();
    private volatile FaultSet faults = FaultSet.NONE;

    private SimulatedDrivers() {}

    /// Starts the drivers of a node and has them publish their devices.
    ///
    /// @param node what the profile says of a node of this name: [HardwareProfile#node]
    /// @param shared pools of the profile that belong to no node: [HardwareProfile#sharedPools]
    /// @param options for a driver of a name; each needs directories of its own
    /// @param cluster stays the caller's
    /// @throws DriverException when one cannot be started; none is left then
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
        tell(member);
    }

    private void tell(Member member) {
        var sheet = faults;
        var seen = member.pools().stream().map(sheet::seen).toList();
        member.host().publishPools(seen);
        var health = new ArrayList<DeviceHealth>();
        for (var pool : seen) {
            for (var device : pool.devices()) {
                health.add(
                        sheet.ailment(FaultSet.id(pool, device))
                                .map(message ->
                                        DeviceHealth.unhealthy(
                                                pool.id().pool(), device.name(), message))
                                .orElseGet(() ->
                                        DeviceHealth.healthy(pool.id().pool(), device.name())));
            }
        }
        member.host().reportHealth(health);
    }

    /// Makes go wrong what a sheet says, instead of what the last one said.
    public synchronized void impose(FaultSet sheet) {
        var pools = members.stream().flatMap(member -> member.pools().stream()).toList();
        for (var device : sheet.unknown(pools)) {
            LOG.warn("faults: device {} does not exist; berth inventory lists devices", device);
        }
        faults = sheet;
        members.forEach(this::tell);
    }

    /// True when the cluster has all that was published last.
    public boolean isPublished() {
        return members.stream().allMatch(member -> member.host().isPublished());
    }

    /// True when a kubelet has accepted all drivers.
    public boolean isRegistered() {
        return members.stream().allMatch(member -> member.host().isRegistered());
    }

    /// Lets kubelets forget the drivers. What is prepared stays.
    @Override
    public void close() {
        members.forEach(member -> member.host().close());
    }
}
