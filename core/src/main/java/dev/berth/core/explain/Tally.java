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
final class Tally {

    private final Map<Obstacle, List<Encounter>> byObstacle = new LinkedHashMap<>();

    private Tally() {}

    static RequestReport of(Want want, Collection<DeviceJudge.Verdict> verdicts) {
        var ofClass = verdicts.stream().filter(DeviceJudge.Verdict::ofClass).toList();
        var counted = ofClass.isEmpty() ? verdicts : ofClass;
        var tally = new Tally();
        for (var verdict : counted) {
            if (!verdict.isFree()) {
                tally.add(verdict.encounters().getFirst());
            }
        }
        var matching = verdicts.stream().filter(DeviceJudge.Verdict::matching).count();
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
                (int) verdicts.stream().filter(DeviceJudge.Verdict::isFree).count());
    }

    private void add(Encounter encounter) {
        byObstacle.computeIfAbsent(encounter.obstacle(), _ -> new ArrayList<>()).add(encounter);
    }

    /// The largest first.
    private List<Toll> tolls() {
        var tolls = new ArrayList<Toll>();
        byObstacle.forEach((obstacle, encounters) -> {
            var seen = new TreeMap<String, Integer>();
            var holders = new TreeSet<ObjectRef>();
            for (var encounter : encounters) {
                if (!encounter.seen().isEmpty()) {
                    seen.merge(encounter.seen(), 1, Integer::sum);
                }
                holders.addAll(encounter.holders());
            }
            tolls.add(new Toll(obstacle, encounters.size(), seen, List.copyOf(holders)));
        });
        tolls.sort((a, b) -> Integer.compare(b.devices(), a.devices()));
        return tolls;
    }
}
