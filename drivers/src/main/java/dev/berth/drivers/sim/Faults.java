package dev.berth.drivers.sim;

import dev.berth.model.api.DeviceId;

/// What has gone wrong in the fleet: by calls, each of which adds to it, and by a sheet that is
/// replaced as a whole.
final class Faults {

    // Written under the lock of this object.
    private volatile FaultSheet called = FaultSheet.NONE;
    private volatile FaultSheet imposed = FaultSheet.NONE;

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

    synchronized void impose(FaultSheet sheet) {
        imposed = sheet;
    }

    FaultSheet all() {
        return called.and(imposed);
    }
}
