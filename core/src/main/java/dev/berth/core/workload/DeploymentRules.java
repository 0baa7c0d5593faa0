package dev.berth.core.workload;

import dev.berth.model.json.Json;
import dev.berth.model.json.JsonObject;
import dev.berth.model.json.JsonWriter;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/// Decides on a Deployment: one ReplicaSet for each template, and a rolling update from the old
/// ones to the newest within `maxSurge` and `maxUnavailable`.
public final class DeploymentRules {

    public static final String HASH = "pod-template-hash";
    public static final String REVISION = DeploymentRevisions.REVISION;

    /// Reason of the condition `Progressing` and of the event when a ReplicaSet cannot be created.
    public static final String CREATE_ERROR = "ReplicaSetCreateError";

    private static final String ALPHABET = "bcdfghjklmnpqrstvwxz2456789";
    private static final int PERCENT = 100;

    /// A write.
    public sealed interface Command {

        record Create(JsonObject replicaSet) implements Command {}

        record Scale(Workload replicaSet, long replicas) implements Command {}

        /// Replaces the annotations of a ReplicaSet.
        record Annotate(Workload replicaSet, JsonObject annotations) implements Command {}

        /// Sets the revision annotation of the Deployment.
        record SetRevision(String revision) implements Command {}
    }

    /// Writes and the new status.
    ///
    /// @param recheckAt when the status changes although no object does
    public record Change(List<Command> commands, JsonObject status, Optional<Instant> recheckAt) {

        public Change {
            commands = List.copyOf(commands);
        }
    }

    private DeploymentRules() {}

    public static Change change(Workload deployment, Collection<Workload> sets, Instant now) {
        var template = deployment.spec().objectOrEmpty("template");
        var newest = sets.stream().filter(set -> template(set).equals(template)).findFirst();
        var old = sets.stream().filter(set -> !newest.equals(Optional.of(set))).toList();
        var counts = counts(deployment, newest, sets);
        var conditions = new DeploymentConditions(deployment, counts, now);
        var name = newest.map(Workload::name).orElseGet(() -> replicaSetName(deployment));
        var isNew = newest.isEmpty() && !deployment.isDeleting();
        var newestFirst = Stream.concat(newest.stream(), old.stream()).toList();
        var status =
                counts.with(
                        "conditions",
                        conditions.all(name, isNew, unavailable(deployment), newestFirst));
        if (deployment.isDeleting()) {
            return new Change(List.of(), status, Optional.empty());
        }
        var annotations = DeploymentRevisions.annotations(deployment, newest, old);
        var commands =
                isRecreating(deployment)
                        ? recreate(deployment, annotations, newest, old)
                        : rollingUpdate(deployment, annotations, newest, old);
        assignRevision(deployment, annotations, newest, commands);
        return new Change(commands, status, conditions.timesOutAfter(status));
    }

    /// The status after the creation of the newest ReplicaSet failed.
    public static JsonObject withCreateError(
            Workload deployment, JsonObject status, String message, Instant now) {
        var conditions = new DeploymentConditions(deployment, status, now);
        return status.with(
                "conditions", conditions.withCreateError(status.objects("conditions"), message));
    }

    /// The template of a ReplicaSet without the label `pod-template-hash`.
    private static JsonObject template(Workload set) {
        var template = set.spec().objectOrEmpty("template");
        var metadata = template.objectOrEmpty("metadata");
        var labels = metadata.objectOrEmpty("labels").without(HASH);
        return template.with("metadata", metadata.with("labels", labels));
    }

    private static void assignRevision(
            Workload deployment,
            JsonObject annotations,
            Optional<Workload> newest,
            List<Command> commands) {
        newest.filter(set -> !set.annotations().equals(annotations))
                .ifPresent(set -> commands.add(new Command.Annotate(set, annotations)));
        var revision = annotations.text(DeploymentRevisions.REVISION);
        if (!deployment.annotations().text(DeploymentRevisions.REVISION).equals(revision)) {
            commands.add(new Command.SetRevision(revision));
        }
    }

    private static String replicaSetName(Workload deployment) {
        return deployment.name() + "-" + hash(deployment.spec().objectOrEmpty("template"));
    }

    private static boolean isRecreating(Workload deployment) {
        return deployment.spec().objectOrEmpty("strategy").text("type").equals("Recreate");
    }

    private static List<Command> recreate(
            Workload deployment,
            JsonObject annotations,
            Optional<Workload> newest,
            List<Workload> old) {
        var commands = new ArrayList<Command>();
        for (var set : old) {
            if (desired(set) > 0) {
                commands.add(new Command.Scale(set, 0));
            }
        }
        var isEmpty =
                old.stream()
                        .allMatch(set -> statusCount(set, "replicas") == 0 && desired(set) == 0);
        if (isEmpty) {
            grow(deployment, annotations, newest, deployment.number("replicas", 1), commands);
        }
        return commands;
    }

    private static List<Command> rollingUpdate(
            Workload deployment,
            JsonObject annotations,
            Optional<Workload> newest,
            List<Workload> old) {
        var commands = new ArrayList<Command>();
        var replicas = deployment.number("replicas", 1);
        var surge = share(deployment, "maxSurge", true);
        var unavailable = unavailable(deployment);
        var oldWanted = old.stream().mapToLong(DeploymentRules::desired).sum();
        var now = newest.map(DeploymentRules::desired).orElse(0L);
        var room = Math.max(0, replicas + surge - oldWanted - now);
        grow(deployment, annotations, newest, Math.min(replicas, now + room), commands);
        var available =
                old.stream().mapToLong(set -> statusCount(set, "availableReplicas")).sum()
                        + newest.map(set -> statusCount(set, "availableReplicas")).orElse(0L);
        var spare = Math.max(0, available - (replicas - unavailable));
        for (var set : old) {
            var idle = Math.max(0, desired(set) - statusCount(set, "availableReplicas"));
            var taken = Math.min(spare, desired(set) - idle);
            spare -= taken;
            if (idle + taken > 0) {
                commands.add(new Command.Scale(set, desired(set) - idle - taken));
            }
        }
        return commands;
    }

    private static long desired(Workload set) {
        return set.number("replicas", 1);
    }

    private static long statusCount(Workload set, String count) {
        return set.status().number(count).orElse(0);
    }

    /// Number of pods that may be unavailable.
    private static long unavailable(Workload deployment) {
        if (isRecreating(deployment)) {
            return 0;
        }
        var unavailable = share(deployment, "maxUnavailable", false);
        return unavailable == 0 && share(deployment, "maxSurge", true) == 0 ? 1 : unavailable;
    }

    private static long share(Workload deployment, String name, boolean up) {
        var replicas = deployment.number("replicas", 1);
        var bounds = deployment.spec().objectOrEmpty("strategy").objectOrEmpty("rollingUpdate");
        var number = bounds.number(name);
        if (number.isPresent()) {
            return number.getAsLong();
        }
        var text = bounds.string(name).orElse("25%");
        var percent = Long.parseLong(text.substring(0, text.length() - 1));
        return up
                ? Math.ceilDiv(percent * replicas, PERCENT)
                : Math.floorDiv(percent * replicas, PERCENT);
    }

    private static void grow(
            Workload deployment,
            JsonObject annotations,
            Optional<Workload> newest,
            long replicas,
            List<Command> commands) {
        if (newest.isEmpty()) {
            commands.add(new Command.Create(replicaSet(deployment, annotations, replicas)));
        } else if (desired(newest.get()) != replicas) {
            commands.add(new Command.Scale(newest.get(), replicas));
        }
    }

    private static JsonObject replicaSet(
            Workload deployment, JsonObject annotations, long replicas) {
        var template = deployment.spec().objectOrEmpty("template");
        var hash = hash(template);
        var described = template.objectOrEmpty("metadata");
        var labels = described.objectOrEmpty("labels").with(HASH, Json.of(hash));
        var selector = deployment.spec().objectOrEmpty("selector");
        var matched = selector.objectOrEmpty("matchLabels").with(HASH, Json.of(hash));
        return JsonObject.of("apiVersion", Json.of("apps/v1"))
                .with("kind", Json.of("ReplicaSet"))
                .with(
                        "metadata",
                        JsonObject.of("name", Json.of(replicaSetName(deployment)))
                                .with("namespace", Json.of(deployment.namespace()))
                                .with("labels", labels)
                                .with("annotations", annotations)
                                .with(
                                        "ownerReferences",
                                        Json.array(
                                                deployment.ownerReference(
                                                        "apps/v1", "Deployment"))))
                .with(
                        "spec",
                        JsonObject.of("replicas", Json.of(replicas))
                                .with("selector", selector.with("matchLabels", matched))
                                .with(
                                        "template",
                                        template.with(
                                                "metadata", described.with("labels", labels))));
    }

    /// A short hash of a template.
    static String hash(JsonObject template) {
        var hash = 0xcbf29ce484222325L;
        var text = JsonWriter.compact(template);
        for (var i = 0; i < text.length(); i++) {
            hash = (hash ^ text.charAt(i)) * 0x100000001b3L;
        }
        var name = new StringBuilder();
        for (var i = 0; i < 10; i++) {
            name.append(ALPHABET.charAt((int) Long.remainderUnsigned(hash, ALPHABET.length())));
            hash = Long.divideUnsigned(hash, ALPHABET.length());
        }
        return name.toString();
    }

    private static JsonObject counts(
            Workload deployment, Optional<Workload> newest, Collection<Workload> sets) {
        var replicas = sets.stream().mapToLong(set -> statusCount(set, "replicas")).sum();
        var ready = sets.stream().mapToLong(set -> statusCount(set, "readyReplicas")).sum();
        var desired = sets.stream().mapToLong(DeploymentRules::desired).sum();
        return JsonObject.of(
                        "observedGeneration",
                        Json.of(deployment.metadata().number("generation").orElse(0)))
                .with("replicas", Json.of(replicas))
                .with(
                        "updatedReplicas",
                        Json.of(newest.map(set -> statusCount(set, "replicas")).orElse(0L)))
                .with("readyReplicas", Json.of(ready))
                .with("availableReplicas", Json.of(ready))
                .with("unavailableReplicas", Json.of(Math.max(0, desired - ready)));
    }
}
