package dev.berth.node.pod;

import dev.berth.model.json.Json.JsonString;
import dev.berth.model.json.JsonObject;
import dev.berth.model.quantity.Quantity;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/// Resolves the environment variables of a container from `env` and `envFrom`.
public final class ContainerEnvironment {

    /// ConfigMaps and Secrets of the pod's namespace.
    public interface Sources {

        Optional<JsonObject> configMap(String name) throws InvalidContainerException;

        Optional<JsonObject> secret(String name) throws InvalidContainerException;
    }

    private final JsonObject pod;
    private final Sources sources;
    private final Map<String, Quantity> allocatable;
    private final Map<String, String> variables = new LinkedHashMap<>();

    private ContainerEnvironment(
            JsonObject pod, Sources sources, Map<String, Quantity> allocatable) {
        this.pod = pod;
        this.sources = sources;
        this.allocatable = allocatable;
    }

    /// The variables of `envFrom` and `env`, in their order.
    ///
    /// @param allocatable resources of the node for pods
    public static Map<String, String> of(
            JsonObject pod,
            JsonObject container,
            Sources sources,
            Map<String, Quantity> allocatable)
            throws InvalidContainerException {
        var environment = new ContainerEnvironment(pod, sources, allocatable);
        for (var from : container.objects("envFrom")) {
            environment.addAll(from);
        }
        for (var variable : container.objects("env")) {
            environment.add(container, variable);
        }
        return environment.variables;
    }

    private void addAll(JsonObject from) throws InvalidContainerException {
        var prefix = from.text("prefix");
        if (from.object("configMapRef").isPresent()) {
            var reference = from.objectOrEmpty("configMapRef");
            var map = sources.configMap(reference.text("name"));
            require(map, "configmap", reference);
            texts(map).forEach((key, value) -> variables.put(prefix + key, value));
        }
        if (from.object("secretRef").isPresent()) {
            var reference = from.objectOrEmpty("secretRef");
            var secret = sources.secret(reference.text("name"));
            require(secret, "secret", reference);
            decoded(secret).forEach((key, value) -> variables.put(prefix + key, value));
        }
    }

    private static void require(Optional<JsonObject> found, String kind, JsonObject reference)
            throws InvalidContainerException {
        if (found.isEmpty() && !reference.flag("optional").orElse(false)) {
            throw InvalidContainerException.config(
                    "%s \"%s\" not found".formatted(kind, reference.text("name")));
        }
    }

    private static Map<String, String> texts(Optional<JsonObject> map) {
        var texts = new LinkedHashMap<String, String>();
        map.ifPresent(object ->
                object.objectOrEmpty("data")
                        .members()
                        .forEach((key, value) -> {
                            if (value instanceof JsonString(var text)) {
                                texts.put(key, text);
                            }
                        }));
        return texts;
    }

    private static Map<String, String> decoded(Optional<JsonObject> secret) {
        var decoded = new LinkedHashMap<String, String>();
        texts(secret)
                .forEach((key, value) ->
                        decoded.put(
                                key,
                                new String(
                                        Base64.getDecoder().decode(value),
                                        StandardCharsets.UTF_8)));
        return decoded;
    }

    private void add(JsonObject container, JsonObject variable) throws InvalidContainerException {
        var name = variable.text("name");
        var from = variable.object("valueFrom");
        if (from.isEmpty()) {
            variables.put(name, VariableExpansion.of(variable.text("value"), variables));
            return;
        }
        value(container, name, from.get()).ifPresent(value -> variables.put(name, value));
    }

    private Optional<String> value(JsonObject container, String name, JsonObject from)
            throws InvalidContainerException {
        if (from.object("fieldRef").isPresent()) {
            var path = from.objectOrEmpty("fieldRef").text("fieldPath");
            return Optional.of(
                    DownwardApiFields.value(pod, path)
                            .orElseThrow(() ->
                                    InvalidContainerException.config(
                                            "variable %s: unsupported field path %s"
                                                    .formatted(name, path))));
        }
        if (from.object("resourceFieldRef").isPresent()) {
            return DownwardApiFields.amount(
                    container, from.objectOrEmpty("resourceFieldRef"), allocatable);
        }
        if (from.object("configMapKeyRef").isPresent()) {
            var reference = from.objectOrEmpty("configMapKeyRef");
            var map = sources.configMap(reference.text("name"));
            require(map, "configmap", reference);
            return key(texts(map), "ConfigMap", reference);
        }
        if (from.object("secretKeyRef").isPresent()) {
            var reference = from.objectOrEmpty("secretKeyRef");
            var secret = sources.secret(reference.text("name"));
            require(secret, "secret", reference);
            return key(decoded(secret), "Secret", reference);
        }
        throw InvalidContainerException.config(
                "variable %s takes its value from %s, which this node does not support"
                        .formatted(name, String.join(", ", from.names())));
    }

    private Optional<String> key(Map<String, String> texts, String kind, JsonObject reference)
            throws InvalidContainerException {
        var key = reference.text("key");
        if (!texts.containsKey(key) && !reference.flag("optional").orElse(false)) {
            throw InvalidContainerException.config(
                    "couldn't find key %s in %s %s/%s"
                            .formatted(
                                    key,
                                    kind,
                                    pod.objectOrEmpty("metadata").text("namespace"),
                                    reference.text("name")));
        }
        return Optional.ofNullable(texts.get(key));
    }
}
