package dev.berth.app.bench.scheduling;

import static dev.berth.app.bench.scheduling.Text.json;

import dev.berth.client.Address;
import dev.berth.client.Cluster;
import dev.berth.client.Request;
import dev.berth.model.json.Json;
import dev.berth.model.json.JsonObject;
import dev.berth.model.time.Rfc3339;
import java.time.Duration;
import java.time.Instant;
import java.util.List;

/// Speaks for nodes that nobody else speaks for: renews their Leases, one after the other, so that
/// a cluster does not take them for dead while it is measured.
final class Heartbeats implements AutoCloseable {

    static final Address LEASES = Address.LEASES;
    static final String NAMESPACE = "kube-node-lease";

    /// How often each is renewed; clusters wait 40 s for a node.
    private static final Duration PERIOD = Duration.ofSeconds(15);

    /// The least time between two renewals, so that many nodes are no load of their own: they are
    /// renewed less often instead.
    private static final Duration LEAST_PAUSE = Duration.ofMillis(5);

    private final Cluster cluster;
    private final List<String> nodes;
    private final Thread thread = Thread.ofVirtual().name("heartbeats").unstarted(this::run);

    private Heartbeats(Cluster cluster, List<String> nodes) {
        this.cluster = cluster;
        this.nodes = nodes;
    }

    /// Makes a Lease for each node, and renews them until it is closed.
    static Heartbeats start(Cluster cluster, List<String> nodes) throws InterruptedException {
        var sending = new Sending(cluster);
        Sending.each(nodes, node -> sending.create(LEASES, NAMESPACE, lease(node)));
        var beats = new Heartbeats(cluster, nodes);
        beats.thread.start();
        return beats;
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

    private void run() {
        var fair = PERIOD.dividedBy(Math.max(1, nodes.size()));
        var pause = fair.compareTo(LEAST_PAUSE) < 0 ? LEAST_PAUSE : fair;
        try {
            while (true) {
                for (var node : nodes) {
                    Thread.sleep(pause);
                    renew(node);
                }
            }
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
    }

    /// One that fails is tried again in the next round, long before anybody misses it.
    private void renew(String node) {
        var spec = JsonObject.of("renewTime", Json.of(now()));
        var patch = JsonObject.of("spec", spec);
        cluster.send(new Request.Patch(LEASES, NAMESPACE, node, "", Request.Style.MERGE, patch));
    }

    @Override
    public void close() {
        thread.interrupt();
    }
}
