package dev.berth.control.nodes;

import dev.berth.client.Cluster;
import dev.berth.client.Request;
import dev.berth.client.RequestResult;
import dev.berth.client.ResourcePath;
import dev.berth.client.cache.CacheIndex;
import dev.berth.client.cache.ObjectCache;
import dev.berth.client.cache.ObjectCache.Listener;
import dev.berth.control.loop.EventRecorder;
import dev.berth.control.loop.KeyedControlLoop;
import dev.berth.control.loop.PodDeletion;
import dev.berth.control.loop.SharedCaches;
import dev.berth.core.lifecycle.GarbageRules;
import dev.berth.core.lifecycle.NodeHealth;
import dev.berth.model.api.meta.Condition;
import dev.berth.model.api.meta.ObjectRef;
import dev.berth.model.api.node.Node;
import dev.berth.model.api.pod.Pod;
import dev.berth.model.api.taint.NodeTaint;
import dev.berth.model.codec.Kinds;
import dev.berth.model.condition.ConditionTrees;
import dev.berth.model.json.Json;
import dev.berth.model.json.JsonObject;
import dev.berth.model.workqueue.WorkResult;
import java.time.Clock;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/// Marks nodes without heartbeats as unknown, taints nodes that are not ready, and evicts pods from
/// them.
///
/// A heartbeat is a change of the node's Lease, timed by the local clock and not by that of the
/// node. A node that never had a Lease is considered healthy.
public final class NodeLifecycleController extends KeyedControlLoop<NodeKey> {

    public static final String NAME = "node-lifecycle-controller";

    private static final String LEASE_NAMESPACE = "kube-node-lease";

    private final Cluster cluster;
    private final Clock clock;
    private final EventRecorder events;
    private final PodDeletion deletion;
    private final ObjectCache<Node> nodes;
    private final ObjectCache<Pod> pods;
    private final CacheIndex<String, Pod> podsByNode;
    private final Map<String, Instant> lastHeartbeat = new ConcurrentHashMap<>();

    public NodeLifecycleController(
            Cluster cluster, SharedCaches caches, EventRecorder events, Clock clock) {
        this.cluster = cluster;
        this.clock = clock;
        this.events = events;
        this.deletion = new PodDeletion(cluster);
        this.nodes = needs(caches.of(Kinds.NODE));
        this.pods = needs(caches.of(Kinds.POD));
        this.podsByNode = pods.index(pod -> GarbageRules.nodeOf(pod).stream().toList());
        nodes.addListener(
                Listener.of(
                        (_, after) -> after.ifPresent(one -> add(new NodeKey.OfNode(one.name())))));
        pods.addListener(Listener.of(this::onPod));
        needs(caches.of(ResourcePath.LEASES)).addListener(Listener.of(this::onLease));
    }

    private void onPod(Optional<Pod> before, Optional<Pod> after) {
        var isNewlyBound =
                after.isPresent()
                        && GarbageRules.nodeOf(after.get()).isPresent()
                        && before.flatMap(GarbageRules::nodeOf).isEmpty();
        if (isNewlyBound) {
            add(new NodeKey.OfPod(after.get().ref()));
        }
    }

    private void onLease(Optional<JsonObject> before, Optional<JsonObject> after) {
        var metadata = after.or(() -> before).orElseThrow().objectOrEmpty("metadata");
        if (!metadata.text("namespace").equals(LEASE_NAMESPACE)) {
            return;
        }
        var node = metadata.text("name");
        if (after.isEmpty()) {
            return;
        }
        var isFirst = lastHeartbeat.put(node, clock.instant()) == null;
        if (isFirst) {
            add(new NodeKey.OfNode(node));
        }
    }

    @Override
    protected WorkResult reconcile(NodeKey key, Instant now) {
        return switch (key) {
            case NodeKey.OfNode(var name) ->
                    nodes.find(new ObjectRef("", name))
                            .map(node -> reconcile(node, now))
                            .orElseGet(() -> {
                                lastHeartbeat.remove(name);
                                return WorkResult.DONE;
                            });
            case NodeKey.OfPod(var ref) ->
                    pods.find(ref).map(pod -> reconcile(pod, now)).orElse(WorkResult.DONE);
        };
    }

    private WorkResult reconcile(Node node, Instant now) {
        var heartbeatAt = Optional.ofNullable(lastHeartbeat.get(node.name()));
        var unknown = heartbeatAt.flatMap(at -> NodeHealth.unknownCondition(node, at, now));
        if (unknown.isPresent()) {
            // The update of the status queues the node again, for its taints.
            return send(node, "status", status(unknown.get()), Request.PatchType.STRATEGIC)
                    .asWorkResult();
        }
        var taints = NodeHealth.taints(node, now);
        if (taints.isPresent()) {
            return send(node, "", taints(node, taints.get()), Request.PatchType.MERGE)
                    .asWorkResult();
        }
        if (NodeHealth.evicts(node)) {
            // Each pod is a key of its own: a failure of one does not delay the others.
            podsByNode.find(node.name()).forEach(pod -> add(new NodeKey.OfPod(pod.ref())));
        }
        return heartbeatAt
                .map(at -> at.plus(NodeHealth.LEASE_TIMEOUT))
                .filter(at -> at.isAfter(now))
                .<WorkResult>map(WorkResult.RequeueAt::new)
                .orElse(WorkResult.DONE);
    }

    private RequestResult send(
            Node node, String subresource, JsonObject patch, Request.PatchType type) {
        return cluster.send(
                new Request.Patch(
                        ResourcePath.of(Kinds.NODE), "", node.name(), subresource, type, patch));
    }

    private static JsonObject status(Condition condition) {
        var conditions = Json.array(ConditionTrees.of(condition));
        return JsonObject.of("status", JsonObject.of("conditions", conditions));
    }

    private static JsonObject taints(Node node, List<NodeTaint> taints) {
        var trees = taints.stream().map(NodeLifecycleController::tree).toList();
        return JsonObject.of(
                        "metadata",
                        JsonObject.of(
                                "resourceVersion", Json.of(node.metadata().resourceVersion())))
                .with("spec", JsonObject.of("taints", Json.array(trees)));
    }

    private static JsonObject tree(NodeTaint taint) {
        var tree =
                JsonObject.of("key", Json.of(taint.key()))
                        .with("effect", Json.of(taint.effect().text()));
        var valued = taint.value().isEmpty() ? tree : tree.with("value", Json.of(taint.value()));
        return taint.timeAdded().map(at -> valued.with("timeAdded", Json.of(at))).orElse(valued);
    }

    private WorkResult reconcile(Pod pod, Instant now) {
        var at =
                nodes.find(new ObjectRef("", pod.spec().nodeName()))
                        .filter(_ -> !pod.metadata().isDeleting())
                        .flatMap(node -> NodeHealth.evictionTime(pod, node, now));
        if (at.isEmpty()) {
            return WorkResult.DONE;
        }
        if (at.get().isAfter(now)) {
            return new WorkResult.RequeueAt(at.get());
        }
        var reason =
                new PodDeletion.Reason(
                        "DeletionByTaintManager", "Taint manager: deleting due to NoExecute taint");
        return deletion.delete(pod, reason, now, () -> recordEviction(pod)).result();
    }

    private void recordEviction(Pod pod) {
        events.record(
                "taint-eviction-controller",
                EventRecorder.InvolvedObject.pod(pod),
                EventRecorder.Type.NORMAL,
                "TaintManagerEviction",
                "Marking for deletion Pod " + pod.ref());
    }
}
