package dev.berth.control.schedule;

import dev.berth.client.Cluster;
import dev.berth.client.Request;
import dev.berth.client.RequestResult;
import dev.berth.client.ResourcePath;
import dev.berth.core.place.VolumeBindingTask;
import dev.berth.core.schedule.BindingWrites;
import dev.berth.model.api.meta.ObjectRef;
import dev.berth.model.api.storage.PersistentVolumeClaim;
import dev.berth.model.codec.Kinds;
import dev.berth.model.json.Json;
import dev.berth.model.json.JsonObject;
import dev.berth.model.text.FailureText;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/// Writes volume bindings and the selected node of volumes to be provisioned.
///
/// Each object is read first and written in that version, because records contain only some fields
/// of volumes and claims.
final class VolumeWriter {

    private static final ResourcePath VOLUMES = ResourcePath.of(Kinds.PERSISTENT_VOLUME);
    private static final ResourcePath CLAIMS = ResourcePath.of(Kinds.PERSISTENT_VOLUME_CLAIM);
    private static final String BY_CONTROLLER = "pv.kubernetes.io/bound-by-controller";

    private static final int MAX_TRIES = 5;
    private static final Duration BACK_OFF = Duration.ofMillis(10);

    sealed interface Result {

        /// All tasks are written.
        ///
        /// @param versions written resource versions by claim: of bound volumes and of claims to be
        ///   provisioned
        record Written(Map<ObjectRef, Long> versions) implements Result {
            public Written {
                versions = Map.copyOf(versions);
            }
        }

        record Failed(String message) implements Result {}
    }

    /// Decision about an object that was read.
    private sealed interface Step {

        record Write(JsonObject object) implements Step {}

        /// The object needs no write.
        record Unchanged() implements Step {}

        record Reject(String message) implements Step {}
    }

    private final Cluster cluster;
    private final TaskRunner taskRunner;

    VolumeWriter(Cluster cluster, TaskRunner taskRunner) {
        this.cluster = cluster;
        this.taskRunner = taskRunner;
    }

    Result write(List<VolumeBindingTask> tasks) {
        var versions = new HashMap<ObjectRef, Long>();
        for (var task : tasks) {
            try {
                var ref = task.claim().ref();
                switch (write(task)) {
                    case RequestResult.Done(var object) -> versions.put(ref, version(object));
                    case RequestResult other -> {
                        return new Result.Failed(other.message());
                    }
                }
            } catch (RuntimeException | Error e) {
                // Any error must be returned as a result: the pipeline waits for it.
                return new Result.Failed("writing volumes failed: " + FailureText.of(e));
            }
        }
        return new Result.Written(versions);
    }

    private static long version(JsonObject object) {
        return BindingWrites.version(object.objectOrEmpty("metadata").text("resourceVersion"));
    }

    private RequestResult write(VolumeBindingTask task) {
        return switch (task) {
            case VolumeBindingTask.Bind(var claim, var volume) ->
                    change(VOLUMES, new ObjectRef("", volume), object -> bind(object, claim));
            case VolumeBindingTask.Provision(var claim, var node) ->
                    change(CLAIMS, claim.ref(), object -> provision(object, claim, node));
        };
    }

    private RequestResult change(
            ResourcePath address, ObjectRef ref, Function<JsonObject, Step> decide) {
        RequestResult last = new RequestResult.Unavailable("not tried");
        for (var tries = 0; tries < MAX_TRIES; tries++) {
            if (tries > 0) {
                taskRunner.backOff(BACK_OFF.multipliedBy(1L << tries));
            }
            last = cluster.send(new Request.Get(address, ref.namespace(), ref.name()));
            if (last instanceof RequestResult.Done(var object)) {
                switch (decide.apply(object)) {
                    case Step.Unchanged _ -> {
                        return last;
                    }
                    case Step.Reject(var message) -> {
                        return new RequestResult.Conflict(message);
                    }
                    case Step.Write(var changed) ->
                            last =
                                    cluster.send(
                                            new Request.Update(
                                                    address,
                                                    ref.namespace(),
                                                    ref.name(),
                                                    "",
                                                    changed));
                }
            }
            if (!(last instanceof RequestResult.Conflict
                    || last instanceof RequestResult.Unavailable)) {
                return last;
            }
        }
        return last;
    }

    private static Step bind(JsonObject volume, PersistentVolumeClaim claim) {
        var spec = volume.objectOrEmpty("spec");
        var owner = spec.object("claimRef");
        if (owner.isPresent() && !isFor(owner.get(), claim)) {
            return new Step.Reject(
                    "persistentvolume \"%s\" was bound to claim %s/%s in the meantime"
                            .formatted(
                                    volume.objectOrEmpty("metadata").text("name"),
                                    owner.get().text("namespace"),
                                    owner.get().text("name")));
        }
        var uid = claim.metadata().uid().value();
        if (owner.filter(one -> one.text("uid").equals(uid)).isPresent()) {
            return new Step.Unchanged();
        }
        var reference =
                owner.orElse(JsonObject.EMPTY)
                        .with("apiVersion", Json.of("v1"))
                        .with("kind", Json.of("PersistentVolumeClaim"))
                        .with("namespace", Json.of(claim.metadata().namespace()))
                        .with("name", Json.of(claim.metadata().name()))
                        .with("uid", Json.of(uid));
        var bound = volume.with("spec", spec.with("claimRef", reference));
        // A volume that was pre-bound by a user must keep its `claimRef` when the claim is deleted.
        return new Step.Write(owner.isPresent() ? bound : annotated(bound, BY_CONTROLLER, "yes"));
    }

    private static boolean isFor(JsonObject owner, PersistentVolumeClaim claim) {
        return owner.text("namespace").equals(claim.metadata().namespace())
                && owner.text("name").equals(claim.metadata().name())
                && (owner.text("uid").isEmpty()
                        || owner.text("uid").equals(claim.metadata().uid().value()));
    }

    private static Step provision(JsonObject now, PersistentVolumeClaim claim, String node) {
        var metadata = now.objectOrEmpty("metadata");
        if (!metadata.text("uid").equals(claim.metadata().uid().value())) {
            return new Step.Reject(
                    "persistentvolumeclaim \"%s\" was recreated in the meantime"
                            .formatted(claim.metadata().name()));
        }
        var selected =
                metadata.objectOrEmpty("annotations").text(PersistentVolumeClaim.SELECTED_NODE);
        if (!now.objectOrEmpty("spec").text("volumeName").isEmpty() || selected.equals(node)) {
            return new Step.Unchanged();
        }
        return selected.isEmpty()
                ? new Step.Write(annotated(now, PersistentVolumeClaim.SELECTED_NODE, node))
                : new Step.Reject(
                        ("the volume of persistentvolumeclaim \"%s\" is being provisioned for"
                                        + " node %s")
                                .formatted(claim.metadata().name(), selected));
    }

    private static JsonObject annotated(JsonObject object, String key, String value) {
        var metadata = object.objectOrEmpty("metadata");
        var annotations = metadata.objectOrEmpty("annotations").with(key, Json.of(value));
        return object.with("metadata", metadata.with("annotations", annotations));
    }
}
