package dev.berth.drivers.sim;

import dev.berth.core.publish.DesiredPool;
import dev.berth.model.api.slice.Device;
import dev.berth.model.api.slice.DeviceId;
import dev.berth.model.api.taint.DeviceTaint;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.stream.Stream;

/// An immutable set of faults.
public record FaultSet(List<Fault> faults) {

    public static final FaultSet NONE = new FaultSet(List.of());

    public FaultSet {
        faults = List.copyOf(faults);
    }

    /// With a fault added; it replaces a fault of the same type on the same device.
    FaultSet with(Fault fault) {
        var more = without(old -> isSame(old, fault));
        return more.plus(new FaultSet(List.of(fault)));
    }

    private static boolean isSame(Fault one, Fault other) {
        return one.getClass() == other.getClass()
                && (one.equals(other)
                        || (one instanceof Fault.OfDevice a
                                && other instanceof Fault.OfDevice b
                                && a.device().equals(b.device())));
    }

    FaultSet without(Predicate<Fault> removed) {
        return new FaultSet(faults.stream().filter(removed.negate()).toList());
    }

    FaultSet plus(FaultSet more) {
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

    /// The message of an unhealthy device.
    Optional<String> unhealthyMessage(DeviceId device) {
        return of(device, Fault.Unhealthy.class).map(Fault.Unhealthy::message).findFirst();
    }

    /// The delay of preparing a device.
    Duration prepareDelay(DeviceId device) {
        return of(device, Fault.SlowPrepare.class)
                .map(Fault.SlowPrepare::delay)
                .reduce(Duration.ZERO, Duration::plus);
    }

    /// The error of preparing a device, if it fails.
    Optional<String> prepareError(DeviceId device) {
        return of(device, Fault.FailingPrepare.class)
                .map(Fault.FailingPrepare::message)
                .findFirst();
    }

    private <F extends Fault.OfDevice> Stream<F> of(DeviceId device, Class<F> type) {
        return faults.stream()
                .filter(type::isInstance)
                .map(type::cast)
                .filter(fault -> fault.device().equals(device));
    }

    /// Devices with a fault that are in none of the pools.
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

    /// A pool with the faults applied, as its driver publishes it.
    DesiredPool applyTo(DesiredPool pool) {
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
