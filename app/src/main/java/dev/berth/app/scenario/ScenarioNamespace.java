package dev.berth.app.scenario;

import dev.berth.client.Cluster;
import dev.berth.client.Request;
import dev.berth.client.RequestResult;
import dev.berth.client.ResourcePath;
import dev.berth.model.api.slice.DeviceId;
import dev.berth.model.codec.Kinds;
import dev.berth.model.json.Json;
import dev.berth.model.json.JsonObject;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;

/// The namespace of a scenario and its cluster-scoped objects. [#clear] deletes all of them.
final class ScenarioNamespace {

    static final ResourcePath NAMESPACES = new ResourcePath("", "v1", "namespaces");

    /// Kinds without records that scenarios may use.
    private static final Map<String, ResourcePath> MORE_KINDS =
            Map.of(
                    "apps/v1 Deployment", new ResourcePath("apps", "v1", "deployments"),
                    "batch/v1 Job", new ResourcePath("batch", "v1", "jobs"),
                    "v1 ConfigMap", new ResourcePath("", "v1", "configmaps"));

    private final Cluster cluster;
    private final Scenario scenario;
    private final String namespace;
    private final List<Request> undoing = new ArrayList<>();

    ScenarioNamespace(Cluster cluster, Scenario scenario) {
        this.cluster = cluster;
        this.scenario = scenario;
        this.namespace = scenario.namespace();
    }

    /// Creates the namespace; returns an error message, if any.
    Optional<String> open() {
        var labels = new LinkedHashMap<String, Json>();
        scenario.namespaceLabels().forEach((name, value) -> labels.put(name, Json.of(value)));
        var object =
                JsonObject.of("apiVersion", Json.of("v1"))
                        .with("kind", Json.of("Namespace"))
                        .with(
                                "metadata",
                                JsonObject.of("name", Json.of(namespace))
                                        .with("labels", new JsonObject(labels)));
        return failure(cluster.send(Request.Create.of(NAMESPACES, "", object)), namespace);
    }

    Optional<String> apply(JsonObject object) {
        var kind = object.text("kind");
        var known = Kinds.byApiVersionAndKind(object.text("apiVersion"), kind);
        var address =
                known.map(ResourcePath::of)
                        .or(() ->
                                Optional.ofNullable(
                                        MORE_KINDS.get(object.text("apiVersion") + " " + kind)));
        if (address.isEmpty()) {
            return Optional.of("objects of kind " + kind + " have no use in a scenario");
        }
        return known.isEmpty() || known.get().isNamespaced()
                ? apply(address.get(), namespace, object)
                : applyBeside(address.get(), object);
    }

    /// Applies a cluster-scoped object. An object that exists already is not deleted in the end.
    private Optional<String> applyBeside(ResourcePath address, JsonObject object) {
        var name = name(object);
        if (cluster.send(new Request.Get(address, "", name)) instanceof RequestResult.Missing) {
            undoing.add(deletion(address, name));
        }
        return apply(address, "", object);
    }

    private Optional<String> apply(ResourcePath address, String where, JsonObject object) {
        return failure(
                cluster.send(
                        new Request.Patch(
                                address, where, name(object), "", Request.PatchType.APPLY, object)),
                "%s %s".formatted(object.text("kind"), name(object)));
    }

    private static String name(JsonObject object) {
        return object.objectOrEmpty("metadata").text("name");
    }

    Optional<String> taint(DeviceId device, ScenarioStep.Taint taint) {
        var selector =
                JsonObject.of("driver", Json.of(device.driver()))
                        .with("pool", Json.of(device.pool()))
                        .with("device", Json.of(device.device()));
        var what =
                JsonObject.of("key", Json.of(taint.key()))
                        .with("value", Json.of(taint.value()))
                        .with("effect", Json.of(taint.effect()));
        return apply(
                JsonObject.of("apiVersion", Json.of(Kinds.DEVICE_TAINT_RULE.apiVersion()))
                        .with("kind", Json.of(Kinds.DEVICE_TAINT_RULE.name()))
                        .with(
                                "metadata",
                                JsonObject.of("name", Json.of(namespace + "-" + device.device())))
                        .with(
                                "spec",
                                JsonObject.of("deviceSelector", selector).with("taint", what)));
    }

    private static Optional<String> failure(RequestResult outcome, String what) {
        return outcome.isDone() ? Optional.empty() : Optional.of(what + ": " + outcome.message());
    }

    /// Deletes all objects of the scenario, without waiting.
    void clear() {
        undoing.reversed().forEach(cluster::send);
        cluster.send(deletion(NAMESPACES, namespace));
    }

    private static Request deletion(ResourcePath address, String name) {
        return new Request.Delete(address, "", name, Optional.empty(), OptionalLong.empty());
    }
}
