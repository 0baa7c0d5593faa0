package dev.berth.core.plan;

import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/// Used and total devices by class and by node.
///
/// @param byClass devices that match the selectors of the class
/// @param byNode devices that only this node can access
public record DeviceUsage(SortedMap<String, Share> byClass, SortedMap<String, Share> byNode) {

    /// Allocated devices, including devices with an allocated share, and all devices.
    public record Share(long used, long total) {

        static final Share NONE = new Share(0, 0);

        Share plus(boolean isUsed) {
            return new Share(used + (isUsed ? 1 : 0), total + 1);
        }

        public long free() {
            return total - used;
        }
    }

    public DeviceUsage {
        byClass = copy(byClass);
        byNode = copy(byNode);
    }

    private static SortedMap<String, Share> copy(Map<String, Share> shares) {
        return new TreeMap<>(shares);
    }
}
