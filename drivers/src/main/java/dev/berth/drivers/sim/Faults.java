package dev.berth.drivers.sim;

import dev.berth.model.api.DeviceId;
import java.util.concurrent.atomic.AtomicReference;

/// What has gone wrong in the fleet: by calls, each of which adds to it, and by a sheet that is
/// replaced as a whole.
final class Faults {

    private final AtomicReference<FaultSheet> called = new AtomicReference<>(FaultSheet.NONE);
    private final AtomicReference<FaultSheet> imposed = new AtomicReference<>(FaultSheet.NONE);

    void add(Fault fault) {
        called.updateAndGet(sheet -> sheet.with(fault));
    }

    void heal(DeviceId device) {
        called.updateAndGet(sheet ->
                sheet.without(fault ->
                        fault instanceof Fault.OfDevice one && one.device().equals(device)));
    }

    void wake(String node) {
        called.updateAndGet(sheet -> sheet.without(new Fault.SilentNode(node)::equals));
    }

    void impose(FaultSheet sheet) {
        imposed.set(sheet);
    }

    FaultSheet all() {
        return called.get().and(imposed.get());
    }
}
