package dev.berth.core.testkit.reference;

import dev.berth.model.api.slice.DeviceCounterConsumption;
import java.util.Collections;
import java.util.List;

/// The compatibility groups that all consumers of a counter set have in common.
///
/// Devices without groups are compatible only with each other. If existing consumers contradict
/// each other, because slices were changed, no device may be added.
///
/// @param common common groups; empty when the consumers have no groups
record CounterSharers(boolean hasMembers, boolean hasGroups, List<String> common) {

    static final CounterSharers EMPTY = new CounterSharers(false, false, List.of());

    CounterSharers {
        common = List.copyOf(common);
    }

    CounterSharers withAll(String counterSet, List<DeviceCounterConsumption> consumptions) {
        var sharers = this;
        for (var consumption : consumptions) {
            if (consumption.counterSet().equals(counterSet)) {
                sharers = sharers.with(consumption.compatibilityGroups());
            }
        }
        return sharers;
    }

    private CounterSharers with(List<String> groups) {
        if (!hasMembers) {
            return new CounterSharers(true, !groups.isEmpty(), groups);
        }
        if (hasGroups == groups.isEmpty()) {
            return new CounterSharers(true, true, List.of());
        }
        return new CounterSharers(
                true, hasGroups, common.stream().filter(groups::contains).toList());
    }

    boolean admits(List<String> groups) {
        if (!hasMembers) {
            return true;
        }
        return hasGroups ? !Collections.disjoint(common, groups) : groups.isEmpty();
    }
}
