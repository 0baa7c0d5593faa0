package dev.berth.core.allocate.selector;

import dev.berth.core.allocate.state.BitSets;
import dev.berth.model.api.slice.DeviceId;
import java.util.Map;
import java.util.Optional;

/// The devices of a slice that match a [SelectorChain], and those on which a selector fails.
///
/// Shared by slices with equal columns, so it identifies devices by row, not by name.
public final class SliceMatch {

    /// An error of a selector.
    ///
    /// @param deviceClass the class of the selector; empty for selectors of the claim
    /// @param onDevice true for a runtime error on a device, false for a compile error
    public record Fault(
            Optional<String> deviceClass, int selector, String message, boolean onDevice) {

        public String on(DeviceId device, String claim) {
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

    public boolean matches(int row) {
        return BitSets.has(matching, row);
    }

    /// The first matching row at or after `from`, or -1.
    public int next(int from) {
        return BitSets.next(matching, from);
    }

    public boolean hasFaults() {
        return !faults.isEmpty();
    }

    public Optional<Fault> fault(int row) {
        return faults.isEmpty() ? Optional.empty() : Optional.ofNullable(faults.get(row));
    }
}
