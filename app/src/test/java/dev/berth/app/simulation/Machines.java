package dev.berth.app.simulation;

import dev.berth.client.Cluster;
import dev.berth.core.publish.DesiredPool;
import dev.berth.drivers.sim.FleetOptions;
import dev.berth.drivers.sim.FleetPlan;
import dev.berth.drivers.sim.HardwareProfile;
import dev.berth.drivers.sim.HardwareProfiles;
import dev.berth.drivers.sim.SimulatedFleet;
import dev.berth.drivers.sim.SimulatedNodeSpec;
import dev.berth.model.api.CounterSet;
import dev.berth.model.api.Device;
import dev.berth.model.api.DeviceId;
import dev.berth.model.api.DeviceTaint;
import dev.berth.model.api.PoolId;
import dev.berth.model.api.TaintEffect;
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

/// The hardware: what there is whether or not anybody's process is running, and what is wrong.
final class Machines {

    private static final List<HardwareProfile> PROFILES =
            Documents.resource("machines.yaml").stream()
                    .map(one -> new HardwareProfile(one.text("name"), one.without("name")))
                    .toList();
    private static final List<DesiredPool> SHARED =
            PROFILES.stream().flatMap(profile -> profile.sharedPools().stream()).toList();

    private final Chance chance;
    private final VirtualClock clock;
    private final FleetOptions options;
    private final List<FleetPlan.PlannedNode> planned = new ArrayList<>();
    private final List<SimulatedNodeSpec> shapes = new ArrayList<>();
    private final Map<DeviceId, Device> devices = new LinkedHashMap<>();
    private final Map<PoolId, List<CounterSet>> counters = new HashMap<>();
    private final Set<String> absent = new LinkedHashSet<>();
    private final Set<String> silent = new LinkedHashSet<>();
    private final Map<DeviceId, TaintEffect.Known> taints = new LinkedHashMap<>();
    private final Set<DeviceId> gone = new LinkedHashSet<>();
    private final Set<DeviceId> refusing = new LinkedHashSet<>();
    private Optional<SimulatedFleet> fleet = Optional.empty();

    Machines(Chance chance, VirtualClock clock, boolean beats) {
        this.chance = chance;
        this.clock = clock;
        this.options =
                FleetOptions.defaults()
                        .withHeartbeat(beats ? Duration.ofSeconds(10) : Duration.ofHours(10))
                        .withStartDelay(Duration.ofMillis(chance.pick(List.of(0, 500, 5000))))
                        .withAttachDelay(Duration.ofSeconds(chance.pick(List.of(1, 5, 20))));
        var count = chance.between(1, 3);
        for (var i = 0; i < count; i++) {
            var profile = chance.pick(PROFILES);
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
        silent.forEach(made::stopHeartbeats);
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

    /// Something happens to the hardware; returns what.
    String change() {
        var now = fleet.orElseThrow();
        var id = chance.pick(List.copyOf(devices.keySet()));
        return switch (chance.below(8)) {
            case 0, 1 -> {
                var effect =
                        chance.oneIn(2)
                                ? TaintEffect.Known.NO_EXECUTE
                                : TaintEffect.Known.NO_SCHEDULE;
                taints.put(id, effect);
                now.taint(id, taint(effect));
                yield "taint %s %s".formatted(id, effect);
            }
            case 2 -> {
                // What a device that vanished holds of its counters nobody knows, by rule.
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
                var name = chance.pick(shapes).name();
                silent.add(name);
                now.stopHeartbeats(name);
                yield "%s is silent".formatted(name);
            }
            case 5 -> {
                revive();
                yield "all nodes are heard again";
            }
            default -> {
                heal(id);
                yield "heal %s".formatted(id);
            }
        };
    }

    private void heal(DeviceId id) {
        taints.remove(id);
        gone.remove(id);
        refusing.remove(id);
        fleet.orElseThrow().clearFaults(id);
    }

    /// Takes a node away or brings one back, which takes a new start of the fleet to show.
    String resize() {
        var name = chance.pick(shapes).name();
        if (absent.remove(name)) {
            return name + " comes back";
        }
        absent.add(name);
        return name + " is taken away";
    }

    /// Ends what nobody could ever get around: silence, and devices that refuse for ever without
    /// saying so beforehand.
    void comeToTerms() {
        revive();
        List.copyOf(refusing).forEach(this::heal);
    }

    private void revive() {
        silent.forEach(fleet.orElseThrow()::resumeHeartbeats);
        silent.clear();
    }
}
