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

/// Registers the Node of this machine, keeps its status up to date and renews its Lease.
final class NodeRegistration implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(NodeRegistration.class);
    private static final ResourcePath NODES = ResourcePath.of(Kinds.NODE);

    private static final Duration HEARTBEAT = Duration.ofSeconds(10);
    private static final Duration LEASE = Duration.ofSeconds(40);
    private static final Duration RETRY = Duration.ofSeconds(1);

    /// Interval after which an unchanged status is written again.
    private static final Duration STATUS_INTERVAL = Duration.ofMinutes(5);

    private final Cluster cluster;
    private final NodeObject object;
    private final Supplier<String> problem;
    private final Clock clock;
    private final CountDownLatch registered = new CountDownLatch(1);
    private final Thread thread;

    // Used by the thread only.
    private Instant writtenAt = Instant.EPOCH;
    private String lastFailure = "";

    /// Starts the heartbeat.
    ///
    /// @param problem why the node cannot run pods; empty if it can
    NodeRegistration(Cluster cluster, NodeObject object, Supplier<String> problem, Clock clock) {
        this.cluster = cluster;
        this.object = object;
        this.problem = problem;
        this.clock = clock;
        this.thread = Thread.ofVirtual().name("node").start(this::run);
    }

    /// Waits until the Node is registered. Returns false on timeout.
    boolean awaitRegistered(Duration timeout) throws InterruptedException {
        return registered.await(timeout.toMillis(), TimeUnit.MILLISECONDS);
    }

    private void run() {
        try {
            while (!Thread.currentThread().isInterrupted()) {
                var failure = heartbeat();
                if (!failure.isEmpty() && !failure.equals(lastFailure)) {
                    LOG.warn("node {}: {}", object.name(), failure);
                }
                lastFailure = failure;
                Thread.sleep(failure.isEmpty() ? HEARTBEAT : RETRY);
            }
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
    }

    /// Performs one heartbeat. Returns the error; empty for none.
    private String heartbeat() {
        var now = clock.instant();
        var found = cluster.send(new Request.Get(NODES, "", object.name()));
        var node =
                found instanceof RequestResult.Missing
                        ? cluster.send(Request.Create.of(NODES, "", object.node(now)))
                        : found;
        if (!(node instanceof RequestResult.Done(var tree))) {
            return "registration failed: " + node.message();
        }
        // Renew the Lease before reporting Ready: otherwise the node lifecycle controller marks the
        // node NotReady again at once.
        var lease = renew(tree.objectOrEmpty("metadata").text("uid"), now);
        var labelsResult = updateLabels(tree);
        var statusResult = labelsResult.isDone() ? updateStatus(tree, now) : labelsResult;
        if (lease.isDone() && statusResult.isDone()) {
            registered.countDown();
            return "";
        }
        return "heartbeat failed: " + (lease.isDone() ? statusResult : lease).message();
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

    private RequestResult updateLabels(JsonObject node) {
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

    private static boolean has(JsonObject present, JsonObject required) {
        return present.members().entrySet().containsAll(required.members().entrySet());
    }

    private RequestResult updateStatus(JsonObject node, Instant now) {
        var before = node.objectOrEmpty("status");
        var status = object.status(before, problem.get(), now);
        var isFresh = writtenAt.plus(STATUS_INTERVAL).isAfter(now);
        if (isFresh && withoutHeartbeats(status).equals(withoutHeartbeats(before))) {
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

    private static JsonObject withoutHeartbeats(JsonObject status) {
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
