package dev.berth.core.explain;

import dev.berth.core.explain.Obstacle.Occurrence;
import dev.berth.model.api.meta.ObjectRef;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;

/// Counts devices by their first obstacle.
public final class ObstacleCounter {

    private final Map<Obstacle, List<Occurrence>> byObstacle = new LinkedHashMap<>();

    private ObstacleCounter() {}

    public static RequestReport of(
            RequestAlternative alternative, Collection<DeviceObstacles.DeviceFit> fits) {
        var ofClass = fits.stream().filter(DeviceObstacles.DeviceFit::ofClass).toList();
        var counted = ofClass.isEmpty() ? fits : ofClass;
        var counter = new ObstacleCounter();
        for (var fit : counted) {
            if (!fit.isFree()) {
                counter.add(fit.occurrences().getFirst());
            }
        }
        var matching = fits.stream().filter(DeviceObstacles.DeviceFit::matching).count();
        return new RequestReport(
                alternative.claim(),
                alternative.name(),
                alternative.serves(),
                alternative.demand().deviceClassName(),
                alternative.allocatesAll(),
                alternative.allocatesAll() ? Math.max(1, matching) : alternative.count(),
                fits.size(),
                ofClass.size(),
                counter.counts(),
                (int) fits.stream().filter(DeviceObstacles.DeviceFit::isFree).count());
    }

    private void add(Occurrence occurrence) {
        byObstacle.computeIfAbsent(occurrence.obstacle(), _ -> new ArrayList<>()).add(occurrence);
    }

    /// The largest first.
    private List<ObstacleCount> counts() {
        var counts = new ArrayList<ObstacleCount>();
        byObstacle.forEach((obstacle, occurrences) -> {
            var seen = new TreeMap<String, Integer>();
            var holders = new TreeSet<ObjectRef>();
            for (var occurrence : occurrences) {
                if (!occurrence.seen().isEmpty()) {
                    seen.merge(occurrence.seen(), 1, Integer::sum);
                }
                holders.addAll(occurrence.holders());
            }
            counts.add(new ObstacleCount(obstacle, occurrences.size(), seen, List.copyOf(holders)));
        });
        counts.sort((a, b) -> Integer.compare(b.devices(), a.devices()));
        return counts;
    }
}
