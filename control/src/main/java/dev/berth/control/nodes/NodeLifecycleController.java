package dev.berth.control.nodes;

import dev.berth.client.Cluster;
import dev.berth.client.Request;
import dev.berth.client.RequestResult;
import dev.berth.client.ResourcePath;
import dev.berth.client.cache.CacheIndex;
import dev.berth.client.cache.ObjectCache;
import dev.berth.client.cache.ObjectCache.Listener;
import dev.berth.client.event.EventRecorder;
import dev.berth.control.loop.KeyedControlLoop;
import dev.berth.control.loop.PodDeletion;
import dev.berth.control.loop.SharedCaches;
import dev.berth.core.lifecycle.GarbageRules;
import dev.berth.core.lifecycle.NodeHealth;
import dev.berth.model.api.meta.Condition;
import dev.berth.model.api.meta.ObjectRef;
import dev.berth.model.api.meta.Uid;
import dev.berth.model.api.node.Node;
import dev.berth.model.api.pod.Pod;
import dev.berth.model.api.taint.NodeTaint;
import dev.berth.model.codec.Kinds;
import dev.berth.model.condition.ConditionTrees;
import dev.berth.model.event.Event;
import dev.berth.model.event.EventSource;
import dev.berth.model.event.InvolvedObject;
import dev.berth.model.json.Json;
import dev.berth.model.json.JsonObject;
import dev.berth.model.workqueue.WorkResult;
import java.time.Clock;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/// Marks nodes without heartbeats as unknown, taints nodes that are not ready, and evicts pods from
/// them.
///
/// A heartbeat is a change of the node's Lease, timed by the local clock and not by that of the
/// node. A node that never had a Lease is considered healthy.
public final class NodeLifecycleController extends KeyedControlLoop<NodeKey> {

    public static final String NAME = "node-lifecycle-controller";

    private static final String LEASE_NAMESPACE = "kube-node-lease";
    private static final EventSource SOURCE = EventSource.controller("node-controller");
    private static final EventSource EVICTION_SOURCE =
            EventSource.controller("taint-eviction-controller");

    private final Cluster cluster;
    private final Clock clock;
    private final EventRecorder events;
    private final PodDeletion deletion;
    private final ObjectCache<Node> nodes;
    private final ObjectCache<Pod> pods;
    private final CacheIndex<String, Pod> podsByNode;
    private final Map<String, Instant> lastHeartbeat = new ConcurrentHashMap<>();

    /// Pods that are evicted when their tolerated time is over.
    private final Set<Uid> pendingEvictions = ConcurrentHashMap.newKeySet();

    public NodeLifecycleController(
            Cluster cluster, SharedCaches caches, EventRecorder events, Clock clock) {
        this.cluster = cluster;
        this.clock = clock;
        this.events = events;
        this.deletion = new PodDeletion(cluster);
        this.nodes = needs(caches.of(Kinds.NODE));
        this.pods = needs(caches.of(Kinds.POD));
        this.podsByNode = pods.index(pod -> GarbageRules.nodeOf(pod).stream().toList());
        nodes.addListener(Listener.of(this::onNode));
        pods.addListener(Listener.of(this::onPod));
        needs(caches.of(ResourcePath.LEASES)).addListener(Listener.of(this::onLease));
    }

    private void onNode(Optional<Node> before, Optional<Node> after) {
        after.ifPresent(node -> add(new NodeKey.OfNode(node.name())));
        if (before.isEmpty()) {
            var node = after.orElseThrow();
            record(node, "RegisteredNode", "Registered Node %s in Controller");
        } else if (after.isEmpty()) {
            record(before.get(), "RemovingNode", "Removing Node %s from Controller");
        }
    }

    private void record(Node node, String reason, String text) {
        var message = "Node %s event: ".formatted(node.name()) + text.formatted(node.name());
        events.record(Event.normal(SOURCE, InvolvedObject.of(node), reason, message));
    }

    private void onPod(Optional<Pod> before, Optional<Pod> after) {
        if (after.isEmpty()) {
            before.ifPresent(pod -> pendingEvictions.remove(pod.metadata().uid()));
        }
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
            var result = send(node, "status", status(unknown.get()), Request.PatchType.STRATEGIC);
            if (result.isDone() && NodeHealth.readiness(node).equals("True")) {
                recordNotReady(node);
            }
            return result.asWorkResult();
        }
        var taints = NodeHealth.taints(node, now);
        if (taints.isPresent()) {
            return send(node, "", taints(node, taints.get()), Request.PatchType.MERGE)
                    .asWorkResult();
        }
        for (var pod : podsByNode.find(node.name())) {
            // Each pod is a key of its own: a failure of one does not delay the others.
            if (NodeHealth.evicts(node) || pendingEvictions.contains(pod.metadata().uid())) {
                add(new NodeKey.OfPod(pod.ref()));
            }
        }
        return heartbeatAt
                .map(at -> at.plus(NodeHealth.LEASE_TIMEOUT))
                .filter(at -> at.isAfter(now))
                .<WorkResult>map(WorkResult.RequeueAt::new)
                .orElse(WorkResult.DONE);
    }

    private void recordNotReady(Node node) {
        events.record(
                Event.normal(
                        SOURCE,
                        InvolvedObject.of(node),
                        "NodeNotReady",
                        "Node %s status is now: NodeNotReady".formatted(node.name())));
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
        var node =
                nodes.find(new ObjectRef("", pod.spec().nodeName()))
                        .filter(_ -> !pod.metadata().isDeleting());
        if (node.filter(one -> NodeHealth.isReadyOnUnknownNode(pod, one)).isPresent()
                && markNotReady(pod, now) instanceof WorkResult.Retry retry) {
            return retry;
        }
        var at = node.flatMap(one -> NodeHealth.evictionTime(pod, one, now));
        if (at.isEmpty()) {
            if (pendingEvictions.remove(pod.metadata().uid()) && !pod.metadata().isDeleting()) {
                recordEviction(pod, "Cancelling deletion of Pod ");
            }
            return WorkResult.DONE;
        }
        if (at.get().isAfter(now)) {
            pendingEvictions.add(pod.metadata().uid());
            return new WorkResult.RequeueAt(at.get());
        }
        pendingEvictions.remove(pod.metadata().uid());
        var reason =
                new PodDeletion.Reason(
                        "DeletionByTaintManager", "Taint manager: deleting due to NoExecute taint");
        return deletion.delete(
                        pod, reason, now, () -> recordEviction(pod, "Marking for deletion Pod "))
                .result();
    }

    /// Sets Ready to False on behalf of a kubelet that does not answer.
    private WorkResult markNotReady(Pod pod, Instant now) {
        var condition = Json.array(ConditionTrees.of("Ready", false, "", "", now));
        var patch =
                JsonObject.of(
                                "metadata",
                                JsonObject.of("uid", Json.of(pod.metadata().uid().value())))
                        .with("status", JsonObject.of("conditions", condition));
        var result =
                cluster.send(
                        new Request.Patch(
                                ResourcePath.of(Kinds.POD),
                                pod.metadata().namespace(),
                                pod.metadata().name(),
                                "status",
                                Request.PatchType.STRATEGIC,
                                patch));
        if (result.isDone()) {
            events.record(
                    Event.warning(
                            SOURCE, InvolvedObject.of(pod), "NodeNotReady", "Node is not ready"));
        }
        return result.asWorkResult();
    }

    private void recordEviction(Pod pod, String act) {
        events.record(
                Event.normal(
                        EVICTION_SOURCE,
                        InvolvedObject.of(pod),
                        "TaintManagerEviction",
                        act + pod.ref()));
    }
}
