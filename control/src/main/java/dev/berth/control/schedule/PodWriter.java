package dev.berth.control.schedule;

import dev.berth.client.Cluster;
import dev.berth.client.Request;
import dev.berth.client.RequestResult;
import dev.berth.client.ResourcePath;
import dev.berth.model.api.meta.Condition;
import dev.berth.model.api.meta.ObjectMeta;
import dev.berth.model.api.pod.ExtendedResourceClaimStatus;
import dev.berth.model.api.pod.NodeAllocatableClaimStatus;
import dev.berth.model.api.pod.Pod;
import dev.berth.model.codec.Codec;
import dev.berth.model.codec.Kinds;
import dev.berth.model.json.Json;
import dev.berth.model.json.JsonObject;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Optional;

/// Writes bindings and status of pods: node, claim for extended resources, `PodScheduled`
/// condition.
final class PodWriter {

    private static final ResourcePath PODS = ResourcePath.of(Kinds.POD);
    private static final String SCHEDULED = "PodScheduled";
    private static final String NODE_ALLOCATABLE = "nodeAllocatableResourceClaimStatuses";

    /// Node assignment of a pod as read from the API server.
    sealed interface Assignment {

        record OnNode(String node) implements Assignment {}

        /// The pod exists and has no node.
        record Unassigned() implements Assignment {}

        record Deleted() implements Assignment {}

        /// The API server did not respond.
        record Unknown() implements Assignment {}
    }

    private final Cluster cluster;
    private final Codec codec;

    PodWriter(Cluster cluster, Codec codec) {
        this.cluster = cluster;
        this.codec = codec;
    }

    /// Binds a pod to a node.
    RequestResult bind(Pod pod, String node) {
        var meta = pod.metadata();
        var target =
                JsonObject.of("apiVersion", Json.of("v1"))
                        .with("kind", Json.of("Node"))
                        .with("name", Json.of(node));
        var binding =
                JsonObject.of("apiVersion", Json.of("v1"))
                        .with("kind", Json.of("Binding"))
                        .with(
                                "metadata",
                                JsonObject.of("name", Json.of(meta.name()))
                                        .with("namespace", Json.of(meta.namespace()))
                                        .with("uid", Json.of(meta.uid().value())))
                        .with("target", target);
        return cluster.send(
                new Request.Create(PODS, meta.namespace(), meta.name(), "binding", binding));
    }

    /// Reads the pod from the API server, because watches may be late.
    Assignment assignment(Pod pod) {
        var meta = pod.metadata();
        return switch (cluster.send(new Request.Get(PODS, meta.namespace(), meta.name()))) {
            case RequestResult.Done(var tree) -> {
                var node = tree.objectOrEmpty("spec").text("nodeName");
                if (!tree.objectOrEmpty("metadata").text("uid").equals(meta.uid().value())) {
                    yield new Assignment.Deleted();
                }
                yield node.isEmpty() ? new Assignment.Unassigned() : new Assignment.OnNode(node);
            }
            case RequestResult.Missing _ -> new Assignment.Deleted();
            case RequestResult _ -> new Assignment.Unknown();
        };
    }

    /// Writes `extendedResourceClaimStatus`.
    RequestResult writeExtendedClaimStatus(Pod pod, ExtendedResourceClaimStatus extended) {
        var mappings =
                extended.requestMappings().stream()
                        .map(mapping ->
                                JsonObject.of("containerName", Json.of(mapping.containerName()))
                                        .with("resourceName", Json.of(mapping.resourceName()))
                                        .with("requestName", Json.of(mapping.requestName())))
                        .toList();
        var status =
                JsonObject.of("resourceClaimName", Json.of(extended.resourceClaimName()))
                        .with("requestMappings", Json.array(mappings));
        return patchStatus(pod, JsonObject.of("extendedResourceClaimStatus", status));
    }

    /// Writes `nodeAllocatableResourceClaimStatuses`.
    RequestResult writeNodeAllocatableStatus(Pod pod, List<NodeAllocatableClaimStatus> statuses) {
        var status = pod.status().withNodeAllocatable(statuses);
        var tree = codec.toTree(Kinds.POD, new Pod(pod.metadata(), pod.spec(), status));
        // An empty list is written explicitly: a patch without the field would keep the old value.
        var list = Json.array(tree.objectOrEmpty("status").items(NODE_ALLOCATABLE));
        return patchStatus(pod, JsonObject.of(NODE_ALLOCATABLE, list), Request.PatchType.MERGE);
    }

    private RequestResult patchStatus(Pod pod, JsonObject status) {
        return patchStatus(pod, status, Request.PatchType.STRATEGIC);
    }

    private RequestResult patchStatus(Pod pod, JsonObject status, Request.PatchType style) {
        ObjectMeta meta = pod.metadata();
        var patch =
                JsonObject.of("metadata", JsonObject.of("uid", Json.of(meta.uid().value())))
                        .with("status", status);
        return cluster.send(
                new Request.Patch(PODS, meta.namespace(), meta.name(), "status", style, patch));
    }

    /// True when the pod already has this `PodScheduled=False` condition.
    static boolean hasCondition(Pod pod, String reason, String message) {
        return scheduledCondition(pod)
                .filter(c -> c.status().equals("False"))
                .filter(c -> c.reason().equals(reason) && c.message().equals(message))
                .isPresent();
    }

    private static Optional<Condition> scheduledCondition(Pod pod) {
        return pod.status().conditions().stream()
                .filter(condition -> condition.type().equals(SCHEDULED))
                .findFirst();
    }

    /// Writes the condition `PodScheduled=False`.
    RequestResult writeUnscheduledCondition(Pod pod, String reason, String message, Instant now) {
        var condition =
                JsonObject.of("type", Json.of(SCHEDULED))
                        .with("status", Json.of("False"))
                        .with("reason", Json.of(reason))
                        .with("message", Json.of(message));
        if (scheduledCondition(pod).filter(c -> c.status().equals("False")).isEmpty()) {
            var time = now.truncatedTo(ChronoUnit.SECONDS).toString();
            condition = condition.with("lastTransitionTime", Json.of(time));
        }
        return patchStatus(pod, JsonObject.of("conditions", Json.array(condition)));
    }
}
