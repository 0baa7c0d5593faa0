package dev.berth.control.schedule;

import dev.berth.client.Cluster;
import dev.berth.client.Request;
import dev.berth.client.RequestResult;
import dev.berth.client.ResourcePath;
import dev.berth.model.api.meta.KubernetesObject;
import dev.berth.model.codec.Codec;
import dev.berth.model.codec.Kind;
import dev.berth.model.codec.UnknownFieldPolicy;
import dev.berth.model.json.JsonObject;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;

/// A cluster whose first lists are delivered by the test.
final class DelayedListCluster implements Cluster {

    private static final Codec CODEC = new Codec();

    private final Map<String, Consumer<List<String>>> waiting = new LinkedHashMap<>();
    private final List<Request> sent = new ArrayList<>();

    /// Kinds whose list was requested and not delivered.
    Set<String> waiting() {
        return waiting.keySet();
    }

    /// The recorded writes.
    List<Request> sent() {
        return sent;
    }

    /// Delivers the list of a kind.
    ///
    /// @param objects as JSON
    void arrive(String plural, String... objects) {
        var list = waiting.remove(plural);
        if (list == null) {
            throw new AssertionError("the list of %s was not asked for".formatted(plural));
        }
        list.accept(List.of(objects));
    }

    @Override
    public RequestResult send(Request request) {
        sent.add(request);
        return new RequestResult.Done(JsonObject.EMPTY);
    }

    @Override
    public <T extends KubernetesObject> Subscription watch(
            Kind<T> kind, String selector, EventHandler<T> handler) {
        waiting.put(
                kind.plural(),
                texts -> handler.replaceAll(texts.stream().map(text -> read(kind, text)).toList()));
        return () -> {};
    }

    private static <T extends KubernetesObject> T read(Kind<T> kind, String text) {
        return CODEC.readJson(
                        kind,
                        kind.version(),
                        text.getBytes(StandardCharsets.UTF_8),
                        UnknownFieldPolicy.LENIENT)
                .orThrow();
    }

    @Override
    public Subscription watch(
            ResourcePath address, String selector, EventHandler<JsonObject> handler) {
        waiting.put(address.plural(), _ -> handler.replaceAll(List.of()));
        return () -> {};
    }

    @Override
    public void close() {}
}
