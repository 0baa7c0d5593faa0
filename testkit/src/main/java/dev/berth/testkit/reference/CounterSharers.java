package dev.berth.testkit.reference;

import dev.berth.model.api.DeviceCounterConsumption;
import java.util.Collections;
import java.util.List;

/// Who draws on a counter set already: the groups that all of them have in common.
///
/// Devices without groups only go with each other. Where the members contradict each other, because
/// slices changed under them, nobody else may join.
///
/// @param common empty when the members have no groups
record CounterSharers(boolean hasMembers, boolean hasGroups, List<String> common) {

    static final CounterSharers EMPTY = new CounterSharers(false, false, List.of());

    CounterSharers {
        common = List.copyOf(common);
    }

    CounterSharers withAll(String counterSet, List<DeviceCounterConsumption> consumptions) {
        var company = this;
        for (var consumption : consumptions) {
            if (consumption.counterSet().equals(counterSet)) {
                company = company.with(consumption.compatibilityGroups());
            }
        }
        return company;
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
