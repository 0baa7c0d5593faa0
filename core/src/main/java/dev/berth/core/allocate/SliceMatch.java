package dev.berth.core.allocate;

import dev.berth.model.api.DeviceId;
import java.util.Map;
import java.util.Optional;

/// Which devices of a slice pass a selection, and on which it fails.
///
/// Slices with equal columns share one of these, so it does not name devices.
final class SliceMatch {

    /// A selector that cannot answer.
    ///
    /// @param deviceClass whose selector it is; empty for the claim's
    /// @param onDevice true when it is about the device, false when the expression is broken
    record Fault(Optional<String> deviceClass, int selector, String message, boolean onDevice) {

        String on(DeviceId device, String claim) {
            var owner = deviceClass.map(name -> "class " + name).orElse("claim " + claim);
            return onDevice
                    ? "%s: selector #%d on device %s: CEL runtime error: %s"
                            .formatted(owner, selector, device, message)
                    : "%s: selector #%d: CEL compile error: %s".formatted(owner, selector, message);
        }
    }

    private final long[] matching;
    private final Map<Integer, Fault> faults;

    SliceMatch(long[] matching, Map<Integer, Fault> faults) {
        this.matching = matching;
        this.faults = Map.copyOf(faults);
    }

    boolean matches(int row) {
        return BitSets.has(matching, row);
    }

    /// The first row at or after another that passes, or -1.
    int next(int from) {
        return BitSets.next(matching, from);
    }

    boolean hasFaults() {
        return !faults.isEmpty();
    }

    Optional<Fault> fault(int row) {
        return faults.isEmpty() ? Optional.empty() : Optional.ofNullable(faults.get(row));
    }
}
