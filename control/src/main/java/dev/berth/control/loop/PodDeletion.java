package dev.berth.control.loop;

import dev.berth.client.Cluster;
import dev.berth.client.Request;
import dev.berth.client.RequestResult;
import dev.berth.client.ResourcePath;
import dev.berth.core.lifecycle.PodClaimPhase;
import dev.berth.model.api.pod.Pod;
import dev.berth.model.codec.Kinds;
import dev.berth.model.condition.ConditionTrees;
import dev.berth.model.json.Json;
import dev.berth.model.json.JsonObject;
import dev.berth.model.workqueue.WorkResult;
import java.time.Instant;
import java.util.Optional;
import java.util.OptionalLong;

/// Deletes pods on behalf of a controller: sets the condition `DisruptionTarget` first.
public final class PodDeletion {

    private static final ResourcePath PODS = ResourcePath.of(Kinds.POD);

    /// Reason and message of the `DisruptionTarget` condition.
    public record Reason(String reason, String message) {}

    /// The result of a deletion.
    ///
    /// @param deleted false when the pod did not exist any more or was terminating already
    public record Result(WorkResult result, boolean deleted) {}

    private final Cluster cluster;

    public PodDeletion(Cluster cluster) {
        this.cluster = cluster;
    }

    /// Deletes this pod, identified by its UID, with its own grace period.
    ///
    /// @param before called once it is certain that the pod exists and is not terminating
    public Result delete(Pod pod, Reason reason, Instant now, Runnable before) {
        var namespace = pod.metadata().namespace();
        var name = pod.metadata().name();
        var read = cluster.send(new Request.Get(PODS, namespace, name));
        if (!(read instanceof RequestResult.Done(var tree))) {
            return new Result(read.asWorkResult(), false);
        }
        var metadata = tree.objectOrEmpty("metadata");
        if (!metadata.text("uid").equals(pod.metadata().uid().value())
                || metadata.has("deletionTimestamp")) {
            return new Result(WorkResult.DONE, false);
        }
        before.run();
        var marked =
                cluster.send(
                        new Request.Patch(
                                PODS,
                                namespace,
                                name,
                                "status",
                                Request.PatchType.STRATEGIC,
                                condition(pod, reason, now)));
        if (!marked.isDone()) {
            return new Result(marked.asWorkResult(), false);
        }
        var deleted =
                cluster.send(
                        new Request.Delete(
                                PODS,
                                namespace,
                                name,
                                Optional.of(pod.metadata().uid().value()),
                                OptionalLong.empty()));
        return new Result(deleted.asWorkResult(), deleted.isDone());
    }

    /// Deletes this pod, identified by its UID, without a grace period, because no kubelet will
    /// confirm its end. A pod that has not terminated gets phase `Failed` first, so that
    /// controllers that count its pods do not take it for a running one.
    ///
    /// @param reason empty for no condition
    public WorkResult deleteNow(Pod pod, Optional<Reason> reason, Instant now) {
        if (!PodClaimPhase.isTerminated(pod)) {
            var failed = cluster.send(failed(pod, reason, now));
            if (!failed.isDone()) {
                return failed.asWorkResult();
            }
        }
        return cluster.send(
                        new Request.Delete(
                                PODS,
                                pod.metadata().namespace(),
                                pod.metadata().name(),
                                Optional.of(pod.metadata().uid().value()),
                                OptionalLong.of(0)))
                .asWorkResult();
    }

    private static Request failed(Pod pod, Optional<Reason> reason, Instant now) {
        var patch =
                reason.map(one -> condition(pod, one, now))
                        .orElseGet(() -> JsonObject.of("metadata", uid(pod)));
        var status = patch.objectOrEmpty("status").with("phase", Json.of("Failed"));
        return new Request.Patch(
                PODS,
                pod.metadata().namespace(),
                pod.metadata().name(),
                "status",
                Request.PatchType.STRATEGIC,
                patch.with("status", status));
    }

    private static JsonObject uid(Pod pod) {
        return JsonObject.of("uid", Json.of(pod.metadata().uid().value()));
    }

    private static JsonObject condition(Pod pod, Reason reason, Instant now) {
        var condition =
                ConditionTrees.of("DisruptionTarget", true, reason.reason(), reason.message(), now);
        return JsonObject.of("metadata", uid(pod))
                .with("status", JsonObject.of("conditions", Json.array(condition)));
    }
}
