package dev.berth.node.agent;

import dev.berth.client.Cluster;
import dev.berth.client.Request;
import dev.berth.client.RequestResult;
import dev.berth.client.ResourcePath;
import dev.berth.model.codec.Kinds;
import dev.berth.model.json.Json;
import dev.berth.model.json.JsonObject;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Keeps the Node object of this machine, and tells that the machine is alive.
final class NodeRegistration implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(NodeRegistration.class);
    private static final ResourcePath NODES = ResourcePath.of(Kinds.NODE);

    private static final Duration HEARTBEAT = Duration.ofSeconds(10);
    private static final Duration LEASE = Duration.ofSeconds(40);
    private static final Duration RETRY = Duration.ofSeconds(1);

    /// A status that has not changed is written again after so long.
    private static final Duration STATUS = Duration.ofMinutes(5);

    private final Cluster cluster;
    private final NodeObject object;
    private final Supplier<String> problem;
    private final Clock clock;
    private final CountDownLatch registered = new CountDownLatch(1);
    private final Thread thread;

    // Only the thread touches these.
    private Instant writtenAt = Instant.EPOCH;
    private String lastComplaint = "";

    /// Begins.
    ///
    /// @param problem why no pods can be run now; empty when they can
    NodeRegistration(Cluster cluster, NodeObject object, Supplier<String> problem, Clock clock) {
        this.cluster = cluster;
        this.object = object;
        this.problem = problem;
        this.clock = clock;
        this.thread = Thread.ofVirtual().name("node").start(this::run);
    }

    /// Waits until the cluster has the Node; false when that takes longer.
    boolean awaitRegistered(Duration patience) throws InterruptedException {
        return registered.await(patience.toMillis(), TimeUnit.MILLISECONDS);
    }

    private void run() {
        try {
            while (!Thread.currentThread().isInterrupted()) {
                var failure = beat();
                if (!failure.isEmpty() && !failure.equals(lastComplaint)) {
                    LOG.warn("node {}: {}", object.name(), failure);
                }
                lastComplaint = failure;
                Thread.sleep(failure.isEmpty() ? HEARTBEAT : RETRY);
            }
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
    }

    /// What went wrong; empty for nothing.
    private String beat() {
        var now = clock.instant();
        var found = cluster.send(new Request.Get(NODES, "", object.name()));
        var node =
                found instanceof RequestResult.Missing
                        ? cluster.send(Request.Create.of(NODES, "", object.node(now)))
                        : found;
        if (!(node instanceof RequestResult.Done(var tree))) {
            return "cannot be registered: " + node.message();
        }
        // Who says that it is ready must be heard of first, or the opposite is said again at once.
        var lease = renew(tree.objectOrEmpty("metadata").text("uid"), now);
        var labelled = label(tree);
        var stated = labelled.isDone() ? state(tree, now) : labelled;
        if (lease.isDone() && stated.isDone()) {
            registered.countDown();
            return "";
        }
        return "cannot be kept up to date: " + (lease.isDone() ? stated : lease).message();
    }

    private RequestResult renew(String uid, Instant now) {
        var spec = JsonObject.of("spec", object.leaseSpec(LEASE, now));
        var renewed =
                cluster.send(
                        new Request.Patch(
                                ResourcePath.LEASES,
                                NodeObject.LEASES,
                                object.name(),
                                "",
                                Request.PatchType.MERGE,
                                spec));
        return renewed instanceof RequestResult.Missing
                ? cluster.send(
                        Request.Create.of(
                                ResourcePath.LEASES,
                                NodeObject.LEASES,
                                object.lease(uid, LEASE, now)))
                : renewed;
    }

    private RequestResult label(JsonObject node) {
        var metadata = node.objectOrEmpty("metadata");
        var labels = object.allLabels();
        var annotations = object.allAnnotations();
        if (has(metadata.objectOrEmpty("labels"), labels)
                && has(metadata.objectOrEmpty("annotations"), annotations)) {
            return new RequestResult.Done(node);
        }
        var change = JsonObject.of("labels", labels).with("annotations", annotations);
        return cluster.send(
                new Request.Patch(
                        NODES,
                        "",
                        object.name(),
                        "",
                        Request.PatchType.MERGE,
                        JsonObject.of("metadata", change)));
    }

    private static boolean has(JsonObject present, JsonObject wanted) {
        return present.members().entrySet().containsAll(wanted.members().entrySet());
    }

    private RequestResult state(JsonObject node, Instant now) {
        var before = node.objectOrEmpty("status");
        var status = object.status(before, problem.get(), now);
        var isFresh = writtenAt.plus(STATUS).isAfter(now);
        if (isFresh && withoutBeats(status).equals(withoutBeats(before))) {
            return new RequestResult.Done(node);
        }
        var outcome =
                cluster.send(
                        new Request.Patch(
                                NODES,
                                "",
                                object.name(),
                                "status",
                                Request.PatchType.STRATEGIC,
                                JsonObject.of("status", status)));
        if (outcome.isDone()) {
            writtenAt = now;
        }
        return outcome;
    }

    private static JsonObject withoutBeats(JsonObject status) {
        var conditions = new ArrayList<JsonObject>();
        for (var condition : status.objects("conditions")) {
            conditions.add(condition.without("lastHeartbeatTime"));
        }
        return status.with("conditions", Json.array(conditions));
    }

    @Override
    public void close() {
        thread.interrupt();
    }
}
