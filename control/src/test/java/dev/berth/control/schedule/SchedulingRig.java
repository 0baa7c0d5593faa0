package dev.berth.control.schedule;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.client.Cluster;
import dev.berth.client.Request;
import dev.berth.client.RequestResult;
import dev.berth.client.ResourcePath;
import dev.berth.control.ControlPlane;
import dev.berth.control.Controller;
import dev.berth.core.admission.gate.FeatureGates;
import dev.berth.harness.Eventually;
import dev.berth.inprocess.EmbeddedCluster;
import dev.berth.model.codec.Kinds;
import dev.berth.model.json.Json;
import dev.berth.model.json.JsonObject;
import dev.berth.model.json.ParseResult;
import dev.berth.model.json.YamlReader;
import dev.berth.server.ApiServer;
import dev.berth.server.ServerSettings;
import dev.berth.server.StoreChoice;
import dev.berth.server.access.User;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.BooleanSupplier;
import java.util.function.UnaryOperator;

/// A server in memory with schedulers.
final class SchedulingRig implements AutoCloseable {

    static final Duration TIMEOUT = Duration.ofSeconds(20);

    private static final String NAMESPACE = "default";

    private final FeatureGates gates;
    private final ApiServer server;
    private final Cluster cluster;
    private final List<Scheduler> schedulers = new ArrayList<>();
    private final List<Cluster> clusters = new ArrayList<>();
    private final List<ControlPlane> planes = new ArrayList<>();
    final List<String> events = new CopyOnWriteArrayList<>();

    SchedulingRig(Path directory) {
        this(directory, FeatureGates.defaults());
    }

    SchedulingRig(Path directory, FeatureGates gates) {
        this(directory, gates, UnaryOperator.identity());
    }

    SchedulingRig(Path directory, FeatureGates gates, UnaryOperator<ServerSettings> change) {
        this.gates = gates;
        var settings =
                ServerSettings.in(directory)
                        .withGates(gates)
                        .withStore(new StoreChoice.Memory())
                        .withAddress("127.0.0.1", 0);
        server = ApiServer.start(change.apply(settings));
        cluster = connect("test");
    }

    Cluster connect(String name) {
        return new EmbeddedCluster(server, User.of(name, User.MASTERS), name);
    }

    Cluster cluster() {
        return cluster;
    }

    /// Starts the ResourceClaim controller.
    void control() {
        control(Controller.CLAIMS);
    }

    void control(Controller controller) {
        var as = connect("control");
        var options = ControlPlane.Options.defaults(gates).with(EnumSet.of(controller));
        var plane = new ControlPlane(as, Clock.systemUTC(), options);
        plane.start();
        planes.add(plane);
        clusters.add(as);
    }

    Scheduler schedule() {
        return schedule(SchedulerOptions.defaults(), connect("berth"));
    }

    Scheduler schedule(SchedulerOptions options, Cluster as) {
        EventSink sink =
                (pod, note) ->
                        events.add(
                                "%s %s %s"
                                        .formatted(
                                                pod.metadata().name(), note.reason(), note.text()));
        var scheduler = new Scheduler(as, Clock.systemUTC(), options, sink);
        scheduler.start();
        schedulers.add(scheduler);
        clusters.add(as);
        return scheduler;
    }

    /// Creates all objects of a YAML text.
    void create(String yaml) {
        if (!(YamlReader.read(yaml) instanceof ParseResult.Documents(var documents))) {
            throw new IllegalArgumentException("not YAML: " + yaml);
        }
        for (var document : documents) {
            create((JsonObject) document.root());
        }
    }

    JsonObject create(JsonObject object) {
        var kind =
                Kinds.byApiVersionAndKind(object.text("apiVersion"), object.text("kind"))
                        .orElseThrow();
        var namespace = kind.isNamespaced() ? NAMESPACE : "";
        var outcome = cluster.send(Request.Create.of(ResourcePath.of(kind), namespace, object));
        assertThat(outcome).isInstanceOf(RequestResult.Done.class);
        var made = ((RequestResult.Done) outcome).object();
        if (kind == Kinds.NODE) {
            // The status of a node is written separately.
            cluster.send(
                    new Request.Update(
                            ResourcePath.of(kind),
                            "",
                            object.objectOrEmpty("metadata").text("name"),
                            "status",
                            made.with("status", object.objectOrEmpty("status"))));
        }
        return made;
    }

    void delete(ResourcePath address, String namespace, String name) {
        cluster.send(
                new Request.Delete(address, namespace, name, Optional.empty(), OptionalLong.of(0)));
    }

    JsonObject get(ResourcePath address, String namespace, String name) {
        return cluster.send(new Request.Get(address, namespace, name))
                        instanceof RequestResult.Done(var object)
                ? object
                : JsonObject.EMPTY;
    }

    JsonObject pod(String name) {
        return get(ResourcePath.of(Kinds.POD), NAMESPACE, name);
    }

    JsonObject claim(String name) {
        return get(ResourcePath.of(Kinds.RESOURCE_CLAIM), NAMESPACE, name);
    }

    String nodeOf(String pod) {
        return pod(pod).objectOrEmpty("spec").text("nodeName");
    }

    String awaitNode(String pod) {
        await(() -> !nodeOf(pod).isEmpty(), "pod " + pod + " has no node");
        return nodeOf(pod);
    }

    /// The devices of a claim, in its order.
    List<String> devices(String claim) {
        return claim(claim)
                .objectOrEmpty("status")
                .objectOrEmpty("allocation")
                .objectOrEmpty("devices")
                .objects("results")
                .stream()
                .map(result -> result.text("device"))
                .toList();
    }

    List<String> users(String claim) {
        return claim(claim).objectOrEmpty("status").objects("reservedFor").stream()
                .map(user -> user.text("name"))
                .toList();
    }

    /// Allocates devices to a claim, as a scheduler without knowledge of other claims.
    RequestResult allocate(String claim, JsonObject... results) {
        var devices = JsonObject.of("results", Json.array(results));
        return update(claim, JsonObject.of("allocation", JsonObject.of("devices", devices)));
    }

    /// An allocation result with a device of the pool of node a.
    static JsonObject result(String device) {
        return JsonObject.of("request", Json.of("gpu"))
                .with("driver", Json.of("gpu.example.com"))
                .with("pool", Json.of("a"))
                .with("device", Json.of(device));
    }

    /// Writes the status of a claim.
    RequestResult update(String claim, JsonObject status) {
        return cluster.send(
                new Request.Update(
                        ResourcePath.of(Kinds.RESOURCE_CLAIM),
                        NAMESPACE,
                        claim,
                        "status",
                        claim(claim).with("status", status)));
    }

    /// The message of the pod's `PodScheduled=False` condition.
    String rejection(String pod) {
        return pod(pod).objectOrEmpty("status").objects("conditions").stream()
                .filter(condition -> condition.text("type").equals("PodScheduled"))
                .filter(condition -> condition.text("status").equals("False"))
                .map(condition -> condition.text("message"))
                .findFirst()
                .orElse("");
    }

    void awaitRejection(String pod) {
        await(() -> !rejection(pod).isEmpty(), "pod " + pod + " is not rejected");
    }

    void await(BooleanSupplier condition, String otherwise) {
        Eventually.holds(() -> otherwise + "; events: " + events, condition::getAsBoolean);
    }

    /// Whether this number of pods is bound and the rest is in the unschedulable queue.
    boolean isIdle(int placed) {
        return schedulers.stream()
                .map(Scheduler::status)
                .allMatch(s ->
                        s.bound() == placed && s.binding() == 0 && s.queue().unschedulable() > 0);
    }

    void node(String name) {
        create(
                """
                apiVersion: v1
                kind: Node
                metadata: {name: %s, labels: {kubernetes.io/hostname: %s}}
                status:
                  capacity: {cpu: "4", memory: 32Gi, pods: "110"}
                  allocatable: {cpu: "4", memory: 32Gi, pods: "110"}
                """
                        .formatted(name, name));
    }

    void deviceClass() {
        create(
                """
                apiVersion: resource.k8s.io/v1
                kind: DeviceClass
                metadata: {name: gpu}
                spec: {selectors: [{cel: {expression: device.driver == "gpu.example.com"}}]}
                """);
    }

    /// Publishes a slice of a node with devices gpu-0 and so on.
    void slice(String node, int devices) {
        var list = new ArrayList<Json>();
        for (var i = 0; i < devices; i++) {
            list.add(JsonObject.of("name", Json.of("gpu-" + i)));
        }
        slice(node, list);
    }

    void slice(String node, List<Json> devices) {
        var pool =
                JsonObject.of("name", Json.of(node))
                        .with("generation", Json.of(1))
                        .with("resourceSliceCount", Json.of(1));
        var spec =
                JsonObject.of("driver", Json.of("gpu.example.com"))
                        .with("nodeName", Json.of(node))
                        .with("pool", pool)
                        .with("devices", Json.array(devices));
        create(
                JsonObject.of("apiVersion", Json.of("resource.k8s.io/v1"))
                        .with("kind", Json.of("ResourceSlice"))
                        .with("metadata", JsonObject.of("name", Json.of(node + "-gpus")))
                        .with("spec", spec));
    }

    /// Creates a claim for one device.
    void claimOne(String name) {
        claim(name, "requests: [{name: gpu, exactly: {deviceClassName: gpu}}]");
    }

    void claim(String name, String devices) {
        create(
                """
                apiVersion: resource.k8s.io/v1
                kind: ResourceClaim
                metadata: {name: %s}
                spec: {devices: {%s}}
                """
                        .formatted(name, devices));
    }

    void podWith(String name, String claim) {
        create(
                """
                apiVersion: v1
                kind: Pod
                metadata: {name: %s}
                spec:
                  schedulerName: berth
                  resourceClaims: [{name: devices, resourceClaimName: %s}]
                  containers: [{name: c, image: i, resources: {claims: [{name: devices}]}}]
                """
                        .formatted(name, claim));
    }

    @Override
    public void close() {
        schedulers.forEach(Scheduler::close);
        planes.forEach(ControlPlane::close);
        clusters.forEach(Cluster::close);
        cluster.close();
        server.close();
    }
}
