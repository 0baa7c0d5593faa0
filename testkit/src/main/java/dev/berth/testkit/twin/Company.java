package dev.berth.testkit.twin;

import dev.berth.model.api.DeviceCounterConsumption;
import java.util.Collections;
import java.util.List;

/// Who draws on a counter set already: the groups that all of them have in common.
///
/// Devices without groups only go with each other. Where the members contradict each other, because
/// slices changed under them, nobody else may join.
///
/// @param common empty when the members have no groups
record Company(boolean hasMembers, boolean hasGroups, List<String> common) {

    static final Company EMPTY = new Company(false, false, List.of());

    Company {
        common = List.copyOf(common);
    }

    Company withAll(String counterSet, List<DeviceCounterConsumption> consumptions) {
        var company = this;
        for (var consumption : consumptions) {
            if (consumption.counterSet().equals(counterSet)) {
                company = company.with(consumption.compatibilityGroups());
            }
        }
        return company;
    }

    private Company with(List<String> groups) {
        if (!hasMembers) {
            return new Company(true, !groups.isEmpty(), groups);
        }
        if (hasGroups == groups.isEmpty()) {
            return new Company(true, true, List.of());
        }
        return new Company(true, hasGroups, common.stream().filter(groups::contains).toList());
    }

    boolean admits(List<String> groups) {
        if (!hasMembers) {
            return true;
        }
        return hasGroups ? !Collections.disjoint(common, groups) : groups.isEmpty();
    }
}
