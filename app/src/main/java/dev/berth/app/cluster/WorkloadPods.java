package dev.berth.app.cluster;

import dev.berth.app.manifest.Manifest;
import dev.berth.app.manifest.ManifestAdmission;
import dev.berth.client.ResourcePath;
import dev.berth.core.place.filter.NodeFilters;
import dev.berth.core.plan.PlanInput;
import dev.berth.model.api.meta.ObjectRef;
import dev.berth.model.api.node.Node;
import dev.berth.model.api.pod.Pod;
import dev.berth.model.api.storage.PersistentVolumeClaim;
import dev.berth.model.codec.Decoded;
import dev.berth.model.json.Json;
import dev.berth.model.json.JsonObject;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;

/// A workload controller (Deployment, Job, StatefulSet, …) and the pods that it would create.
final class WorkloadPods {

    private static final Set<String> KINDS =
            Set.of(
                    "Deployment",
                    "ReplicaSet",
                    "ReplicationController",
                    "StatefulSet",
                    "DaemonSet",
                    "Job",
                    "CronJob");

    private final Manifest manifest;
    private final ManifestAdmission doorway;
    private final ClusterFiles files;
    private final String kind;
    private final ObjectRef ref;

    WorkloadPods(Manifest manifest, ManifestAdmission doorway, ClusterFiles files) {
        this.manifest = manifest;
        this.doorway = doorway;
        this.files = files;
        this.kind = manifest.kind();
        this.ref = ref(manifest);
    }

    static boolean isOne(String kind) {
        return KINDS.contains(kind);
    }

    /// The resources to read for a kind: its own, and that of the controllers which it owns.
    static List<ResourcePath> resources(String kind) {
        var own =
                switch (kind) {
                    case "Job", "CronJob" -> new ResourcePath("batch", "v1", plural(kind));
                    case "ReplicationController" -> new ResourcePath("", "v1", plural(kind));
                    default -> new ResourcePath("apps", "v1", plural(kind));
                };
        return switch (kind) {
            case "Deployment" -> List.of(own, new ResourcePath("apps", "v1", "replicasets"));
            case "CronJob" -> List.of(own, new ResourcePath("batch", "v1", "jobs"));
            default -> List.of(own);
        };
    }

    private static String plural(String kind) {
        return kind.toLowerCase(Locale.ROOT) + "s";
    }

    static boolean isSame(Manifest one, Manifest other) {
        return one.kind().equals(other.kind()) && ref(one).equals(ref(other));
    }

    static ObjectRef ref(Manifest manifest) {
        var metadata = manifest.object().objectOrEmpty("metadata");
        return new ObjectRef(metadata.string("namespace").orElse("default"), metadata.text("name"));
    }

    boolean isNamed(String otherKind, ObjectRef other) {
        return kind.equals(otherKind) && ref.equals(other);
    }

    /// The workload with its pods, the controllers that it owns, and the events about them.
    WorkloadState workload(ExistingPods present, List<Node> nodes, ClusterWorkloads all) {
        var dependents =
                all.controllers().stream()
                        .filter(other -> ref(other).namespace().equals(ref.namespace()))
                        .map(Manifest::object)
                        .filter(this::owns)
                        .toList();
        var names = new HashSet<String>();
        names.add(kind + "/" + ref.name());
        for (var one : dependents) {
            names.add(one.text("kind") + "/" + one.objectOrEmpty("metadata").text("name"));
        }
        return new WorkloadState(
                kind,
                ref,
                manifest.object(),
                dependents,
                all.events().stream().filter(event -> isAbout(event, names)).toList(),
                present.of(kind, ref),
                missing(new ReplicaCount.AsWritten(), present, nodes).stream()
                        .map(PlanInput.PendingPod::pod)
                        .toList());
    }

    private boolean owns(JsonObject object) {
        return object.objectOrEmpty("metadata").objects("ownerReferences").stream()
                .anyMatch(owner ->
                        owner.flag("controller").orElse(false)
                                && owner.text("kind").equals(kind)
                                && owner.text("name").equals(ref.name()));
    }

    private boolean isAbout(JsonObject event, Set<String> names) {
        var about = event.objectOrEmpty("involvedObject");
        return about.text("namespace").equals(ref.namespace())
                && names.contains(about.text("kind") + "/" + about.text("name"));
    }

    /// The pods that do not exist yet.
    List<PlanInput.PendingPod> orders(
            ReplicaCount replicas, ExistingPods present, List<Node> nodes) {
        return isMadeByAnother() ? List.of() : missing(replicas, present, nodes);
    }

    /// The workload with the number of its pods.
    ///
    /// @param planned pods that do not exist yet
    PlanInput.Workload summary(ExistingPods present, int planned) {
        return new PlanInput.Workload(kind + " " + ref, present.count(kind, ref), planned);
    }

    private List<PlanInput.PendingPod> missing(
            ReplicaCount replicas, ExistingPods present, List<Node> nodes) {
        var pod = pod();
        if (pod.isEmpty()) {
            return List.of();
        }
        var group = kind + " " + ref;
        var orders = new ArrayList<PlanInput.PendingPod>();
        if (kind.equals("DaemonSet")) {
            addDaemons(orders, pod.get(), present.nodes(kind, ref), nodes);
            return orders;
        }
        var first = present.count(kind, ref);
        for (var i = first; i < replicas.total(first, replicas()); i++) {
            var named = PodCopies.named(pod.get(), ref.name() + "-" + i);
            orders.add(new PlanInput.PendingPod(group, withVolumes(named)));
        }
        return orders;
    }

    /// Adds the volumes of the volumeClaimTemplates of a StatefulSet.
    private Pod withVolumes(Pod pod) {
        var volumes = new ArrayList<>(pod.spec().volumes());
        for (var template : spec().objects("volumeClaimTemplates")) {
            var metadata = template.objectOrEmpty("metadata");
            var claim = metadata.text("name") + "-" + pod.metadata().name();
            volumes.add(
                    JsonObject.of("name", Json.of(metadata.text("name")))
                            .with(
                                    "persistentVolumeClaim",
                                    JsonObject.of("claimName", Json.of(claim))));
            var tree =
                    template.with("apiVersion", Json.of("v1"))
                            .with("kind", Json.of("PersistentVolumeClaim"))
                            .with(
                                    "metadata",
                                    metadata.with("name", Json.of(claim))
                                            .with("namespace", Json.of(ref.namespace())));
            doorway.enter(tree)
                    .ifPresent(decoded -> {
                        if (decoded instanceof Decoded.Read<?> read
                                && read.object() instanceof PersistentVolumeClaim made) {
                            files.keepIfNew(made);
                        }
                    });
        }
        return volumes.size() == pod.spec().volumes().size()
                ? pod
                : new Pod(pod.metadata(), pod.spec().withVolumes(volumes), pod.status());
    }

    private void addDaemons(
            List<PlanInput.PendingPod> orders, Pod pod, Set<String> served, List<Node> nodes) {
        for (var node : nodes) {
            var one =
                    DaemonSetPods.on(
                            PodCopies.named(pod, ref.name() + "-" + node.name()), node.name());
            if (!served.contains(node.name()) && NodeFilters.isEligible(one, node)) {
                orders.add(new PlanInput.PendingPod(kind + " " + ref + " on " + node.name(), one));
            }
        }
    }

    private boolean isMadeByAnother() {
        return manifest.object().objectOrEmpty("metadata").objects("ownerReferences").stream()
                .anyMatch(reference -> reference.flag("controller").orElse(false));
    }

    private JsonObject spec() {
        var spec = manifest.object().objectOrEmpty("spec");
        return kind.equals("CronJob")
                ? spec.objectOrEmpty("jobTemplate").objectOrEmpty("spec")
                : spec;
    }

    private int replicas() {
        var spec = spec();
        if (!kind.equals("Job") && !kind.equals("CronJob")) {
            return (int) spec.number("replicas").orElse(1);
        }
        var atOnce = spec.number("parallelism").orElse(1);
        var succeeded = manifest.object().objectOrEmpty("status").number("succeeded").orElse(0);
        return (int) Math.min(atOnce, spec.number("completions").orElse(atOnce) - succeeded);
    }

    private Optional<Pod> pod() {
        var template = spec().objectOrEmpty("template");
        var metadata =
                template.objectOrEmpty("metadata")
                        .with("name", Json.of(ref.name()))
                        .with("namespace", Json.of(ref.namespace()));
        var tree =
                template.with("apiVersion", Json.of("v1"))
                        .with("kind", Json.of("Pod"))
                        .with("metadata", metadata);
        return switch (doorway.enter(tree).orElseThrow()) {
            case Decoded.Read<?> read when read.object() instanceof Pod pod -> Optional.of(pod);
            case Decoded.Read<?> _ -> Optional.empty();
            case Decoded.Refused<?> refused -> {
                files.refuse(manifest, "pod template: " + refused.message());
                yield Optional.empty();
            }
        };
    }
}
