package dev.berth.drivers.sim;

import dev.berth.core.publish.DesiredPool;
import dev.berth.model.api.Device;
import dev.berth.model.api.DeviceId;
import dev.berth.model.api.DeviceTaint;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.stream.Stream;

/// All that goes wrong at one time.
public record FaultSet(List<Fault> faults) {

    public static final FaultSet NONE = new FaultSet(List.of());

    public FaultSet {
        faults = List.copyOf(faults);
    }

    /// With one more fault, which replaces one of its sort.
    FaultSet with(Fault fault) {
        var more = without(old -> isSame(old, fault));
        return more.and(new FaultSet(List.of(fault)));
    }

    private static boolean isSame(Fault one, Fault other) {
        return one.getClass() == other.getClass()
                && (one.equals(other)
                        || (one instanceof Fault.OfDevice a
                                && other instanceof Fault.OfDevice b
                                && a.device().equals(b.device())));
    }

    FaultSet without(Predicate<Fault> unwanted) {
        return new FaultSet(faults.stream().filter(unwanted.negate()).toList());
    }

    FaultSet and(FaultSet more) {
        if (faults.isEmpty() || more.faults.isEmpty()) {
            return faults.isEmpty() ? more : this;
        }
        var all = new ArrayList<>(faults);
        all.addAll(more.faults);
        return new FaultSet(all);
    }

    boolean isSilent(String node) {
        return faults.contains(new Fault.SilentNode(node));
    }

    boolean isUnattachable(DeviceId device) {
        return faults.contains(new Fault.Unattachable(device));
    }

    boolean isGone(DeviceId device) {
        return faults.contains(new Fault.Gone(device));
    }

    /// What is wrong with a device, if it is unhealthy.
    Optional<String> ailment(DeviceId device) {
        return of(device, Fault.Unhealthy.class).map(Fault.Unhealthy::message).findFirst();
    }

    /// How much longer it takes to prepare a device.
    Duration slowness(DeviceId device) {
        return of(device, Fault.SlowPrepare.class)
                .map(Fault.SlowPrepare::delay)
                .reduce(Duration.ZERO, Duration::plus);
    }

    /// Why a device cannot be prepared, if so.
    Optional<String> refusal(DeviceId device) {
        return of(device, Fault.FailingPrepare.class)
                .map(Fault.FailingPrepare::message)
                .findFirst();
    }

    private <F extends Fault.OfDevice> Stream<F> of(DeviceId device, Class<F> sort) {
        return faults.stream()
                .filter(sort::isInstance)
                .map(sort::cast)
                .filter(fault -> fault.device().equals(device));
    }

    /// Devices with a fault that none of the pools has.
    List<DeviceId> unknown(Collection<DesiredPool> pools) {
        var known = new HashSet<DeviceId>();
        for (var pool : pools) {
            pool.devices().forEach(device -> known.add(id(pool, device)));
        }
        return faults.stream()
                .filter(Fault.OfDevice.class::isInstance)
                .map(fault -> ((Fault.OfDevice) fault).device())
                .filter(device -> !known.contains(device))
                .distinct()
                .toList();
    }

    /// A pool as its driver sees it.
    DesiredPool seen(DesiredPool pool) {
        if (faults.isEmpty()) {
            return pool;
        }
        return pool.withDevices(
                pool.devices().stream()
                        .filter(device -> !isGone(id(pool, device)))
                        .map(device -> tainted(id(pool, device), device))
                        .toList());
    }

    private Device tainted(DeviceId id, Device device) {
        var more = new ArrayList<DeviceTaint>();
        of(id, Fault.Unhealthy.class).forEach(fault -> more.addAll(fault.taints()));
        return more.isEmpty() ? device : device.withTaints(more);
    }

    static DeviceId id(DesiredPool pool, Device device) {
        return new DeviceId(pool.id().driver(), pool.id().pool(), device.name());
    }
}
