package dev.berth.app.cluster;

import dev.berth.app.manifest.Doorway;
import dev.berth.app.manifest.Manifest;
import dev.berth.app.manifest.ManifestReader;
import dev.berth.core.admission.FeatureGates;
import dev.berth.core.explain.ClusterObjects;
import dev.berth.core.place.Namespaces;
import dev.berth.core.place.Storage;
import dev.berth.core.place.Surroundings;
import dev.berth.core.plan.Scenario;
import dev.berth.model.api.DeviceClass;
import dev.berth.model.api.DeviceTaintRule;
import dev.berth.model.api.KubernetesObject;
import dev.berth.model.api.Node;
import dev.berth.model.api.ObjectRef;
import dev.berth.model.api.PersistentVolume;
import dev.berth.model.api.PersistentVolumeClaim;
import dev.berth.model.api.Pod;
import dev.berth.model.api.PodPhase;
import dev.berth.model.api.ResourceClaim;
import dev.berth.model.api.ResourceClaimTemplate;
import dev.berth.model.api.ResourceSlice;
import dev.berth.model.api.StorageClass;
import dev.berth.model.codec.Decoded;
import dev.berth.model.json.FieldPath;
import dev.berth.model.json.Json;
import dev.berth.model.json.JsonObject;
import java.io.IOException;
import java.io.InputStream;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.Set;

/// Sorts what files contain into a cluster and a workload.
///
/// Pods that have a node belong to the cluster, as do nodes, slices, classes and claims. Pods
/// without a node, and whatever makes pods, are the workload.
public final class ClusterFiles {

    private static final Set<String> NAMESPACED =
            Set.of("Pod", "ResourceClaim", "ResourceClaimTemplate", "PersistentVolumeClaim");

    private final Doorway doorway;
    private final List<String> problems = new ArrayList<>();
    private final List<Node> nodes = new ArrayList<>();
    private final List<ResourceSlice> slices = new ArrayList<>();
    private final List<DeviceClass> classes = new ArrayList<>();
    private final List<DeviceTaintRule> rules = new ArrayList<>();
    private final List<ResourceClaim> claims = new ArrayList<>();
    private final List<ResourceClaimTemplate> templates = new ArrayList<>();
    private final List<Pod> bound = new ArrayList<>();
    private final List<Pod> unbound = new ArrayList<>();
    private final List<Manifest> makers = new ArrayList<>();
    private final Map<ObjectRef, PersistentVolumeClaim> volumeClaims = new LinkedHashMap<>();
    private final List<PersistentVolume> volumes = new ArrayList<>();
    private final List<StorageClass> storageClasses = new ArrayList<>();
    private final Map<String, Map<String, String>> namespaces = new HashMap<>();

    public ClusterFiles(FeatureGates gates, Instant now) {
        this.doorway = new Doorway(gates, now);
    }

    public void read(List<String> files, InputStream standardInput) {
        var reader = new ManifestReader();
        for (var file : files) {
            try {
                reader.read(file, standardInput);
            } catch (IOException e) {
                problems.add("cannot read " + e.getMessage());
            }
        }
        for (var text : reader.unreadable()) {
            problems.add(
                    "%s:%d:%d: %s"
                            .formatted(text.file(), text.line(), text.column(), text.reason()));
        }
        reader.manifests().forEach(this::keep);
    }

    private void keep(Manifest manifest) {
        if (PodMaker.isOne(manifest.kind())) {
            makers.add(manifest);
            return;
        }
        if (manifest.kind().equals("Namespace")) {
            keepNamespace(manifest.object().objectOrEmpty("metadata"));
            return;
        }
        var decoded = doorway.enter(named(manifest.object()));
        if (decoded.isPresent()) {
            switch (decoded.get()) {
                case Decoded.Read<? extends KubernetesObject> read -> keep(read.object());
                case Decoded.Refused<? extends KubernetesObject> refused ->
                        refuse(manifest, refused.message());
            }
        }
    }

    private void keepNamespace(JsonObject metadata) {
        var labels = metadata.objectOrEmpty("labels");
        var all = new HashMap<String, String>();
        labels.names().forEach(name -> all.put(name, labels.text(name)));
        namespaces.put(metadata.text("name"), all);
    }

    /// A claim to a volume that pods would get; one that is there already stays.
    void keepIfNew(PersistentVolumeClaim claim) {
        volumeClaims.putIfAbsent(claim.ref(), claim);
    }

    void refuse(Manifest manifest, String message) {
        var at = manifest.place(FieldPath.ROOT);
        problems.add(
                "%s:%d:%d: %s %s: %s"
                        .formatted(
                                manifest.file(),
                                at.line(),
                                at.column(),
                                manifest.kind(),
                                manifest.object().objectOrEmpty("metadata").text("name"),
                                message));
    }

    /// The server would fill in a namespace.
    private static JsonObject named(JsonObject object) {
        var metadata = object.objectOrEmpty("metadata");
        var isComplete =
                !NAMESPACED.contains(object.text("kind")) || !metadata.text("namespace").isEmpty();
        return isComplete
                ? object
                : object.with("metadata", metadata.with("namespace", Json.of("default")));
    }

    private void keep(KubernetesObject object) {
        switch (object) {
            case Node node -> nodes.add(node);
            case ResourceSlice slice -> slices.add(slice);
            case DeviceClass deviceClass -> classes.add(deviceClass);
            case DeviceTaintRule rule -> rules.add(rule);
            case ResourceClaim claim -> claims.add(claim);
            case ResourceClaimTemplate template -> templates.add(template);
            case Pod pod -> keepPod(pod);
            case PersistentVolumeClaim claim -> volumeClaims.put(claim.ref(), claim);
            case PersistentVolume volume -> volumes.add(volume);
            case StorageClass one -> storageClasses.add(one);
            default -> {}
        }
    }

    private void keepPod(Pod pod) {
        var isOver =
                pod.status().phase() == PodPhase.Known.SUCCEEDED
                        || pod.status().phase() == PodPhase.Known.FAILED;
        if (!isOver) {
            (pod.spec().nodeName().isEmpty() ? unbound : bound).add(pod);
        }
    }

    /// The cluster, and the pods that are still to be placed.
    ///
    /// @param replicas how many pods each maker of pods makes, whatever it says itself
    public Scenario scenario(OptionalInt replicas) {
        var orders = new ArrayList<Scenario.Order>();
        for (var pod : unbound) {
            var group = "pod " + pod.ref();
            for (var copy : Copies.of(pod, replicas)) {
                orders.add(new Scenario.Order(group, copy));
            }
        }
        var present = new PresentPods(bound, unbound, makers);
        for (var manifest : makers) {
            new PodMaker(manifest, doorway, this)
                    .orders(replicas, present, nodes)
                    .forEach(orders::add);
        }
        return new Scenario(
                nodes, slices, classes, rules, claims, templates, bound, orders, surroundings());
    }

    private Surroundings surroundings() {
        return new Surroundings(
                Storage.of(volumeClaims.values(), volumes, storageClasses, false),
                new Namespaces(namespaces));
    }

    /// All objects, for questions about one of them.
    public ClusterObjects objects() {
        var pods = new ArrayList<>(bound);
        pods.addAll(unbound);
        return new ClusterObjects(
                nodes, classes, slices, rules, claims, templates, pods, surroundings());
    }

    /// What could not be read, each with its place.
    public List<String> problems() {
        return List.copyOf(problems);
    }
}
