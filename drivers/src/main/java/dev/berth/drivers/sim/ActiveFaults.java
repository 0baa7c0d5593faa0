package dev.berth.drivers.sim;

import dev.berth.model.api.DeviceId;

/// What has gone wrong in the fleet: by calls, each of which adds to it, and by a sheet that is
/// replaced as a whole.
final class ActiveFaults {

    // Written under the lock of this object.
    private volatile FaultSet called = FaultSet.NONE;
    private volatile FaultSet imposed = FaultSet.NONE;

    synchronized void add(Fault fault) {
        called = called.with(fault);
    }

    synchronized void heal(DeviceId device) {
        called =
                called.without(fault ->
                        fault instanceof Fault.OfDevice one && one.device().equals(device));
    }

    synchronized void wake(String node) {
        called = called.without(new Fault.SilentNode(node)::equals);
    }

    synchronized void impose(FaultSet sheet) {
        imposed = sheet;
    }

    FaultSet all() {
        return called.and(imposed);
    }
}
