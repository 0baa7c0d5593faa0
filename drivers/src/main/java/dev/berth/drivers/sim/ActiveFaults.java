package dev.berth.drivers.sim;

import dev.berth.model.api.slice.DeviceId;

/// The active faults of a fleet: faults injected one by one, and a fault set that is replaced as a
/// whole.
final class ActiveFaults {

    // Written under the lock of this object.
    private volatile FaultSet injected = FaultSet.NONE;
    private volatile FaultSet configured = FaultSet.NONE;

    synchronized void add(Fault fault) {
        injected = injected.with(fault);
    }

    synchronized void clear(DeviceId device) {
        injected =
                injected.without(fault ->
                        fault instanceof Fault.OfDevice one && one.device().equals(device));
    }

    synchronized void resume(String node) {
        injected = injected.without(new Fault.SilentNode(node)::equals);
    }

    synchronized void configure(FaultSet faultSet) {
        configured = faultSet;
    }

    FaultSet all() {
        return injected.plus(configured);
    }
}
