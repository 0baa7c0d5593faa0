package dev.berth.core.explain;

import dev.berth.core.explain.Obstacle.Encounter;
import dev.berth.model.api.ObjectRef;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;

/// Counts devices by the first obstacle that each meets.
final class ObstacleCounter {

    private final Map<Obstacle, List<Encounter>> byObstacle = new LinkedHashMap<>();

    private ObstacleCounter() {}

    static RequestReport of(RequestAlternative want, Collection<DeviceObstacles.Verdict> verdicts) {
        var ofClass = verdicts.stream().filter(DeviceObstacles.Verdict::ofClass).toList();
        var counted = ofClass.isEmpty() ? verdicts : ofClass;
        var tally = new ObstacleCounter();
        for (var verdict : counted) {
            if (!verdict.isFree()) {
                tally.add(verdict.encounters().getFirst());
            }
        }
        var matching = verdicts.stream().filter(DeviceObstacles.Verdict::matching).count();
        return new RequestReport(
                want.claim(),
                want.name(),
                want.serves(),
                want.demand().deviceClassName(),
                want.wantsAll(),
                want.wantsAll() ? Math.max(1, matching) : want.count(),
                verdicts.size(),
                ofClass.size(),
                tally.tolls(),
                (int) verdicts.stream().filter(DeviceObstacles.Verdict::isFree).count());
    }

    private void add(Encounter encounter) {
        byObstacle.computeIfAbsent(encounter.obstacle(), _ -> new ArrayList<>()).add(encounter);
    }

    /// The largest first.
    private List<ObstacleCount> tolls() {
        var tolls = new ArrayList<ObstacleCount>();
        byObstacle.forEach((obstacle, encounters) -> {
            var seen = new TreeMap<String, Integer>();
            var holders = new TreeSet<ObjectRef>();
            for (var encounter : encounters) {
                if (!encounter.seen().isEmpty()) {
                    seen.merge(encounter.seen(), 1, Integer::sum);
                }
                holders.addAll(encounter.holders());
            }
            tolls.add(new ObstacleCount(obstacle, encounters.size(), seen, List.copyOf(holders)));
        });
        tolls.sort((a, b) -> Integer.compare(b.devices(), a.devices()));
        return tolls;
    }
}
