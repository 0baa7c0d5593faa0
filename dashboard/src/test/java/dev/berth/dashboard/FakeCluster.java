package dev.berth.dashboard;

import dev.berth.client.Cluster;
import dev.berth.client.Request;
import dev.berth.client.RequestResult;
import dev.berth.client.ResourcePath;
import dev.berth.model.api.meta.KubernetesObject;
import dev.berth.model.codec.Codec;
import dev.berth.model.codec.Decoded;
import dev.berth.model.codec.Kind;
import dev.berth.model.codec.Kinds;
import dev.berth.model.codec.UnknownFieldPolicy;
import dev.berth.model.json.Json;
import dev.berth.model.json.JsonObject;
import dev.berth.model.json.ParseResult;
import dev.berth.model.json.YamlReader;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/// A cluster in memory: objects that tests put and remove reach the watches at once.
final class FakeCluster implements Cluster {

    private final Codec codec = new Codec();
    private final Set<String> forbidden;
    private final Map<String, Map<String, JsonObject>> objects = new LinkedHashMap<>();
    private final Map<String, List<Watcher<?>>> watchers = new LinkedHashMap<>();
    private int version;

    /// @param forbidden plural names of kinds that the user may not read
    FakeCluster(String... forbidden) {
        this.forbidden = Set.of(forbidden);
    }

    /// Decodes objects for a handler.
    private interface Decoder<T> {
        T decode(JsonObject tree);
    }

    private record Watcher<T>(Decoder<T> decoder, EventHandler<T> handler) {
        void put(JsonObject tree) {
            handler.put(decoder.decode(tree));
        }

        void remove(JsonObject tree) {
            handler.remove(decoder.decode(tree));
        }

        void replaceAll(List<JsonObject> trees) {
            handler.replaceAll(trees.stream().map(decoder::decode).toList());
        }
    }

    /// Adds or replaces the objects of a YAML text.
    synchronized void put(String yaml) {
        if (!(YamlReader.read(yaml) instanceof ParseResult.Documents(var documents))) {
            throw new IllegalArgumentException(yaml);
        }
        documents.forEach(document -> put((JsonObject) document.root()));
    }

    private void put(JsonObject object) {
        var metadata =
                object.objectOrEmpty("metadata")
                        .with("resourceVersion", Json.of(Integer.toString(++version)));
        var stored =
                object.with(
                        "metadata",
                        metadata.has("uid")
                                ? metadata
                                : metadata.with("uid", Json.of("uid-" + metadata.text("name"))));
        var plural = plural(object);
        objects.computeIfAbsent(plural, _ -> new LinkedHashMap<>()).put(key(stored), stored);
        watchers.getOrDefault(plural, List.of()).forEach(one -> one.put(stored));
    }

    synchronized void remove(String plural, String namespace, String name) {
        var stored = objects.getOrDefault(plural, Map.of()).remove(namespace + "/" + name);
        if (stored == null) {
            throw new IllegalArgumentException(plural + " " + name);
        }
        watchers.getOrDefault(plural, List.of()).forEach(one -> one.remove(stored));
    }

    private static String plural(JsonObject object) {
        return Kinds.byApiVersionAndKind(object.text("apiVersion"), object.text("kind"))
                .map(Kind::plural)
                .orElseThrow();
    }

    private static String key(JsonObject object) {
        var metadata = object.objectOrEmpty("metadata");
        return metadata.text("namespace") + "/" + metadata.text("name");
    }

    @Override
    public synchronized RequestResult send(Request request) {
        if (!(request instanceof Request.Get(var address, var namespace, var name))) {
            return new RequestResult.Refused(405, "MethodNotAllowed", "only reads are faked");
        }
        if (forbidden.contains(address.plural())) {
            return new RequestResult.Refused(403, "Forbidden", "forbidden " + address.plural());
        }
        var found = objects.getOrDefault(address.plural(), Map.of()).get(namespace + "/" + name);
        if (name.isEmpty()) {
            return new RequestResult.Done(JsonObject.of("items", Json.array()));
        }
        return found == null
                ? new RequestResult.Missing("there is no " + name)
                : new RequestResult.Done(found);
    }

    @Override
    public <T extends KubernetesObject> Subscription watch(
            Kind<T> kind, String selector, EventHandler<T> handler) {
        return watch(kind.plural(), new Watcher<>(tree -> record(kind, tree), handler));
    }

    private <T extends KubernetesObject> T record(Kind<T> kind, JsonObject tree) {
        return switch (codec.readTree(kind, tree, UnknownFieldPolicy.LENIENT)) {
            case Decoded.Read<T> read -> read.object();
            case Decoded.Refused<T> refused ->
                    throw new IllegalArgumentException(refused.message());
        };
    }

    @Override
    public Subscription watch(
            ResourcePath path, String selector, EventHandler<JsonObject> handler) {
        return watch(path.plural(), new Watcher<>(tree -> tree, handler));
    }

    private synchronized Subscription watch(String plural, Watcher<?> watcher) {
        if (forbidden.contains(plural)) {
            watcher.handler.onForbidden("forbidden " + plural);
            return () -> {};
        }
        watcher.replaceAll(List.copyOf(objects.getOrDefault(plural, Map.of()).values()));
        watchers.computeIfAbsent(plural, _ -> new ArrayList<>()).add(watcher);
        return () -> {};
    }

    @Override
    public void close() {
        // Nothing is open.
    }
}
