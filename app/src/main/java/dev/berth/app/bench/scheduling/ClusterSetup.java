package dev.berth.app.bench.scheduling;

import static dev.berth.app.bench.scheduling.YamlObjects.json;

import dev.berth.client.Cluster;
import dev.berth.client.ResourcePath;
import dev.berth.model.codec.Kinds;
import dev.berth.model.json.JsonObject;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;

/// Creates and deletes the nodes, slices, classes and namespace of a shape.
final class ClusterSetup {

    static final String NAMESPACE = "berth-bench";
    static final String TEMPLATE = "wish";

    static final ResourcePath PODS = ResourcePath.of(Kinds.POD);
    static final ResourcePath CLAIMS = ResourcePath.of(Kinds.RESOURCE_CLAIM);
    static final ResourcePath GROUPS =
            new ResourcePath("scheduling.k8s.io", "v1beta1", "podgroups");

    private static final ResourcePath NAMESPACES = new ResourcePath("", "v1", "namespaces");
    static final ResourcePath NODES = ResourcePath.of(Kinds.NODE);
    private static final ResourcePath SLICES = ResourcePath.of(Kinds.RESOURCE_SLICE);
    private static final ResourcePath CLASSES = ResourcePath.of(Kinds.DEVICE_CLASS);
    private static final ResourcePath TEMPLATES = ResourcePath.of(Kinds.RESOURCE_CLAIM_TEMPLATE);

    /// Timeout for deletions.
    private static final Duration TIMEOUT = Duration.ofMinutes(3);

    private static final Duration PAUSE = Duration.ofMillis(250);

    /// A collection with objects of the benchmark.
    private record BenchCollection(ResourcePath address, String namespace) {

        private boolean isOurs(JsonObject object) {
            return namespace.equals(NAMESPACE)
                    || object.objectOrEmpty("metadata").objectOrEmpty("labels").has(NAMESPACE);
        }
    }

    private static final List<BenchCollection> HEAPS =
            List.of(
                    new BenchCollection(PODS, NAMESPACE),
                    new BenchCollection(SLICES, ""),
                    new BenchCollection(NODES, ""),
                    new BenchCollection(CLASSES, ""),
                    new BenchCollection(Heartbeats.LEASES, Heartbeats.NAMESPACE));

    private final BulkRequests sending;
    private final WorkloadShape shape;
    private final List<String> nodes;

    ClusterSetup(Cluster cluster, WorkloadShape shape, int nodes) {
        this.sending = new BulkRequests(cluster);
        this.shape = shape;
        this.nodes = IntStream.range(0, nodes).mapToObj("bench-%05d"::formatted).toList();
    }

    List<JsonObject> nodeObjects() {
        return nodes.stream().map(ClusterSetup::node).toList();
    }

    List<JsonObject> slices() {
        return nodes.stream().flatMap(node -> shape.hardware().apply(node).stream()).toList();
    }

    List<JsonObject> classes() {
        var classes = new ArrayList<>(shape.classes());
        classes.add(
                json(
                        """
                        {"apiVersion":"resource.k8s.io/v1","kind":"DeviceClass","metadata":{"name":
                        "%s","labels":{"berth-bench":"yes"}},"spec":{"selectors":[{"cel":
                        {"expression":"device.driver == '%s'"}}]}}
                        """,
                        WorkloadShapes.CLASS, BenchSlices.DRIVER));
        return classes;
    }

    JsonObject claim(String name) {
        return json(
                        """
                        {"apiVersion":"resource.k8s.io/v1","kind":"ResourceClaim","metadata":
                        {"name":"%s","namespace":"%s"}}
                        """,
                        name, NAMESPACE)
                .with("spec", JsonObject.of("devices", shape.devices()));
    }

    void set() throws InterruptedException {
        sending.create(
                NAMESPACES,
                "",
                json(
                        """
                        {"apiVersion":"v1","kind":"Namespace","metadata":{"name":"%s"}}
                        """,
                        NAMESPACE));
        BulkRequests.each(classes(), one -> sending.createWhole(CLASSES, "", one));
        BulkRequests.each(nodeObjects(), one -> sending.create(NODES, "", one));
        BulkRequests.each(slices(), one -> sending.createWhole(SLICES, "", one));
        var template =
                json(
                        """
                        {"apiVersion":"resource.k8s.io/v1","kind":"ResourceClaimTemplate",
                        "metadata":{"name":"%s","namespace":"%s"}}
                        """,
                        TEMPLATE, NAMESPACE);
        var inner = JsonObject.of("spec", JsonObject.of("devices", shape.devices()));
        sending.createWhole(TEMPLATES, NAMESPACE, template.with("spec", inner));
    }

    private static JsonObject node(String name) {
        return json(
                        """
                        {"apiVersion":"v1","kind":"Node","metadata":{"name":"%s","labels":
                        {"berth-bench":"yes","kubernetes.io/hostname":"%s"}}}
                        """,
                        name, name)
                .with("status", nodeStatus());
    }

    /// The status of a ready node.
    static JsonObject nodeStatus() {
        return json(
                """
                {"capacity":{"cpu":"4","memory":"32Gi","pods":"110"},
                "allocatable":{"cpu":"4","memory":"32Gi","pods":"110"},
                "conditions":[{"type":"Ready","status":"True","reason":"Bench"}]}
                """);
    }

    /// Deletes all objects of this and of interrupted runs, and returns when they are gone. Pods
    /// are deleted before the namespace: no kubelet runs them, so none would report their end.
    void clear() throws InterruptedException {
        var end = System.nanoTime() + TIMEOUT.toNanos();
        while (true) {
            var left = new ArrayList<String>();
            for (var heap : HEAPS) {
                var objects = sending.all(heap.address, heap.namespace);
                var names = objects.stream().filter(heap::isOurs).map(ClusterSetup::name).toList();
                BulkRequests.each(names, one -> sending.remove(heap.address, heap.namespace, one));
                names.forEach(one -> left.add(heap.address.plural() + " " + one));
            }
            if (sending.remove(NAMESPACES, "", NAMESPACE)) {
                left.add("namespace " + NAMESPACE);
            }
            if (left.isEmpty()) {
                return;
            }
            if (System.nanoTime() > end) {
                throw new IllegalStateException(
                        "%s is still there %d s after it was deleted; see what holds it"
                                .formatted(left.getLast(), TIMEOUT.toSeconds()));
            }
            Thread.sleep(PAUSE);
        }
    }

    List<String> nodes() {
        return nodes;
    }

    static String name(JsonObject object) {
        return object.objectOrEmpty("metadata").text("name");
    }
}
