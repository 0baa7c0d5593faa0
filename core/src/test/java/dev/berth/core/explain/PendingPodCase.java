package dev.berth.core.explain;

import dev.berth.core.allocate.Allocator;
import dev.berth.core.allocate.rule.AllocatorFeature;
import dev.berth.core.explain.finding.ControlPlaneRecords;
import dev.berth.core.explain.text.PendingMessage;
import dev.berth.core.place.PlacementPolicy;
import dev.berth.core.schedule.ClaimInspection;
import dev.berth.core.schedule.PlacementDecider;
import dev.berth.core.schedule.SchedulingDecision;
import dev.berth.core.snapshot.ClusterContext;
import dev.berth.core.snapshot.ClusterInventory;
import dev.berth.core.snapshot.ClusterSnapshot;
import dev.berth.core.snapshot.ClusterVolumes;
import dev.berth.core.snapshot.NamespaceLabels;
import dev.berth.model.api.claim.DeviceClass;
import dev.berth.model.api.claim.ResourceClaim;
import dev.berth.model.api.claim.ResourceClaimTemplate;
import dev.berth.model.api.meta.KubernetesObject;
import dev.berth.model.api.meta.ObjectMeta;
import dev.berth.model.api.meta.ObjectRef;
import dev.berth.model.api.node.Node;
import dev.berth.model.api.pod.Pod;
import dev.berth.model.api.pod.ResourceQuota;
import dev.berth.model.api.slice.ResourceSlice;
import dev.berth.model.api.storage.PersistentVolume;
import dev.berth.model.api.storage.PersistentVolumeClaim;
import dev.berth.model.api.storage.StorageClass;
import dev.berth.model.api.taint.DeviceTaintRule;
import dev.berth.model.json.Json;
import dev.berth.model.json.JsonObject;
import dev.berth.model.json.ParseResult;
import dev.berth.model.json.YamlReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/// A cluster with a typical mistake, from `golden/pending/cases.yaml`.
///
/// The cluster has two nodes with eight GPUs and two shared NICs each, a node with a partitioned
/// GPU, and two nodes without devices. The pod `default/pod` uses claim `wanted`, which requests
/// one GPU.
record PendingPodCase(String name, List<String> names, ClusterObjects cluster) {

    private static final Path FILE = Path.of("src/test/resources/golden/pending/cases.yaml");
    static final Instant NOW = Instant.parse("2026-07-01T12:00:00Z");
    static final ObjectRef POD = new ObjectRef("default", "pod");

    static List<PendingPodCase> all() throws IOException {
        var cases = new ArrayList<PendingPodCase>();
        for (var document : documents(Files.readString(FILE))) {
            cases.add(of(document));
        }
        return cases;
    }

    private static List<JsonObject> documents(String yaml) {
        if (YamlReader.read(yaml) instanceof ParseResult.Documents(var documents)) {
            return documents.stream().map(one -> (JsonObject) one.root()).toList();
        }
        throw new IllegalArgumentException(yaml + YamlReader.read(yaml));
    }

    private static PendingPodCase of(JsonObject document) {
        var objects = new LinkedHashMap<String, JsonObject>();
        PendingPodCluster.objects().forEach(object -> put(objects, object));
        var isTemplate = document.flag("template").orElse(false);
        put(objects, claim(document, isTemplate));
        put(objects, pod(document.objectOrEmpty("pod"), isTemplate));
        for (var object : document.objects("objects")) {
            put(objects, object.has("held") ? held(object) : reserved(object));
        }
        var read = new ArrayList<KubernetesObject>();
        objects.values().forEach(object -> read.add(AdmittedObjects.of(object)));
        return new PendingPodCase(
                document.text("case"),
                document.strings("names"),
                cluster(read, document.flag("live").orElse(false)));
    }

    private static void put(Map<String, JsonObject> objects, JsonObject object) {
        var metadata = object.objectOrEmpty("metadata");
        var key = object.text("kind") + metadata.text("namespace") + "/" + metadata.text("name");
        var before = objects.get(key);
        objects.put(key, before == null ? object : merged(before, object));
    }

    /// Members of `changes` replace those of the object, one level deep.
    private static JsonObject merged(JsonObject object, JsonObject changes) {
        var result = object;
        for (var name : changes.names()) {
            var value = changes.memberOrNull(name);
            if (value instanceof JsonObject inner) {
                var sum = object.objectOrEmpty(name);
                for (var member : inner.names()) {
                    sum = sum.with(member, inner.memberOrNull(member));
                }
                value = sum;
            }
            result = result.with(name, value);
        }
        return result;
    }

    private static JsonObject claim(JsonObject document, boolean isTemplate) {
        var request = yaml("{deviceClassName: gpu.nvidia.com}");
        var changes = document.objectOrEmpty("request");
        for (var name : changes.names()) {
            request =
                    changes.memberOrNull(name) instanceof Json.JsonNull
                            ? request
                            : request.with(name, changes.memberOrNull(name));
        }
        var devices =
                document.has("devices")
                        ? document.objectOrEmpty("devices")
                        : JsonObject.of(
                                "requests",
                                Json.array(
                                        JsonObject.of("name", Json.of("gpu"))
                                                .with("exactly", request)));
        var spec = JsonObject.of("devices", devices);
        return yaml(("{apiVersion: resource.k8s.io/v1, kind: %s,"
                                + " metadata: {name: wanted, namespace: default}}")
                        .formatted(isTemplate ? "ResourceClaimTemplate" : "ResourceClaim"))
                .with("spec", isTemplate ? JsonObject.of("spec", spec) : spec);
    }

    private static JsonObject pod(JsonObject changes, boolean isTemplate) {
        var source = isTemplate ? "resourceClaimTemplateName" : "resourceClaimName";
        var pod =
                yaml(
                        """
                        apiVersion: v1
                        kind: Pod
                        metadata: {name: pod, namespace: default}
                        spec:
                          schedulerName: default-scheduler
                          containers: [{name: main}]
                          resourceClaims: [{name: gpu, %s: wanted}]
                        """
                                .formatted(source));
        return merged(pod, JsonObject.of("spec", changes));
    }

    /// A claim with as many reservations as its member `reservations` says.
    private static JsonObject reserved(JsonObject object) {
        if (!object.has("reservations")) {
            return object;
        }
        var consumers = new ArrayList<Json>();
        for (var i = 0; i < object.number("reservations").orElse(0); i++) {
            consumers.add(yaml("{resource: pods, name: web-%1$d, uid: web-%1$d}".formatted(i)));
        }
        var status = object.objectOrEmpty("status");
        return object.without("reservations")
                .with("status", status.with("reservedFor", Json.array(consumers)));
    }

    /// An allocated claim, in short form.
    private static JsonObject held(JsonObject object) {
        var pool = object.text("pool");
        var driver = pool.endsWith("nic") ? "nic.example.com" : "gpu.nvidia.com";
        var results = new ArrayList<Json>();
        for (var device : object.items("devices")) {
            var result =
                    JsonObject.of("request", Json.of("r"))
                            .with("driver", Json.of(driver))
                            .with("pool", Json.of(pool))
                            .with("device", device);
            if (object.flag("share").orElse(false)) {
                result =
                        result.with("shareID", Json.of("00000000-0000-4000-8000-000000000001"))
                                .with("consumedCapacity", object.objectOrEmpty("capacity"));
            }
            results.add(result);
        }
        var name = object.text("held");
        return yaml("""
        apiVersion: resource.k8s.io/v1
        kind: ResourceClaim
        metadata: {name: %s, namespace: default}
        spec: {devices: {requests: [{name: r, exactly: {deviceClassName: gpu.nvidia.com}}]}}
        """
                        .formatted(name))
                .with(
                        "status",
                        JsonObject.of(
                                        "allocation",
                                        JsonObject.of(
                                                "devices",
                                                JsonObject.of("results", Json.array(results))))
                                .with(
                                        "reservedFor",
                                        Json.array(
                                                yaml(
                                                        "{resource: pods, name: %1$s, uid: %1$s}"
                                                                .formatted(name)))));
    }

    static JsonObject yaml(String text) {
        return documents(text).getFirst();
    }

    private static <T> List<T> only(List<KubernetesObject> objects, Class<T> kind) {
        return objects.stream().filter(kind::isInstance).map(kind::cast).toList();
    }

    private static ClusterObjects cluster(List<KubernetesObject> objects, boolean isLive) {
        return new ClusterObjects(
                        only(objects, Node.class),
                        only(objects, DeviceClass.class),
                        only(objects, ResourceSlice.class),
                        only(objects, DeviceTaintRule.class),
                        only(objects, ResourceClaim.class),
                        only(objects, ResourceClaimTemplate.class),
                        only(objects, Pod.class),
                        new ClusterContext(
                                ClusterVolumes.of(
                                        only(objects, PersistentVolumeClaim.class),
                                        only(objects, PersistentVolume.class),
                                        only(objects, StorageClass.class),
                                        true),
                                NamespaceLabels.of(
                                        Map.of(
                                                "default",
                                                Map.of("kubernetes.io/metadata.name", "default")))))
                .with(
                        new ControlPlaneRecords(
                                isLive, only(objects, ResourceQuota.class), List.of(), Set.of()));
    }

    /// The same mistake in a cluster with more nodes like `h100-0`.
    PendingPodCase grown(int more) {
        var nodes = new ArrayList<>(cluster.nodes());
        var slices = new ArrayList<>(cluster.slices());
        for (var i = 0; i < more; i++) {
            var name = "more-" + i;
            for (var node : cluster.nodes()) {
                if (node.name().equals("h100-0")) {
                    nodes.add(
                            new Node(
                                    ObjectMeta.of(name).withLabels(node.labels()),
                                    node.spec(),
                                    node.status()));
                }
            }
            slices.add((ResourceSlice) AdmittedObjects.of(PendingPodCluster.gpuSlice(name)));
        }
        return new PendingPodCase(
                this.name,
                names,
                new ClusterObjects(
                        nodes,
                        cluster.classes(),
                        slices,
                        cluster.taintRules(),
                        cluster.claims(),
                        cluster.templates(),
                        cluster.pods(),
                        cluster.context()));
    }

    static ExplainOptions options() {
        return new ExplainOptions(
                EnumSet.allOf(AllocatorFeature.class),
                ClaimInspection.DEFAULT_BINDING_TIMEOUT,
                NOW);
    }

    Explanation explanation() {
        return explainer().explain(lookup());
    }

    private ClusterObjects.Lookup lookup() {
        return cluster.ofPod(options(), POD);
    }

    ExplainInputs inputs() {
        return ((ClusterObjects.Lookup.Found) lookup()).inputs();
    }

    private static Explainer explainer() {
        return new Explainer(new Allocator(Allocator.DEFAULT_BUDGET));
    }

    /// The message of the pod's condition and event.
    String condition() {
        var pod =
                cluster.pods().stream().filter(p -> p.ref().equals(POD)).findFirst().orElseThrow();
        return PendingMessage.of(POD, decision(pod), explainer().sentences(lookup()));
    }

    /// The message of the scheduler.
    private String decision(Pod pod) {
        var decider =
                new PlacementDecider(
                        new PlacementDecider.Options(
                                EnumSet.allOf(AllocatorFeature.class),
                                PlacementPolicy.KUBERNETES,
                                ClaimInspection.DEFAULT_BINDING_TIMEOUT,
                                true,
                                () -> "share"),
                        new Allocator(Allocator.DEFAULT_BUDGET));
        var snapshot =
                ClusterSnapshot.of(
                                ClusterInventory.of(
                                        cluster.nodes(),
                                        cluster.slices(options(), _ -> true),
                                        cluster.classes(),
                                        AllocatorFeature.rules(
                                                EnumSet.allOf(AllocatorFeature.class))),
                                cluster.usage())
                        .with(cluster.context());
        return switch (decider.decide(pod, snapshot, NOW)) {
            case SchedulingDecision.Unschedulable unschedulable -> unschedulable.message();
            case SchedulingDecision.Blocked(var reason) -> reason;
            case SchedulingDecision.Placed _ -> "";
        };
    }
}
