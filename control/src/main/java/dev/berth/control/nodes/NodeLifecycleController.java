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
import dev.berth.control.loop.ReconcileResult;
import dev.berth.control.loop.SharedCaches;
import dev.berth.core.lifecycle.GarbageRules;
import dev.berth.core.lifecycle.NodeHealth;
import dev.berth.model.api.Condition;
import dev.berth.model.api.Node;
import dev.berth.model.api.NodeTaint;
import dev.berth.model.api.ObjectRef;
import dev.berth.model.api.Pod;
import dev.berth.model.codec.Kinds;
import dev.berth.model.json.Json;
import dev.berth.model.json.JsonObject;
import java.time.Clock;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/// Notices nodes that are not heard of, taints them, and makes pods leave them.
///
/// A node is heard of when its lease changes, by our clock and not by its own. A node that never
/// had a lease has promised nothing and is believed.
public final class NodeLifecycleController extends KeyedControlLoop<NodeKey> {

    public static final String NAME = "node-lifecycle-controller";

    private static final String LEASES = "kube-node-lease";

    private final Cluster cluster;
    private final Clock clock;
    private final EventRecorder events;
    private final PodDeletion deletion;
    private final ObjectCache<Node> nodes;
    private final ObjectCache<Pod> pods;
    private final CacheIndex<String, Pod> podsByNode;
    private final Map<String, Instant> heard = new ConcurrentHashMap<>();

    public NodeLifecycleController(
            Cluster cluster, SharedCaches mirrors, EventRecorder events, Clock clock) {
        this.cluster = cluster;
        this.clock = clock;
        this.events = events;
        this.deletion = new PodDeletion(cluster);
        this.nodes = needs(mirrors.of(Kinds.NODE));
        this.pods = needs(mirrors.of(Kinds.POD));
        this.podsByNode = pods.index(pod -> GarbageRules.nodeOf(pod).stream().toList());
        nodes.addListener(
                Listener.of(
                        (_, after) -> after.ifPresent(one -> add(new NodeKey.OfNode(one.name())))));
        pods.addListener(Listener.of(this::onPod));
        needs(mirrors.of(ResourcePath.LEASES)).addListener(Listener.of(this::onLease));
    }

    private void onPod(Optional<Pod> before, Optional<Pod> after) {
        var isPlaced =
                after.isPresent()
                        && GarbageRules.nodeOf(after.get()).isPresent()
                        && before.flatMap(GarbageRules::nodeOf).isEmpty();
        if (isPlaced) {
            add(new NodeKey.OfPod(after.get().ref()));
        }
    }

    private void onLease(Optional<JsonObject> before, Optional<JsonObject> after) {
        var metadata = after.or(() -> before).orElseThrow().objectOrEmpty("metadata");
        if (!metadata.text("namespace").equals(LEASES)) {
            return;
        }
        var node = metadata.text("name");
        if (after.isEmpty()) {
            return;
        }
        var isFirst = heard.put(node, clock.instant()) == null;
        if (isFirst) {
            add(new NodeKey.OfNode(node));
        }
    }

    @Override
    protected ReconcileResult work(NodeKey key, Instant now) {
        return switch (key) {
            case NodeKey.OfNode(var name) ->
                    nodes.find(new ObjectRef("", name))
                            .map(node -> examine(node, now))
                            .orElseGet(() -> {
                                heard.remove(name);
                                return ReconcileResult.DONE;
                            });
            case NodeKey.OfPod(var ref) ->
                    pods.find(ref).map(pod -> examine(pod, now)).orElse(ReconcileResult.DONE);
        };
    }

    private ReconcileResult examine(Node node, Instant now) {
        var heardAt = Optional.ofNullable(heard.get(node.name()));
        var silence = heardAt.flatMap(at -> NodeHealth.silence(node, at, now));
        if (silence.isPresent()) {
            // The change itself brings the node back here, for its taints.
            return ReconcileResult.of(
                    send(node, "status", status(silence.get()), Request.PatchType.STRATEGIC));
        }
        var taints = NodeHealth.taints(node, now);
        if (taints.isPresent()) {
            return ReconcileResult.of(
                    send(node, "", taints(node, taints.get()), Request.PatchType.MERGE));
        }
        if (NodeHealth.evicts(node)) {
            // Each pod is a key of its own: trouble with one does not keep the others.
            podsByNode.find(node.name()).forEach(pod -> add(new NodeKey.OfPod(pod.ref())));
        }
        return heardAt.map(at -> at.plus(NodeHealth.LEASE_TIMEOUT))
                .filter(at -> at.isAfter(now))
                .<ReconcileResult>map(ReconcileResult.RequeueAt::new)
                .orElse(ReconcileResult.DONE);
    }

    private RequestResult send(
            Node node, String subresource, JsonObject patch, Request.PatchType style) {
        return cluster.send(
                new Request.Patch(
                        ResourcePath.of(Kinds.NODE), "", node.name(), subresource, style, patch));
    }

    private static JsonObject status(Condition condition) {
        var tree =
                JsonObject.of("type", Json.of(condition.type()))
                        .with("status", Json.of(condition.status()))
                        .with("reason", Json.of(condition.reason()))
                        .with("message", Json.of(condition.message()))
                        .with(
                                "lastTransitionTime",
                                time(condition.lastTransitionTime().orElse(Instant.EPOCH)));
        return JsonObject.of("status", JsonObject.of("conditions", Json.array(tree)));
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
        return taint.timeAdded().map(at -> valued.with("timeAdded", time(at))).orElse(valued);
    }

    private static Json time(Instant at) {
        return Json.of(at.truncatedTo(ChronoUnit.SECONDS).toString());
    }

    private ReconcileResult examine(Pod pod, Instant now) {
        var at =
                nodes.find(new ObjectRef("", pod.spec().nodeName()))
                        .filter(_ -> !pod.metadata().isDeleting())
                        .flatMap(node -> NodeHealth.leavesAt(pod, node, now));
        if (at.isEmpty()) {
            return ReconcileResult.DONE;
        }
        if (at.get().isAfter(now)) {
            return new ReconcileResult.RequeueAt(at.get());
        }
        var reason =
                new PodDeletion.Reason(
                        "DeletionByTaintManager", "Taint manager: deleting due to NoExecute taint");
        return deletion.delete(pod, reason, now, () -> tell(pod)).verdict();
    }

    private void tell(Pod pod) {
        events.tell(
                "taint-eviction-controller",
                EventRecorder.Subject.pod(pod),
                EventRecorder.Sort.NORMAL,
                "TaintManagerEviction",
                "Marking for deletion Pod " + pod.ref());
    }
}
