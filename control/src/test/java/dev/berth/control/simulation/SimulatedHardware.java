package dev.berth.control.simulation;

import dev.berth.client.Cluster;
import dev.berth.core.publish.DesiredPool;
import dev.berth.drivers.sim.FleetOptions;
import dev.berth.drivers.sim.FleetPlan;
import dev.berth.drivers.sim.HardwareProfile;
import dev.berth.drivers.sim.HardwareProfiles;
import dev.berth.drivers.sim.SimulatedFleet;
import dev.berth.drivers.sim.SimulatedNodeSpec;
import dev.berth.model.api.slice.CounterSet;
import dev.berth.model.api.slice.Device;
import dev.berth.model.api.slice.DeviceId;
import dev.berth.model.api.slice.PoolId;
import dev.berth.model.api.taint.DeviceTaint;
import dev.berth.model.api.taint.TaintEffect;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/// The hardware of the simulated nodes and its faults, independent of running processes.
final class SimulatedHardware {

    private static final List<HardwareProfile> PROFILES =
            YamlDocuments.resource("machines.yaml").stream()
                    .map(one -> new HardwareProfile(one.text("name"), one.without("name")))
                    .toList();
    private static final List<DesiredPool> SHARED =
            PROFILES.stream().flatMap(profile -> profile.sharedPools().stream()).toList();

    private final SimulationRandom random;
    private final VirtualClock clock;
    private final FleetOptions options;
    private final List<FleetPlan.PlannedNode> planned = new ArrayList<>();
    private final List<SimulatedNodeSpec> shapes = new ArrayList<>();
    private final Map<DeviceId, Device> devices = new LinkedHashMap<>();
    private final Map<PoolId, List<CounterSet>> counters = new HashMap<>();
    private final Set<String> absent = new LinkedHashSet<>();
    private final Set<String> withoutHeartbeat = new LinkedHashSet<>();
    private final Map<DeviceId, TaintEffect.Known> taints = new LinkedHashMap<>();
    private final Set<DeviceId> gone = new LinkedHashSet<>();
    private final Set<DeviceId> refusing = new LinkedHashSet<>();
    private Optional<SimulatedFleet> fleet = Optional.empty();

    SimulatedHardware(SimulationRandom random, VirtualClock clock, boolean heartbeats) {
        this.random = random;
        this.clock = clock;
        this.options =
                FleetOptions.defaults()
                        .withHeartbeat(heartbeats ? Duration.ofSeconds(10) : Duration.ofHours(10))
                        .withStartDelay(Duration.ofMillis(random.pick(List.of(0, 500, 5000))))
                        .withAttachDelay(Duration.ofSeconds(random.pick(List.of(1, 5, 20))));
        var count = random.between(1, 3);
        for (var i = 0; i < count; i++) {
            var profile = random.pick(PROFILES);
            var name = profile.name() + "-" + i;
            planned.add(new FleetPlan.PlannedNode(name, profile, i, false));
            shapes.add(profile.node(name, i));
        }
        shapes.stream().flatMap(shape -> shape.pools().stream()).forEach(this::learn);
        SHARED.forEach(this::learn);
    }

    private void learn(DesiredPool pool) {
        var id = pool.id();
        counters.put(id, pool.counters());
        for (var device : pool.devices()) {
            devices.put(new DeviceId(id.driver(), id.pool(), device.name()), device);
        }
    }

    Map<DeviceId, Device> devices() {
        return devices;
    }

    List<CounterSet> counters(PoolId pool) {
        return counters.get(pool);
    }

    Component.Running start(Cluster cluster) {
        var present = planned.stream().filter(one -> !absent.contains(one.name())).toList();
        var made =
                new SimulatedFleet(
                        cluster, new FleetPlan(present), HardwareProfiles.of(PROFILES), options);
        fleet = Optional.of(made);
        made.start();
        taints.forEach((id, effect) -> made.taint(id, taint(effect)));
        gone.forEach(made::remove);
        refusing.forEach(made::failAttachment);
        withoutHeartbeat.forEach(made::stopHeartbeats);
        return new Component.Running() {
            @Override
            public boolean step(Instant now) {
                return made.step(now);
            }

            @Override
            public Optional<Instant> nextDue() {
                return made.nextDue();
            }

            @Override
            public void close() {
                made.close();
            }
        };
    }

    private DeviceTaint taint(TaintEffect.Known effect) {
        return new DeviceTaint("example.com/bad", "", effect, Optional.of(clock.instant()));
    }

    /// Injects a hardware fault; returns its description.
    String change() {
        var now = fleet.orElseThrow();
        var id = random.pick(List.copyOf(devices.keySet()));
        return switch (random.nextInt(8)) {
            case 0, 1 -> {
                var effect =
                        random.oneIn(2)
                                ? TaintEffect.Known.NO_EXECUTE
                                : TaintEffect.Known.NO_SCHEDULE;
                taints.put(id, effect);
                now.taint(id, taint(effect));
                yield "taint %s %s".formatted(id, effect);
            }
            case 2 -> {
                // The counters that a vanished device consumes are unknown, as specified.
                if (devices.get(id).consumesCounters().isEmpty()) {
                    gone.add(id);
                    now.remove(id);
                }
                yield "%s vanishes".formatted(id);
            }
            case 3 -> {
                refusing.add(id);
                now.failAttachment(id);
                yield "%s cannot be attached".formatted(id);
            }
            case 4 -> {
                var name = random.pick(shapes).name();
                withoutHeartbeat.add(name);
                now.stopHeartbeats(name);
                yield "%s sends no heartbeats".formatted(name);
            }
            case 5 -> {
                revive();
                yield "all nodes send heartbeats again";
            }
            default -> {
                heal(id);
                yield "heal %s".formatted(id);
            }
        };
    }

    /// Makes all devices with binding conditions fail to attach.
    void refuseAttachment() {
        devices.forEach((id, device) -> {
            if (!device.bindingConditions().isEmpty()) {
                refusing.add(id);
                fleet.orElseThrow().failAttachment(id);
            }
        });
    }

    private void heal(DeviceId id) {
        taints.remove(id);
        gone.remove(id);
        refusing.remove(id);
        fleet.orElseThrow().clearFaults(id);
    }

    /// Removes a node or adds one again; takes effect when the fleet restarts.
    String resize() {
        var name = random.pick(shapes).name();
        if (absent.remove(name)) {
            return name + " is added again";
        }
        absent.add(name);
        return name + " is removed";
    }

    /// Ends faults that no controller can work around: missing heartbeats, and devices that fail to
    /// attach without a taint.
    void endPermanentFaults() {
        revive();
        List.copyOf(refusing).forEach(this::heal);
    }

    private void revive() {
        withoutHeartbeat.forEach(fleet.orElseThrow()::resumeHeartbeats);
        withoutHeartbeat.clear();
    }
}
