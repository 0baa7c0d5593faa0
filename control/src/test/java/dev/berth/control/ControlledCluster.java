package dev.berth.control;

import dev.berth.client.Cluster;
import dev.berth.client.Request;
import dev.berth.client.RequestResult;
import dev.berth.client.ResourcePath;
import dev.berth.core.admission.gate.FeatureGates;
import dev.berth.inprocess.SteppedCluster;
import dev.berth.model.api.meta.KubernetesObject;
import dev.berth.model.codec.Kind;
import dev.berth.model.json.Json;
import dev.berth.model.json.JsonObject;
import dev.berth.model.json.YamlReader;
import dev.berth.server.ServerSettings;
import dev.berth.server.SteppedServer;
import dev.berth.server.registry.IdSource;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.BooleanSupplier;
import java.util.function.UnaryOperator;

/// A server with all controllers, stepped by the test with a clock that only the test advances.
final class ControlledCluster implements AutoCloseable {

    private static final int MAX_STEPS = 20_000;
    private static final Duration STEP = Duration.ofMillis(20);

    private Instant now = Instant.now();
    private final SteppedServer server;
    private final SteppedCluster cluster;
    private final ControlPlane plane;

    ControlledCluster(Path directory, FeatureGates gates) {
        this(directory, gates, real -> real);
    }

    /// @param wrapper wraps the client of the controllers
    ControlledCluster(Path directory, FeatureGates gates, UnaryOperator<Cluster> wrapper) {
        server =
                new SteppedServer(
                        ServerSettings.in(directory).withGates(gates).withClock(clock()),
                        IdSource.random());
        cluster = new SteppedCluster(server, "berth-test");
        plane =
                new ControlPlane(
                        wrapper.apply(cluster), clock(), ControlPlane.Options.defaults(gates));
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

    /// Steps all components, and the clock, until a condition holds.
    void until(String what, BooleanSupplier condition) {
        for (var steps = 0; !condition.getAsBoolean(); steps++) {
            if (steps == MAX_STEPS) {
                throw new AssertionError("not after %d steps: %s".formatted(steps, what));
            }
            step();
            advance(STEP);
        }
    }

    /// Steps all components until nothing is due.
    void settle() {
        for (var steps = 0; step(); steps++) {
            if (steps == MAX_STEPS) {
                throw new AssertionError("still busy after %d steps".formatted(steps));
            }
        }
    }

    /// Delivers the events so far and runs each controller once.
    private boolean step() {
        var hasDelivered = cluster.step();
        return plane.step(now) || hasDelivered;
    }

    JsonObject create(ResourcePath address, String namespace, String yaml) {
        var tree = tree(yaml);
        var status = tree.object("status");
        var created = done(cluster.send(Request.Create.of(address, namespace, tree)));
        if (status.isEmpty()) {
            return created;
        }
        var name = created.objectOrEmpty("metadata").text("name");
        return patchStatus(address, namespace, name, status.get());
    }

    static JsonObject tree(String yaml) {
        return YamlReader.read(yaml).object().orElseThrow();
    }

    JsonObject patchStatus(ResourcePath address, String namespace, String name, JsonObject status) {
        return done(
                cluster.send(
                        new Request.Patch(
                                address,
                                namespace,
                                name,
                                "status",
                                Request.PatchType.MERGE,
                                JsonObject.of("status", status))));
    }

    JsonObject patch(ResourcePath address, String namespace, String name, String yaml) {
        return done(
                cluster.send(
                        new Request.Patch(
                                address,
                                namespace,
                                name,
                                "",
                                Request.PatchType.MERGE,
                                tree(yaml))));
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
        done(cluster.send(new Request.Create(PODS, "default", pod, "binding", binding)));
    }

    void phase(String pod, String phase) {
        patchStatus(PODS, "default", pod, JsonObject.of("phase", Json.of(phase)));
    }

    void delete(ResourcePath address, String namespace, String name) {
        done(
                cluster.send(
                        new Request.Delete(
                                address, namespace, name, Optional.empty(), OptionalLong.of(0))));
    }

    Optional<JsonObject> find(ResourcePath address, String namespace, String name) {
        return switch (cluster.send(new Request.Get(address, namespace, name))) {
            case RequestResult.Done(var object) -> Optional.of(object);
            case RequestResult.Missing _ -> Optional.empty();
            case RequestResult other -> throw new AssertionError(other.toString());
        };
    }

    JsonObject get(ResourcePath address, String namespace, String name) {
        return find(address, namespace, name).orElseThrow();
    }

    List<JsonObject> list(ResourcePath address, String namespace) {
        return done(cluster.send(new Request.Get(address, namespace, ""))).objects("items");
    }

    private static JsonObject done(RequestResult result) {
        if (result instanceof RequestResult.Done(var object)) {
            return object;
        }
        throw new AssertionError(result.toString());
    }

    static final ResourcePath PODS = new ResourcePath("", "v1", "pods");
    static final ResourcePath NODES = new ResourcePath("", "v1", "nodes");

    static ResourcePath of(Kind<? extends KubernetesObject> kind) {
        return ResourcePath.of(kind);
    }

    @Override
    public void close() {
        plane.close();
        cluster.close();
        server.close();
    }
}
