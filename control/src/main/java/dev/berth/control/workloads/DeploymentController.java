package dev.berth.control.workloads;

import dev.berth.client.Cluster;
import dev.berth.client.Request;
import dev.berth.client.RequestResult;
import dev.berth.client.ResourcePath;
import dev.berth.client.cache.CacheIndex;
import dev.berth.client.cache.ObjectCache.Listener;
import dev.berth.client.event.EventRecorder;
import dev.berth.control.loop.SharedCaches;
import dev.berth.core.workload.DeploymentRules;
import dev.berth.core.workload.Workload;
import dev.berth.model.api.meta.ObjectRef;
import dev.berth.model.json.Json;
import dev.berth.model.json.JsonObject;
import dev.berth.model.workqueue.WorkResult;
import java.time.Duration;
import java.time.Instant;
import java.util.stream.Stream;

/// Creates a ReplicaSet for each template of a Deployment, and rolls out the newest.
public final class DeploymentController extends WorkloadController {

    private static final ResourcePath ADDRESS = new ResourcePath("apps", "v1", "deployments");

    /// Times in objects have whole seconds: a deadline has certainly passed one second later.
    private static final Duration ONE_SECOND = Duration.ofSeconds(1);

    private final CacheIndex<String, JsonObject> setsByOwner;

    public DeploymentController(Cluster cluster, SharedCaches caches, EventRecorder events) {
        super(
                cluster,
                caches,
                new WorkloadKind(ADDRESS, "Deployment", "deployment-controller"),
                events);
        var sets = needs(caches.of(ReplicaSetController.ADDRESS));
        this.setsByOwner = sets.index(set -> owners(set).map(one -> one.text("uid")).toList());
        sets.addListener(
                Listener.of((before, after) ->
                        owners(after.or(() -> before).orElseThrow())
                                .forEach(owner ->
                                        add(
                                                new ObjectRef(
                                                        after.or(() -> before)
                                                                .orElseThrow()
                                                                .objectOrEmpty("metadata")
                                                                .text("namespace"),
                                                        owner.text("name"))))));
    }

    private static Stream<JsonObject> owners(JsonObject set) {
        return set.objectOrEmpty("metadata").objects("ownerReferences").stream()
                .filter(one ->
                        one.flag("controller").orElse(false)
                                && one.text("kind").equals("Deployment"));
    }

    @Override
    WorkResult reconcile(Workload deployment, Instant now) {
        var sets = setsByOwner.find(deployment.uid()).stream().map(Workload::new).toList();
        var change = DeploymentRules.change(deployment, sets, now);
        if (execute(deployment, change, now) instanceof WorkResult.Retry retry) {
            return retry;
        }
        return switch (writeStatus(deployment, change.status())) {
            case WorkResult.Done done ->
                    change.recheckAt()
                            .<WorkResult>map(at -> new WorkResult.RequeueAt(at.plus(ONE_SECOND)))
                            .orElse(done);
            case WorkResult other -> other;
        };
    }

    private WorkResult execute(Workload deployment, DeploymentRules.Change change, Instant now) {
        for (var command : change.commands()) {
            var result =
                    switch (command) {
                        case DeploymentRules.Command.Create(var set) ->
                                create(deployment, new Workload(set), change, now);
                        case DeploymentRules.Command.Scale(var set, var replicas) ->
                                scale(deployment, set, replicas);
                        case DeploymentRules.Command.Annotate(var set, var annotations) ->
                                patchSet(
                                                set,
                                                JsonObject.of("annotations", annotations),
                                                JsonObject.EMPTY)
                                        .asWorkResult();
                        case DeploymentRules.Command.SetRevision(var revision) ->
                                patch(deployment, "", revisionPatch(revision)).asWorkResult();
                    };
            if (result instanceof WorkResult.Retry retry) {
                return retry;
            }
        }
        return WorkResult.DONE;
    }

    private WorkResult create(
            Workload deployment, Workload set, DeploymentRules.Change change, Instant now) {
        var result =
                cluster()
                        .send(
                                Request.Create.of(
                                        ReplicaSetController.ADDRESS,
                                        deployment.namespace(),
                                        set.tree()));
        if (result instanceof RequestResult.Exists) {
            // It was created a moment ago and is not in the cache yet.
            return WorkResult.DONE;
        }
        var replicas = set.number("replicas", 1);
        if (result.isDone()) {
            if (replicas > 0) {
                recordScaled(deployment, set.name(), 0, replicas);
            }
            return WorkResult.DONE;
        }
        var message =
                "Failed to create new replica set \"%s\": %s"
                        .formatted(set.name(), result.message());
        recordWarning(deployment, DeploymentRules.CREATE_ERROR, message);
        writeStatus(
                deployment,
                DeploymentRules.withCreateError(deployment, change.status(), message, now));
        return result.asWorkResult();
    }

    private WorkResult scale(Workload deployment, Workload set, long replicas) {
        var result = patchSet(set, JsonObject.EMPTY, JsonObject.of("replicas", Json.of(replicas)));
        if (result.isDone()) {
            recordScaled(deployment, set.name(), set.number("replicas", 1), replicas);
        }
        return result.asWorkResult();
    }

    private void recordScaled(Workload deployment, String set, long from, long to) {
        recordNormal(
                deployment,
                "ScalingReplicaSet",
                "Scaled %s replica set %s from %d to %d"
                        .formatted(from < to ? "up" : "down", set, from, to));
    }

    private static JsonObject revisionPatch(String revision) {
        var annotation = JsonObject.of(DeploymentRules.REVISION, Json.of(revision));
        return JsonObject.of("metadata", JsonObject.of("annotations", annotation));
    }

    /// With the resourceVersion of the cached set, which may have changed meanwhile.
    private RequestResult patchSet(Workload set, JsonObject metadata, JsonObject spec) {
        var version = Json.of(set.metadata().text("resourceVersion"));
        var patch = JsonObject.of("metadata", metadata.with("resourceVersion", version));
        return cluster()
                .send(
                        new Request.Patch(
                                ReplicaSetController.ADDRESS,
                                set.namespace(),
                                set.name(),
                                "",
                                Request.PatchType.MERGE,
                                spec.isEmpty() ? patch : patch.with("spec", spec)));
    }
}
