package dev.berth.node.volume;

import com.google.protobuf.ByteString;
import dev.berth.client.Cluster;
import dev.berth.client.Request;
import dev.berth.client.RequestResult;
import dev.berth.client.ResourcePath;
import dev.berth.model.json.Json.JsonString;
import dev.berth.model.json.JsonObject;
import dev.berth.model.quantity.Quantity;
import dev.berth.node.pod.DownwardApiFields;
import dev.berth.node.pod.PodDefinition;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/// Builds the files of `configMap`, `secret`, `downwardAPI` and `projected` volumes.
final class ProjectedFiles {

    private static final ResourcePath CONFIG_MAPS = new ResourcePath("", "v1", "configmaps");
    private static final ResourcePath SECRETS = new ResourcePath("", "v1", "secrets");
    private static final int DEFAULT_MODE = 0644;

    private final Cluster cluster;
    private final ServiceAccountTokenCache tokens;
    private final PodDefinition pod;
    private final Map<String, Quantity> allocatable;
    private final Map<String, ProjectedFile> files = new LinkedHashMap<>();

    ProjectedFiles(
            Cluster cluster,
            ServiceAccountTokenCache tokens,
            PodDefinition pod,
            Map<String, Quantity> allocatable) {
        this.cluster = cluster;
        this.tokens = tokens;
        this.pod = pod;
        this.allocatable = allocatable;
    }

    /// The files of a volume that is a `configMap`, `secret`, `downwardAPI` or `projected`.
    Map<String, ProjectedFile> files(String kind, JsonObject source) throws VolumeException {
        var mode = (int) source.number("defaultMode").orElse(DEFAULT_MODE);
        switch (kind) {
            case "configMap" -> configMap(source, source.text("name"), mode);
            case "secret" -> secret(source, source.text("secretName"), mode);
            case "downwardAPI" -> downward(source, mode);
            default -> {
                for (var one : source.objects("sources")) {
                    projected(one, mode);
                }
            }
        }
        return files;
    }

    private void projected(JsonObject source, int mode) throws VolumeException {
        for (var kind : source.names()) {
            var one = source.objectOrEmpty(kind);
            switch (kind) {
                case "configMap" -> configMap(one, one.text("name"), mode);
                case "secret" -> secret(one, one.text("name"), mode);
                case "downwardAPI" -> downward(one, mode);
                case "serviceAccountToken" -> token(one, mode);
                default ->
                        throw new VolumeException(
                                "a source %s of a projected volume is not supported on this node"
                                        .formatted(kind));
            }
        }
    }

    private void configMap(JsonObject source, String name, int mode) throws VolumeException {
        var map = fetch(CONFIG_MAPS, "configmap", source, name);
        var all = new LinkedHashMap<String, ByteString>();
        map.ifPresent(object -> {
            texts(object, "data")
                    .forEach((key, text) ->
                            all.put(key, ByteString.copyFrom(text, StandardCharsets.UTF_8)));
            texts(object, "binaryData").forEach((key, text) -> all.put(key, decoded(text)));
        });
        select(source, name, all, mode);
    }

    private void secret(JsonObject source, String name, int mode) throws VolumeException {
        var secret = fetch(SECRETS, "secret", source, name);
        var all = new LinkedHashMap<String, ByteString>();
        secret.ifPresent(object ->
                texts(object, "data").forEach((key, text) -> all.put(key, decoded(text))));
        select(source, name, all, mode);
    }

    private static ByteString decoded(String base64) {
        return ByteString.copyFrom(Base64.getDecoder().decode(base64));
    }

    private static Map<String, String> texts(JsonObject object, String field) {
        var texts = new LinkedHashMap<String, String>();
        object.objectOrEmpty(field)
                .members()
                .forEach((key, value) -> {
                    if (value instanceof JsonString(var text)) {
                        texts.put(key, text);
                    }
                });
        return texts;
    }

    private Optional<JsonObject> fetch(
            ResourcePath address, String kind, JsonObject source, String name)
            throws VolumeException {
        return switch (cluster.send(new Request.Get(address, pod.ref().namespace(), name))) {
            case RequestResult.Done(var object) -> Optional.of(object);
            case RequestResult.Missing _ when source.flag("optional").orElse(false) ->
                    Optional.empty();
            case RequestResult.Missing _ ->
                    throw new VolumeException("%s \"%s\" not found".formatted(kind, name));
            case RequestResult other ->
                    throw new VolumeException(
                            "%s \"%s\" cannot be read: %s".formatted(kind, name, other.message()));
        };
    }

    /// Selects all keys under their own names, or the listed items.
    private void select(JsonObject source, String name, Map<String, ByteString> all, int mode)
            throws VolumeException {
        var items = source.objects("items");
        if (items.isEmpty()) {
            all.forEach((key, content) -> files.put(key, new ProjectedFile(content, mode)));
        }
        for (var item : items) {
            var content = all.get(item.text("key"));
            if (content != null) {
                put(item, content, mode);
            } else if (!source.flag("optional").orElse(false)) {
                throw new VolumeException(
                        "%s has no key %s; add it, or make it optional"
                                .formatted(name, item.text("key")));
            }
        }
    }

    private void downward(JsonObject source, int mode) throws VolumeException {
        for (var item : source.objects("items")) {
            var field = item.objectOrEmpty("fieldRef").string("fieldPath");
            var value =
                    field.isPresent()
                            ? DownwardApiFields.value(pod.tree(), field.get())
                            : amount(item.objectOrEmpty("resourceFieldRef"));
            if (value.isEmpty()) {
                throw new VolumeException(
                        "%s: unsupported field path".formatted(item.text("path")));
            }
            put(item, ByteString.copyFrom(value.get(), StandardCharsets.UTF_8), mode);
        }
    }

    private Optional<String> amount(JsonObject reference) {
        return pod.find(reference.text("containerName"))
                .flatMap(one -> DownwardApiFields.amount(one.tree(), reference, allocatable));
    }

    private void token(JsonObject source, int mode) throws VolumeException {
        put(source, ByteString.copyFrom(tokens.token(pod, source), StandardCharsets.UTF_8), mode);
    }

    private void put(JsonObject item, ByteString content, int mode) {
        var own = (int) item.number("mode").orElse(mode);
        files.put(item.text("path"), new ProjectedFile(content, own));
    }
}
