package dev.berth.control.events;

import dev.berth.client.Request;
import dev.berth.client.RequestResult;
import dev.berth.client.ResourcePath;
import dev.berth.control.ControlPlane;
import dev.berth.core.admission.gate.FeatureGates;
import dev.berth.inprocess.EmbeddedCluster;
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
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.TreeMap;
import java.util.function.BooleanSupplier;

/// A server with all controllers, stepped by the test with a clock that only the test advances, for
/// stories about events and statuses.
final class EventStoryCluster implements AutoCloseable {

    static final ResourcePath PODS = new ResourcePath("", "v1", "pods");
    static final ResourcePath NODES = new ResourcePath("", "v1", "nodes");
    static final ResourcePath QUOTAS = new ResourcePath("", "v1", "resourcequotas");
    static final ResourcePath DEPLOYMENTS = new ResourcePath("apps", "v1", "deployments");
    static final ResourcePath REPLICA_SETS = new ResourcePath("apps", "v1", "replicasets");
    static final ResourcePath JOBS = new ResourcePath("batch", "v1", "jobs");
    static final ResourcePath BUDGETS = new ResourcePath("policy", "v1", "poddisruptionbudgets");

    private static final String NAMESPACE = "default";
    private static final Duration TIMEOUT = Duration.ofSeconds(60);
    private static final Duration STEP = Duration.ofMillis(20);

    private volatile Instant now = Instant.now().truncatedTo(ChronoUnit.SECONDS);
    private final ApiServer server;
    private final EmbeddedCluster cluster;
    private final ControlPlane plane;

    EventStoryCluster(Path directory) {
        var gates = FeatureGates.defaults();
        server =
                ApiServer.start(
                        ServerSettings.in(directory)
                                .withStore(new StoreChoice.Memory())
                                .withGates(gates)
                                .withClock(clock())
                                .withAddress("127.0.0.1", 0));
        cluster = new EmbeddedCluster(server, User.of("test", User.MASTERS), "berth-test");
        plane = new ControlPlane(cluster, clock(), ControlPlane.Options.defaults(gates));
        plane.startStepwise();
    }

    private Clock clock() {
        return new Clock() {
            @Override
            public ZoneId getZone() {
                return ZoneOffset.UTC;
            }

            @Override
            public Clock withZone(ZoneId zone) {
                return this;
            }

            @Override
            public Instant instant() {
                return now;
            }
        };
    }

    Instant now() {
        return now;
    }

    void advance(Duration time) {
        now = now.plus(time);
    }

    /// Steps all controllers until a condition holds; time passes meanwhile.
    void until(String what, BooleanSupplier condition) {
        until(what, STEP, condition);
    }

    /// @param idleStep how far time advances when nothing is due
    void until(String what, Duration idleStep, BooleanSupplier condition) {
        var end = System.nanoTime() + TIMEOUT.toNanos();
        while (!condition.getAsBoolean()) {
            if (plane.step(now)) {
                advance(STEP);
            } else {
                sleep();
                advance(idleStep);
            }
            if (System.nanoTime() > end) {
                throw new AssertionError("timed out: " + what + "\n" + events("", ""));
            }
        }
    }

    private static void sleep() {
        try {
            Thread.sleep(2);
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    /// Creates an object, with its status.
    JsonObject create(ResourcePath address, String yaml) {
        return create(address, NAMESPACE, yaml);
    }

    JsonObject create(ResourcePath address, String namespace, String yaml) {
        var tree = tree(yaml);
        var created = done(cluster.send(Request.Create.of(address, namespace, tree)));
        return tree.object("status")
                .map(status -> {
                    var name = created.objectOrEmpty("metadata").text("name");
                    return patch(
                            address, namespace, name, "status", JsonObject.of("status", status));
                })
                .orElse(created);
    }

    static JsonObject tree(String yaml) {
        if (YamlReader.read(yaml) instanceof ParseResult.Documents(var documents)
                && documents.getFirst().root() instanceof JsonObject tree) {
            return tree;
        }
        throw new IllegalArgumentException(yaml);
    }

    JsonObject patch(ResourcePath address, String name, String yaml) {
        return patch(address, NAMESPACE, name, "", tree(yaml));
    }

    JsonObject patchStatus(ResourcePath address, String name, String yaml) {
        return patch(address, NAMESPACE, name, "status", tree(yaml));
    }

    JsonObject patch(
            ResourcePath address,
            String namespace,
            String name,
            String subresource,
            JsonObject change) {
        return done(
                cluster.send(
                        new Request.Patch(
                                address,
                                namespace,
                                name,
                                subresource,
                                Request.PatchType.MERGE,
                                change)));
    }

    void bind(String pod, String node) {
        var binding =
                tree(
                        """
                        apiVersion: v1
                        kind: Binding
                        metadata: {name: %s}
                        target: {apiVersion: v1, kind: Node, name: %s}
                        """
                                .formatted(pod, node));
        done(cluster.send(new Request.Create(PODS, NAMESPACE, pod, "binding", binding)));
    }

    /// Sets a pod Running and Ready.
    void ready(String pod) {
        patchStatus(
                PODS,
                pod,
                """
                status:
                  phase: Running
                  conditions:
                  - {type: Ready, status: "True", lastTransitionTime: "%s"}
                """
                        .formatted(now));
    }

    void phase(String pod, String phase) {
        patchStatus(PODS, pod, "status: {phase: %s}".formatted(phase));
    }

    /// Evicts a pod; the result of the request.
    RequestResult evict(String pod) {
        var eviction =
                tree(
                        """
                        apiVersion: policy/v1
                        kind: Eviction
                        metadata: {name: %s}
                        """
                                .formatted(pod));
        return cluster.send(new Request.Create(PODS, NAMESPACE, pod, "eviction", eviction));
    }

    void delete(ResourcePath address, String namespace, String name) {
        done(
                cluster.send(
                        new Request.Delete(
                                address, namespace, name, Optional.empty(), OptionalLong.of(0))));
    }

    JsonObject get(ResourcePath address, String name) {
        return done(cluster.send(new Request.Get(address, NAMESPACE, name)));
    }

    JsonObject status(ResourcePath address, String name) {
        return get(address, name).objectOrEmpty("status");
    }

    /// A condition as `status reason: message`; empty if the object does not have it.
    String condition(ResourcePath address, String name, String type) {
        return status(address, name).objects("conditions").stream()
                .filter(one -> one.text("type").equals(type))
                .map(one ->
                        "%s %s: %s"
                                .formatted(
                                        one.text("status"),
                                        one.text("reason"),
                                        one.text("message")))
                .findFirst()
                .orElse("");
    }

    List<JsonObject> list(ResourcePath address) {
        return done(cluster.send(new Request.Get(address, NAMESPACE, ""))).objects("items");
    }

    List<String> pods() {
        return list(PODS).stream()
                .map(pod -> pod.objectOrEmpty("metadata").text("name"))
                .sorted()
                .toList();
    }

    /// The events of objects of a kind, as `kubectl describe` shows them but for age and count.
    /// Generated suffixes of names are masked, and equal events are counted.
    ///
    /// @param name prefix of the name of the objects
    String events(String kind, String name) {
        var lines = new TreeMap<String, Integer>();
        for (var event : list(ResourcePath.EVENTS)) {
            var object = event.objectOrEmpty("involvedObject");
            if ((kind.isEmpty() || object.text("kind").equals(kind))
                    && object.text("name").startsWith(name)) {
                lines.merge(line(event), 1, Integer::sum);
            }
        }
        var text = new StringBuilder();
        lines.forEach((line, count) -> text.append(count > 1 ? count + "x " : "").append(line));
        return text.toString();
    }

    private static String line(JsonObject event) {
        var component = event.objectOrEmpty("source").text("component");
        var path = event.objectOrEmpty("involvedObject").text("fieldPath");
        return "%s %s %s%n    %s%s%n"
                .formatted(
                        event.text("type"),
                        event.text("reason"),
                        component.isEmpty() ? event.text("reportingComponent") : component,
                        path.isEmpty() ? "" : path + ": ",
                        masked(event.text("message")));
    }

    /// Replaces the generated suffix of a name by `*`, and that of a ReplicaSet by `#`.
    private static String masked(String text) {
        return text.replaceAll("\\b(\\w+)-[bcdfghjklmnpqrstvwxz24-9]{10}(?=[-\\s\":.]|$)", "$1-#")
                .replaceAll("((?:-#|\\bjob|\\bclaim)-)[bcdfghjklmnpqrstvwxz24-9]{5}\\b", "$1*");
    }

    void label(String pod, String name, String value) {
        var labels = JsonObject.of(name, Json.of(value));
        patch(PODS, NAMESPACE, pod, "", JsonObject.of("metadata", JsonObject.of("labels", labels)));
    }

    private static JsonObject done(RequestResult result) {
        if (result instanceof RequestResult.Done(var object)) {
            return object;
        }
        throw new AssertionError(result.toString());
    }

    @Override
    public void close() {
        plane.close();
        cluster.close();
        server.close();
    }
}
