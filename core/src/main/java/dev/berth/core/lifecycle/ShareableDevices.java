package dev.berth.core.lifecycle;

import dev.berth.model.api.claim.AllocatedDevice;
import dev.berth.model.api.slice.Device;
import dev.berth.model.api.slice.PoolStatus;
import dev.berth.model.api.slice.ResourceSlice;
import dev.berth.model.quantity.Quantity;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.TreeMap;

/// The devices of a pool that several claims may share, and their remaining capacity.
record ShareableDevices(Optional<PoolStatus.ShareableSummary> summary, Optional<String> error) {

    private static final int MAX_CAPACITIES = 32;

    static ShareableDevices of(List<ResourceSlice> slices, List<AllocatedDevice> uses) {
        var shareable = new ArrayList<Device>();
        for (var slice : slices) {
            for (var device : slice.spec().devices()) {
                if (device.allowMultipleAllocations().orElse(false)) {
                    shareable.add(device);
                }
            }
        }
        if (shareable.isEmpty()) {
            return new ShareableDevices(Optional.empty(), Optional.empty());
        }
        var used = new HashSet<String>();
        var consumed = new TreeMap<String, Quantity>();
        for (var use : uses) {
            used.add(use.id().device());
            use.consumedCapacity()
                    .forEach((name, value) -> consumed.merge(name, value, Quantity::plus));
        }
        var total = new TreeMap<String, Quantity>();
        for (var device : shareable) {
            device.capacity()
                    .forEach((name, value) -> total.merge(name, value.value(), Quantity::plus));
        }
        if (total.size() > MAX_CAPACITIES) {
            return new ShareableDevices(
                    Optional.empty(),
                    Optional.of(
                            "ShareableSummaryOverCap: %d capacities, at most %d are reported"
                                    .formatted(total.size(), MAX_CAPACITIES)));
        }
        var partially = shareable.stream().filter(one -> used.contains(one.name())).count();
        return new ShareableDevices(
                Optional.of(
                        new PoolStatus.ShareableSummary(
                                OptionalLong.of(shareable.size() - partially),
                                OptionalLong.of(partially),
                                capacities(total, consumed))),
                Optional.empty());
    }

    private static List<PoolStatus.ShareableCapacity> capacities(
            Map<String, Quantity> total, Map<String, Quantity> consumed) {
        var capacities = new ArrayList<PoolStatus.ShareableCapacity>();
        total.forEach((name, all) -> {
            var taken = consumed.getOrDefault(name, Quantity.ZERO);
            var left = all.minus(taken);
            capacities.add(
                    new PoolStatus.ShareableCapacity(
                            name,
                            Optional.of(all),
                            Optional.of(taken),
                            Optional.of(left.signum() < 0 ? Quantity.ZERO : left)));
        });
        return capacities;
    }
}
