package dev.berth.core.place.pack;

import dev.berth.core.place.pack.ClusterSupply.CapacityName;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/// Sums over the demands of all pods. All numbers are integers, so that they do not depend on the
/// order in which pods were added.
final class DemandSums {

    private static final long THOUSAND = 1000;

    /// CPU and memory of the pods that request devices of a class.
    static final class Resources {
        long cpu;
        long memory;

        private void add(PodDemand demand, int sign) {
            cpu += sign * demand.cpu();
            memory += sign * demand.memory();
        }
    }

    private final Map<RequestedShare, Long> milliCounts = new HashMap<>();
    private final TreeMap<String, Resources> byClass = new TreeMap<>();
    private final Resources all = new Resources();
    private long pods;

    void add(PodDemand demand) {
        count(demand, 1);
    }

    void remove(PodDemand demand) {
        count(demand, -1);
    }

    private void count(PodDemand demand, int sign) {
        pods += sign;
        all.add(demand, sign);
        var classes = new HashSet<String>();
        for (var devices : demand.devices()) {
            milliCounts.merge(
                    devices.share(),
                    sign * devices.milliCount(),
                    (a, b) -> a + b == 0 ? null : a + b);
            if (classes.add(devices.share().kind().className())) {
                byClass.computeIfAbsent(devices.share().kind().className(), _ -> new Resources())
                        .add(demand, sign);
            }
        }
    }

    long pods() {
        return pods;
    }

    Resources all() {
        return all;
    }

    Resources ofClass(String className) {
        return byClass.getOrDefault(className, new Resources());
    }

    /// Requested devices by kind, in millionths of a device.
    Map<RequestKind, Long> devices(RequestKindIndex kinds, ClusterSupply supply) {
        var sums = new HashMap<RequestKind, Long>();
        milliCounts.forEach((share, milliCount) -> {
            var size = supply.meanSize(kinds.number(share.kind())) * fraction(share, supply);
            sums.merge(
                    share.kind(),
                    Math.round(size * ClusterSupply.UNIT) * milliCount / THOUSAND,
                    Long::sum);
        });
        return sums;
    }

    /// The capacity of which a share takes the largest fraction; the fraction is 1 for whole
    /// devices.
    record MainCapacity(CapacityName name, long amount, long total) {

        double fraction() {
            return (double) amount / total;
        }
    }

    /// The main capacities of a share; empty for whole devices.
    static List<MainCapacity> mainCapacity(RequestedShare share, ClusterSupply supply) {
        var best = new ArrayList<MainCapacity>(1);
        share.amounts()
                .forEach((name, amount) -> {
                    var capacity = new CapacityName(share.kind().className(), name);
                    var total = supply.largestCapacity(capacity);
                    if (amount > 0
                            && amount < total
                            && (best.isEmpty()
                                    || (double) amount / total > best.getFirst().fraction())) {
                        best.clear();
                        best.add(new MainCapacity(capacity, amount, total));
                    }
                    if (amount >= total && total > 0) {
                        best.clear();
                    }
                });
        return best;
    }

    private static double fraction(RequestedShare share, ClusterSupply supply) {
        var main = mainCapacity(share, supply);
        return main.isEmpty() ? 1 : main.getFirst().fraction();
    }

    /// The number of requested shares by size, for each capacity that is shared.
    Map<CapacityName, SortedMap<Long, Long>> shareSizes(ClusterSupply supply) {
        var sizes = new HashMap<CapacityName, SortedMap<Long, Long>>();
        milliCounts.forEach((share, milliCount) ->
                mainCapacity(share, supply)
                        .forEach(main ->
                                sizes.computeIfAbsent(main.name, _ -> new TreeMap<>())
                                        .merge(main.amount, milliCount, Long::sum)));
        return sizes;
    }
}
