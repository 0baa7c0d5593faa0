package dev.berth.control.schedule;

import dev.berth.core.place.ClusterEvent;
import dev.berth.model.api.claim.DeviceClass;
import dev.berth.model.api.slice.Device;
import dev.berth.model.api.slice.ResourceSlice;
import dev.berth.model.api.taint.DeviceTaintRule;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/// Rules of slices, device classes and device taint rules.
final class DeviceKindRules {

    private DeviceKindRules() {}

    /// Slices are added in bulk after a list, so that each pool is built once.
    static final class Slices implements KindRules<String, ResourceSlice> {

        private final ClusterView view;
        private final Consumer<ClusterEvent> events;
        private final boolean nodeAllocatableEnabled;

        /// Slices of the current change.
        private final List<ResourceSlice> added = new ArrayList<>();

        /// @param nodeAllocatableEnabled whether devices may consume node-allocatable resources
        Slices(ClusterView view, Consumer<ClusterEvent> events, boolean nodeAllocatableEnabled) {
            this.view = view;
            this.events = events;
            this.nodeAllocatableEnabled = nodeAllocatableEnabled;
        }

        @Override
        public String key(ResourceSlice slice) {
            return slice.metadata().name();
        }

        @Override
        public void put(ResourceSlice now, Optional<ResourceSlice> before, boolean isListed) {
            added.add(filtered(now));
        }

        /// The slice without node-allocatable resources if the feature is disabled.
        private ResourceSlice filtered(ResourceSlice slice) {
            if (nodeAllocatableEnabled
                    || slice.spec().devices().stream()
                            .allMatch(device -> device.nodeAllocatableResources().isEmpty())) {
                return slice;
            }
            var devices =
                    slice.spec().devices().stream()
                            .map(Device::withoutNodeAllocatableResources)
                            .toList();
            return new ResourceSlice(slice.metadata(), slice.spec().withDevices(devices));
        }

        @Override
        public void remove(ResourceSlice last) {
            view.removeSlice(last.metadata().name());
        }

        @Override
        public void applied(boolean isList) {
            if (!added.isEmpty()) {
                view.putSlices(added);
                added.clear();
                events.accept(ClusterEvent.DEVICES_OFFERED);
            }
        }
    }

    record Classes(ClusterView view, Consumer<ClusterEvent> events)
            implements KindRules<String, DeviceClass> {

        @Override
        public String key(DeviceClass deviceClass) {
            return deviceClass.metadata().name();
        }

        @Override
        public boolean isEquivalent(DeviceClass before, DeviceClass now) {
            return before.spec().equals(now.spec());
        }

        @Override
        public void put(DeviceClass now, Optional<DeviceClass> before, boolean isListed) {
            view.change(snapshot -> snapshot.with(now));
            events.accept(ClusterEvent.DEVICES_OFFERED);
        }

        @Override
        public void remove(DeviceClass last) {
            view.change(snapshot -> snapshot.withoutClass(last.metadata().name()));
        }
    }

    record TaintRules(ClusterView view, Consumer<ClusterEvent> events)
            implements KindRules<String, DeviceTaintRule> {

        @Override
        public String key(DeviceTaintRule rule) {
            return rule.metadata().name();
        }

        @Override
        public void put(DeviceTaintRule now, Optional<DeviceTaintRule> before, boolean isListed) {
            view.put(now);
            events.accept(ClusterEvent.DEVICES_OFFERED);
        }

        @Override
        public void remove(DeviceTaintRule last) {
            view.removeTaintRule(last.metadata().name());
            events.accept(ClusterEvent.DEVICES_OFFERED);
        }
    }
}
