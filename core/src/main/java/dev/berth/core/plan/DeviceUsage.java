package dev.berth.core.plan;

import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/// How many devices are held, of how many.
///
/// @param byClass devices that the class's selectors match
/// @param byNode devices that only this node reaches
public record DeviceUsage(SortedMap<String, Share> byClass, SortedMap<String, Share> byNode) {

    /// Held devices, or devices that have a holder of a share, of all.
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
