package dev.berth.core.explain;

import dev.berth.core.explain.SmallCluster.TestNode;
import dev.berth.core.explain.SmallCluster.TestPod;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Predicate;

/// Brute-force node filters for [SmallCluster]. Shares no code with the scheduler.
record ReferenceNodeFilters(SmallCluster cluster) {

    /// A line for each filter that rejects the node, with its numbers.
    List<String> rejections(TestNode testNode) {
        var pending = cluster.pending();
        var facts = new ArrayList<String>();
        if (testNode.unschedulable() && !pending.tolerant()) {
            facts.add("unschedulable");
        }
        if (testNode.tainted() && !pending.tolerant()) {
            facts.add("tainted kept");
        }
        if (!isSelected(testNode)) {
            facts.add("wants zone=" + pending.inZone());
        }
        if (pending.port() > 0
                && testPods(testNode, testPod -> testPod.port() == pending.port()) > 0) {
            facts.add("port " + pending.port());
        }
        addResources(testNode, facts);
        addSpread(testNode, facts);
        addPodAffinity(testNode, facts);
        return facts.stream().sorted().toList();
    }

    /// Whether the node has enough GPUs, from a device plugin or as DRA devices.
    boolean hasGpus(TestNode testNode) {
        return testNode.plugin() > 0 || free(testNode) >= cluster.pending().gpus();
    }

    static int free(TestNode testNode) {
        return testNode.devices() - testNode.held();
    }

    private boolean isSelected(TestNode testNode) {
        var zone = cluster.pending().inZone();
        return zone.isEmpty() || zone.equals(testNode.zone());
    }

    private long testPods(TestNode testNode, Predicate<TestPod> counts) {
        return cluster.testPods().stream()
                .filter(testPod -> testPod.node().equals(testNode.name()))
                .filter(counts)
                .count();
    }

    private void addResources(TestNode testNode, List<String> facts) {
        var used =
                cluster.testPods().stream()
                        .filter(testPod -> testPod.node().equals(testNode.name()))
                        .mapToInt(TestPod::cpu)
                        .sum();
        var requested = cluster.pending().cpu();
        if (requested > 0 && requested > testNode.cpu() - used) {
            facts.add(
                    "cpu %d, %d of %d".formatted(requested, testNode.cpu() - used, testNode.cpu()));
        }
        var gpus = cluster.pending().gpus();
        if (testNode.plugin() > 0 && gpus > testNode.plugin()) {
            facts.add(
                    "example.com/gpu %d, %d of %d"
                            .formatted(gpus, testNode.plugin(), testNode.plugin()));
        }
    }

    private void addSpread(TestNode testNode, List<String> facts) {
        var pending = cluster.pending();
        if (pending.maxSkew() == 0) {
            return;
        }
        if (testNode.zone().isEmpty()) {
            facts.add("no zone to spread over");
            return;
        }
        var zones = new TreeMap<String, Long>();
        for (var other : cluster.testNodes()) {
            if (!other.zone().isEmpty() && isSelected(other)) {
                var alike = testPods(other, testPod -> testPod.app().equals(pending.app()));
                zones.merge(other.zone(), alike, Long::sum);
            }
        }
        var fewest = zones.values().stream().mapToLong(Long::longValue).min().orElse(0);
        var then = zones.getOrDefault(testNode.zone(), 0L) + 1;
        if (then - fewest > pending.maxSkew()) {
            facts.add(
                    "zone=%s %d, %d and %d"
                            .formatted(testNode.zone(), then, fewest, pending.maxSkew()));
        }
    }

    private void addPodAffinity(TestNode testNode, List<String> facts) {
        var pending = cluster.pending();
        pending.near()
                .ifPresent(near -> {
                    var here = testNode.label(near.key());
                    var anywhere =
                            countInDomain(
                                    near.key(), Optional.empty(), g -> g.app().equals(near.app()));
                    var nearby = countInDomain(near.key(), here, g -> g.app().equals(near.app()));
                    var isFirst = anywhere == 0 && pending.app().equals(near.app());
                    if (here.isEmpty()) {
                        facts.add("near %s: no %s".formatted(near.app(), near.key()));
                    } else if (nearby == 0 && !isFirst) {
                        facts.add(
                                "near %s: none in %s=%s"
                                        .formatted(near.app(), near.key(), here.get()));
                    }
                });
        pending.apart()
                .ifPresent(apart -> {
                    var here = testNode.label(apart.key());
                    var pods = countInDomain(apart.key(), here, g -> g.app().equals(apart.app()));
                    if (here.isPresent() && pods > 0) {
                        facts.add(
                                "apart %s: %d in %s=%s"
                                        .formatted(apart.app(), pods, apart.key(), here.get()));
                    }
                });
        for (var key : List.of("host", "zone")) {
            var here = testNode.label(key);
            var pods = countInDomain(key, here, testPod -> hasAntiAffinity(testPod, key));
            if (here.isPresent() && pods > 0) {
                facts.add("%d keep away in %s=%s".formatted(pods, key, here.get()));
                return;
            }
        }
    }

    private boolean hasAntiAffinity(TestPod testPod, String key) {
        return testPod.apart()
                .filter(apart -> apart.app().equals(cluster.pending().app()))
                .filter(apart -> apart.key().equals(key))
                .isPresent();
    }

    /// The number of matching pods on nodes with a label, of the given value if present.
    private long countInDomain(String key, Optional<String> value, Predicate<TestPod> counts) {
        return cluster.testNodes().stream()
                .filter(testNode -> testNode.label(key).isPresent())
                .filter(testNode -> value.isEmpty() || testNode.label(key).equals(value))
                .mapToLong(testNode -> testPods(testNode, counts))
                .sum();
    }
}
