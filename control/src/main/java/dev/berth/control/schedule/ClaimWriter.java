package dev.berth.control.schedule;

import dev.berth.client.Cluster;
import dev.berth.client.Request;
import dev.berth.client.RequestResult;
import dev.berth.client.ResourcePath;
import dev.berth.control.loop.ClaimCreateMetrics;
import dev.berth.core.schedule.BindingCommand.ClaimTask;
import dev.berth.core.schedule.BindingWrites;
import dev.berth.core.snapshot.ExtendedResourceClaims;
import dev.berth.metrics.MetricsRegistry;
import dev.berth.model.api.claim.ConsumerReference;
import dev.berth.model.api.claim.ResourceClaim;
import dev.berth.model.api.claim.ResourceClaimStatus;
import dev.berth.model.api.meta.ObjectRef;
import dev.berth.model.api.meta.Uid;
import dev.berth.model.api.pod.Pod;
import dev.berth.model.codec.Codec;
import dev.berth.model.codec.Decoded;
import dev.berth.model.codec.Kinds;
import dev.berth.model.codec.UnknownFieldPolicy;
import dev.berth.model.json.Json;
import dev.berth.model.json.JsonObject;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Optional;
import java.util.OptionalLong;

/// Writes allocations and reservations of claims: first the finalizer, then the status.
final class ClaimWriter {

    static final String FINALIZER = "resource.kubernetes.io/delete-protection";
    static final ResourcePath CLAIMS = ResourcePath.of(Kinds.RESOURCE_CLAIM);

    private static final int MAX_TRIES = 5;
    private static final Duration BACK_OFF = Duration.ofMillis(10);

    sealed interface Result {

        /// The claim is written.
        record Done(BindingWrites.Write write) implements Result {}

        /// The write failed, and a retry would not help.
        record Failed(String message) implements Result {}
    }

    private final Cluster cluster;
    private final Codec codec;
    private final TaskRunner taskRunner;
    private final ClaimCreateMetrics creates;

    ClaimWriter(Cluster cluster, Codec codec, TaskRunner taskRunner, MetricsRegistry metrics) {
        this.cluster = cluster;
        this.codec = codec;
        this.taskRunner = taskRunner;
        this.creates = new ClaimCreateMetrics(metrics);
    }

    /// Creates the special claim for a pod's extended resources.
    RequestResult createExtendedClaim(Pod pod, ResourceClaim template) {
        var claim = ExtendedResourceClaims.newClaim(pod, template.spec());
        var tree = codec.toTree(Kinds.RESOURCE_CLAIM, claim);
        return creates.count(
                claim, cluster.send(Request.Create.of(CLAIMS, pod.metadata().namespace(), tree)));
    }

    ResourceClaim read(JsonObject tree) {
        return switch (codec.readTree(Kinds.RESOURCE_CLAIM, tree, UnknownFieldPolicy.LENIENT)) {
            case Decoded.Read<ResourceClaim> read -> read.object();
            case Decoded.Refused<ResourceClaim> refused ->
                    throw new IllegalStateException("claim: " + refused.message());
        };
    }

    Result write(ClaimTask task) {
        var claim = task.claim();
        var reason = "";
        for (var tries = 0; tries < MAX_TRIES; tries++) {
            var settled = settled(task, claim);
            if (settled.isPresent()) {
                return settled.get();
            }
            var outcome = writeOnce(task, claim);
            switch (outcome) {
                case RequestResult.Done(var object) -> {
                    return written(claim, object);
                }
                case RequestResult.Missing _ -> {
                    return deleted(claim);
                }
                case RequestResult.Refused(_, _, var message) -> {
                    return new Result.Failed(message);
                }
                case RequestResult.Conflict _,
                        RequestResult.Exists _,
                        RequestResult.Unavailable _ -> {
                    reason = outcome.message();
                    taskRunner.backOff(BACK_OFF.multipliedBy(1L << tries));
                    switch (cluster.send(get(claim.ref()))) {
                        case RequestResult.Done(var object) -> claim = read(object);
                        case RequestResult.Missing _ -> {
                            return deleted(claim);
                        }
                        case RequestResult _ -> {}
                    }
                }
            }
        }
        return settled(task, claim)
                .orElse(
                        new Result.Failed(
                                "writing claim %s failed after %d attempts: %s"
                                        .formatted(claim.ref(), MAX_TRIES, reason)));
    }

    private static Request.Get get(ObjectRef ref) {
        return new Request.Get(CLAIMS, ref.namespace(), ref.name());
    }

    private static Result deleted(ResourceClaim claim) {
        return new Result.Failed(
                "claim %s got deleted in the meantime".formatted(claim.metadata().name()));
    }

    private static Result written(ResourceClaim claim, JsonObject object) {
        var version = object.objectOrEmpty("metadata").text("resourceVersion");
        return new Result.Done(
                new BindingWrites.Write(
                        claim.ref(),
                        claim.metadata().uid(),
                        BindingWrites.version(version),
                        object));
    }

    /// The result if no write is needed or possible.
    private Optional<Result> settled(ClaimTask task, ResourceClaim claim) {
        var name = claim.metadata().name();
        var status = claim.status();
        if (claim.metadata().isDeleting()
                || !claim.metadata().uid().equals(task.claim().metadata().uid())) {
            return Optional.of(deleted(claim));
        }
        if (status.allocation().isEmpty()) {
            return task.allocation().isPresent()
                    ? Optional.empty()
                    : Optional.of(
                            new Result.Failed(
                                    "claim %s got deallocated elsewhere in the meantime"
                                            .formatted(name)));
        }
        var isOurs =
                task.allocation()
                        .filter(own -> !own.devices().equals(status.allocation().get().devices()))
                        .isEmpty();
        if (!isOurs) {
            return Optional.of(
                    new Result.Failed(
                            "claim %s got allocated elsewhere in the meantime".formatted(name)));
        }
        return status.reservedFor().contains(task.user())
                ? Optional.of(written(claim, codec.toTree(Kinds.RESOURCE_CLAIM, claim)))
                : Optional.empty();
    }

    private RequestResult writeOnce(ClaimTask task, ResourceClaim claim) {
        var users = new ArrayList<>(claim.status().reservedFor());
        users.add(task.user());
        var status =
                new ResourceClaimStatus(
                        task.allocation().or(() -> claim.status().allocation()),
                        users,
                        claim.status().devices());
        var tree = codec.toSimilarTree(Kinds.RESOURCE_CLAIM, claim.withStatus(status));
        var withStatus = tree.objectOrEmpty("status");
        if (task.allocation().isPresent() && !claim.metadata().finalizers().contains(FINALIZER)) {
            var finalizers =
                    new ArrayList<Json>(tree.objectOrEmpty("metadata").items("finalizers"));
            finalizers.add(Json.of(FINALIZER));
            var metadata =
                    tree.objectOrEmpty("metadata").with("finalizers", Json.array(finalizers));
            var outcome = update(claim.ref(), "", tree.with("metadata", metadata));
            if (!(outcome instanceof RequestResult.Done(var kept))) {
                return outcome;
            }
            tree = kept;
        }
        return update(claim.ref(), "status", tree.with("status", withStatus));
    }

    private RequestResult update(ObjectRef ref, String subresource, JsonObject tree) {
        return cluster.send(
                new Request.Update(CLAIMS, ref.namespace(), ref.name(), subresource, tree));
    }

    /// Deallocates a claim if it has not changed since.
    RequestResult deallocate(ResourceClaim claim) {
        var tree =
                codec.toSimilarTree(
                        Kinds.RESOURCE_CLAIM, claim.withStatus(ResourceClaimStatus.EMPTY));
        return update(claim.ref(), "status", tree.with("status", JsonObject.EMPTY));
    }

    /// Deallocates a claim whose devices turned out to belong to another claim.
    RequestResult deallocateWritten(BindingWrites.Write written) {
        var outcome =
                update(written.ref(), "status", written.object().with("status", JsonObject.EMPTY));
        for (var tries = 1;
                tries < MAX_TRIES && outcome instanceof RequestResult.Conflict;
                tries++) {
            if (!(cluster.send(get(written.ref())) instanceof RequestResult.Done(var object))
                    || !read(object).metadata().uid().equals(written.uid())) {
                return outcome;
            }
            outcome = update(written.ref(), "status", object.with("status", JsonObject.EMPTY));
        }
        return outcome;
    }

    /// Removes one reservation; the claim keeps its allocation.
    RequestResult unreserve(ObjectRef ref, Uid claim, ConsumerReference user) {
        var entry =
                JsonObject.of("$patch", Json.of("delete")).with("uid", Json.of(user.uid().value()));
        var patch =
                JsonObject.of("metadata", JsonObject.of("uid", Json.of(claim.value())))
                        .with("status", JsonObject.of("reservedFor", Json.array(entry)));
        return cluster.send(
                new Request.Patch(
                        CLAIMS,
                        ref.namespace(),
                        ref.name(),
                        "status",
                        Request.PatchType.STRATEGIC,
                        patch));
    }

    /// Removes the finalizers of a special claim and deletes it.
    RequestResult delete(ResourceClaim claim) {
        var ref = claim.ref();
        var uid = claim.metadata().uid().value();
        var patch =
                JsonObject.of(
                        "metadata",
                        JsonObject.of("uid", Json.of(uid)).with("finalizers", Json.array()));
        cluster.send(
                new Request.Patch(
                        CLAIMS, ref.namespace(), ref.name(), "", Request.PatchType.MERGE, patch));
        return cluster.send(
                new Request.Delete(
                        CLAIMS,
                        ref.namespace(),
                        ref.name(),
                        Optional.of(uid),
                        OptionalLong.empty()));
    }
}
