package dev.berth.core.publish;

import dev.berth.model.api.slice.AttributeValue;
import dev.berth.model.api.slice.CounterSet;
import dev.berth.model.api.slice.Device;
import java.util.ArrayList;
import java.util.List;

/// The contents of one slice: counters or devices, never both.
///
/// Counters come first, since devices refer to them. An empty pool still has one slice, which
/// publishes that it is empty.
record SliceContents(List<CounterSet> counters, List<Device> devices) {

    private static final int MAX_COUNTER_SETS = 8;
    private static final int MAX_DEVICES = 128;
    private static final int MAX_ADVANCED_DEVICES = 64;

    SliceContents {
        counters = List.copyOf(counters);
        devices = List.copyOf(devices);
    }

    static List<SliceContents> of(DesiredPool pool) {
        var all = new ArrayList<SliceContents>();
        var sets = pool.counters();
        for (var from = 0; from < sets.size(); from += MAX_COUNTER_SETS) {
            var to = Math.min(sets.size(), from + MAX_COUNTER_SETS);
            all.add(new SliceContents(sets.subList(from, to), List.of()));
        }
        addDevices(pool.devices(), all);
        if (all.isEmpty()) {
            all.add(new SliceContents(List.of(), List.of()));
        }
        return all;
    }

    private static void addDevices(List<Device> devices, List<SliceContents> all) {
        var slice = new ArrayList<Device>();
        var hasAdvanced = false;
        for (var device : devices) {
            hasAdvanced |= isAdvanced(device);
            if (slice.size() >= (hasAdvanced ? MAX_ADVANCED_DEVICES : MAX_DEVICES)) {
                all.add(new SliceContents(List.of(), slice));
                slice.clear();
                hasAdvanced = isAdvanced(device);
            }
            slice.add(device);
        }
        if (!slice.isEmpty()) {
            all.add(new SliceContents(List.of(), slice));
        }
    }

    /// The API allows fewer devices with these features, since they are larger or cost more to
    /// allocate.
    private static boolean isAdvanced(Device device) {
        return !device.taints().isEmpty()
                || !device.consumesCounters().isEmpty()
                || device.attributes().values().stream().anyMatch(SliceContents::isList);
    }

    private static boolean isList(AttributeValue value) {
        return switch (value) {
            case AttributeValue.IntList _,
                    AttributeValue.BoolList _,
                    AttributeValue.StringList _,
                    AttributeValue.VersionList _,
                    AttributeValue.Unrecognised _ ->
                    true;
            case AttributeValue.IntValue _,
                    AttributeValue.BoolValue _,
                    AttributeValue.StringValue _,
                    AttributeValue.VersionValue _ ->
                    false;
        };
    }
}
