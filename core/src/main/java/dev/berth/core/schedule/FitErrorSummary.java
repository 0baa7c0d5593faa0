package dev.berth.core.schedule;

import dev.berth.core.place.ClusterEvent;
import dev.berth.core.place.Rejection;
import dev.berth.core.place.filter.DynamicResourcesFilter;
import dev.berth.model.api.meta.ObjectRef;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Pattern;

/// Counts rejections over all nodes for the message of the pod's `PodScheduled` condition.
final class FitErrorSummary {

    private static final Pattern ON_DEVICE = Pattern.compile(" on device [^\\s:]+");

    private final Map<String, Integer> counts = new TreeMap<>();
    private final Set<ClusterEvent> requeueOn = EnumSet.noneOf(ClusterEvent.class);

    // Run-length counting: most nodes have the same rejection as the previous one.
    private Optional<Rejection> last = Optional.empty();
    private int times;
    private final Set<ObjectRef> unavailableClaims = new HashSet<>();

    void add(Rejection rejection) {
        if (last.isPresent() && last.get().equals(rejection)) {
            times++;
            return;
        }
        count();
        last = Optional.of(rejection);
        times = 1;
        requeueOn.addAll(rejection.requeueOn());
        if (rejection instanceof DynamicResourcesFilter.UnavailableClaim unavailable) {
            unavailableClaims.add(unavailable.claim());
        }
    }

    private void count() {
        last.ifPresent(
                rejection -> counts.merge(withoutDevice(rejection.text()), times, Integer::sum));
        last = Optional.empty();
    }

    /// The text without the name of a device, so that the same error on many nodes is one entry.
    private static String withoutDevice(String text) {
        return text.contains(" on device ") ? ON_DEVICE.matcher(text).replaceAll("") : text;
    }

    /// The allocated claims that are not available on some node.
    Set<ObjectRef> unavailableClaims() {
        return unavailableClaims;
    }

    /// The events after which another attempt is worthwhile. Without nodes, a new node is.
    Set<ClusterEvent> requeueOn() {
        return requeueOn.isEmpty() ? ClusterEvent.NODE_EVENTS : requeueOn;
    }

    /// `0/3 nodes are available: 2 cannot allocate all claims, 1 Insufficient cpu.`
    String message(int nodes) {
        if (nodes == 0) {
            return "no nodes available to schedule pods";
        }
        count();
        var parts = new ArrayList<String>();
        counts.forEach((text, count) -> parts.add(count + " " + text));
        Collections.sort(parts);
        return "0/%d nodes are available: %s.".formatted(nodes, String.join(", ", parts));
    }

    /// The message for a reason that does not depend on nodes.
    static String message(int nodes, String rejection) {
        return "0/%d nodes are available: %s.".formatted(nodes, rejection);
    }
}
