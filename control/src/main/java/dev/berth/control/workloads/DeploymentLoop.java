package dev.berth.control.workloads;

import dev.berth.client.Address;
import dev.berth.client.Cluster;
import dev.berth.client.Outcome;
import dev.berth.client.Request;
import dev.berth.client.mirror.Index;
import dev.berth.client.mirror.Mirror.Listener;
import dev.berth.control.loop.Mirrors;
import dev.berth.control.loop.Verdict;
import dev.berth.core.workload.DeploymentRules;
import dev.berth.core.workload.Workload;
import dev.berth.model.api.ObjectRef;
import dev.berth.model.json.Json;
import dev.berth.model.json.JsonObject;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.stream.Stream;

/// Has a replica set for each version of a deployment, and moves to the newest.
public final class DeploymentLoop extends WorkloadLoop {

    private static final Address ADDRESS = new Address("apps", "v1", "deployments");

    /// Times in objects have whole seconds: something that is over after one is so in the next.
    private static final Duration MOMENT = Duration.ofSeconds(1);

    private final Index<String, JsonObject> setsByOwner;

    public DeploymentLoop(Cluster cluster, Mirrors mirrors) {
        super(cluster, mirrors, ADDRESS, "Deployment");
        var sets = needs(mirrors.of(ReplicaSetLoop.ADDRESS));
        this.setsByOwner = sets.index(set -> owners(set).map(one -> one.text("uid")).toList());
        sets.listen(
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
    Verdict work(Workload deployment, Instant now) {
        var sets = setsByOwner.find(deployment.uid()).stream().map(Workload::new).toList();
        var change = DeploymentRules.change(deployment, sets, now);
        if (carryOut(deployment, change.commands()) instanceof Verdict.Retry retry) {
            return retry;
        }
        return switch (writeStatus(deployment, change.status())) {
            case Verdict.Done done ->
                    change.again()
                            .<Verdict>map(at -> new Verdict.Again(at.plus(MOMENT)))
                            .orElse(done);
            case Verdict other -> other;
        };
    }

    private Verdict carryOut(Workload deployment, List<DeploymentRules.Command> commands) {
        for (var command : commands) {
            var outcome =
                    switch (command) {
                        case DeploymentRules.Command.Create(var set) ->
                                cluster()
                                        .send(
                                                Request.Create.of(
                                                        ReplicaSetLoop.ADDRESS,
                                                        deployment.namespace(),
                                                        set));
                        case DeploymentRules.Command.Scale(var set, var replicas) ->
                                patchSet(
                                        set,
                                        JsonObject.EMPTY,
                                        JsonObject.of("replicas", Json.of(replicas)));
                        case DeploymentRules.Command.Annotate(var set, var annotations) ->
                                patchSet(
                                        set,
                                        JsonObject.of("annotations", annotations),
                                        JsonObject.EMPTY);
                        case DeploymentRules.Command.Revise(var revision) ->
                                patch(deployment, "", numbered(revision));
                    };
            // A set that is there already was made a moment ago and will be heard of.
            if (!(outcome instanceof Outcome.Exists)
                    && Verdict.of(outcome) instanceof Verdict.Retry retry) {
                return retry;
            }
        }
        return Verdict.DONE;
    }

    private static JsonObject numbered(String revision) {
        var annotation = JsonObject.of(DeploymentRules.REVISION, Json.of(revision));
        return JsonObject.of("metadata", JsonObject.of("annotations", annotation));
    }

    /// Of the revision that was looked at: another one may have been changed already.
    private Outcome patchSet(Workload set, JsonObject metadata, JsonObject spec) {
        var version = Json.of(set.metadata().text("resourceVersion"));
        var patch = JsonObject.of("metadata", metadata.with("resourceVersion", version));
        return cluster()
                .send(
                        new Request.Patch(
                                ReplicaSetLoop.ADDRESS,
                                set.namespace(),
                                set.name(),
                                "",
                                Request.Style.MERGE,
                                spec.isEmpty() ? patch : patch.with("spec", spec)));
    }
}
