package dev.berth.app.bench.scheduling;

import static dev.berth.app.bench.scheduling.YamlObjects.json;

import dev.berth.client.Cluster;
import dev.berth.client.Request;
import dev.berth.client.ResourcePath;
import dev.berth.model.json.Json;
import dev.berth.model.json.JsonObject;
import dev.berth.model.time.Rfc3339;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

/// Heartbeats of nodes without a kubelet: renews their Leases, and reports a node Ready again after
/// the node lifecycle controller has set its Ready condition to Unknown.
///
/// The Lease alone does not bring such a node back: the controller only removes readiness, and its
/// taint keeps pods off the node until a Ready status is written. Without this, one late renewal
/// would leave pods pending for ever.
final class Heartbeats implements AutoCloseable {

    static final ResourcePath LEASES = ResourcePath.LEASES;
    static final String NAMESPACE = "kube-node-lease";

    /// Half of the grace period (40 s) of node lifecycle controllers, rounded down.
    private static final Duration PERIOD = Duration.ofSeconds(15);

    /// Period with many nodes, to limit the load.
    private static final Duration LONGEST_PERIOD = Duration.ofSeconds(30);

    private static final Duration LEAST_PAUSE = Duration.ofMillis(5);

    /// Concurrent renewals. Sequential renewals would take longer than the period on a slow server.
    private static final int MAX_RUNNING = 32;

    private final Cluster cluster;
    private final List<String> nodes;
    private final Duration period;
    private final Set<String> unready = ConcurrentHashMap.newKeySet();
    private final Semaphore slots = new Semaphore(MAX_RUNNING);
    private final Cluster.Subscription subscription;
    private final Thread thread = Thread.ofVirtual().name("heartbeats").unstarted(this::run);

    private Heartbeats(Cluster cluster, List<String> nodes, Duration period) {
        this.cluster = cluster;
        this.nodes = nodes;
        this.period = period;
        this.subscription = cluster.watch(ClusterSetup.NODES, "", new Readiness(Set.copyOf(nodes)));
    }

    /// Creates a Lease per node and sends heartbeats until closed.
    static Heartbeats start(Cluster cluster, List<String> nodes) throws InterruptedException {
        return start(cluster, nodes, period(nodes.size()));
    }

    static Heartbeats start(Cluster cluster, List<String> nodes, Duration period)
            throws InterruptedException {
        var sending = new BulkRequests(cluster);
        BulkRequests.each(nodes, node -> sending.create(LEASES, NAMESPACE, lease(node)));
        var beats = new Heartbeats(cluster, nodes, period);
        beats.thread.start();
        return beats;
    }

    /// Period between heartbeats of one node.
    static Duration period(int nodes) {
        var unhurried = LEAST_PAUSE.multipliedBy(nodes);
        if (unhurried.compareTo(PERIOD) < 0) {
            return PERIOD;
        }
        return unhurried.compareTo(LONGEST_PERIOD) < 0 ? unhurried : LONGEST_PERIOD;
    }

    /// Collects the nodes that are not ready.
    private final class Readiness implements Cluster.EventHandler<JsonObject> {
        private final Set<String> ours;

        private Readiness(Set<String> ours) {
            this.ours = ours;
        }

        @Override
        public void replaceAll(Iterable<JsonObject> objects) {
            unready.clear();
            objects.forEach(this::put);
        }

        @Override
        public void put(JsonObject node) {
            if (isReady(node)) {
                unready.remove(ClusterSetup.name(node));
            } else if (ours.contains(ClusterSetup.name(node))) {
                unready.add(ClusterSetup.name(node));
            }
        }

        @Override
        public void remove(JsonObject node) {
            unready.remove(ClusterSetup.name(node));
        }
    }

    private static boolean isReady(JsonObject node) {
        return node.objectOrEmpty("status").objects("conditions").stream()
                .anyMatch(one ->
                        one.text("type").equals("Ready") && one.text("status").equals("True"));
    }

    private static JsonObject lease(String node) {
        return json(
                """
                {"apiVersion":"coordination.k8s.io/v1","kind":"Lease","metadata":{"name":"%s",
                "namespace":"%s","labels":{"berth-bench":"yes"}},"spec":{"holderIdentity":"%s",
                "leaseDurationSeconds":40,"renewTime":"%s"}}
                """,
                node, NAMESPACE, node, now());
    }

    private static String now() {
        return Rfc3339.write(Instant.now()).replace("Z", ".000000Z");
    }

    /// Distributes the nodes over the period. A late node does not delay the next ones.
    private void run() {
        try {
            while (true) {
                var start = System.nanoTime();
                for (var i = 0; i < nodes.size(); i++) {
                    sleepUntil(start + period.toNanos() * i / nodes.size());
                    beatInThread(nodes.get(i));
                }
                sleepUntil(start + period.toNanos());
            }
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
    }

    private static void sleepUntil(long nanoTime) throws InterruptedException {
        TimeUnit.NANOSECONDS.sleep(Math.max(0, nanoTime - System.nanoTime()));
    }

    private void beatInThread(String node) throws InterruptedException {
        slots.acquire();
        Thread.startVirtualThread(() -> {
            try {
                beat(node);
            } finally {
                slots.release();
            }
        });
    }

    /// Renews one Lease. A failure is retried in the next round, before the grace period ends. The
    /// Lease comes first: a node that reports Ready without it is set to Unknown again.
    private void beat(String node) {
        var spec = JsonObject.of("spec", JsonObject.of("renewTime", Json.of(now())));
        cluster.send(new Request.Patch(LEASES, NAMESPACE, node, "", Request.PatchType.MERGE, spec));
        if (unready.contains(node)) {
            var status = JsonObject.of("status", ClusterSetup.nodeStatus());
            cluster.send(
                    new Request.Patch(
                            ClusterSetup.NODES,
                            "",
                            node,
                            "status",
                            Request.PatchType.STRATEGIC,
                            status));
        }
    }

    @Override
    public void close() {
        thread.interrupt();
        subscription.close();
    }
}
