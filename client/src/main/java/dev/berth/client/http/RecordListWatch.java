package dev.berth.client.http;

import dev.berth.client.ResourcePath;
import dev.berth.model.api.meta.KubernetesObject;
import dev.berth.model.codec.Codec;
import dev.berth.model.codec.Decoded;
import dev.berth.model.codec.Kind;
import dev.berth.model.codec.ListHead;
import dev.berth.model.codec.UnknownFieldPolicy;
import dev.berth.model.codec.WatchEvent;
import dev.berth.model.json.JsonObject;
import java.io.InputStream;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Function;

/// Decodes lists and watches of a kind into records, one at a time.
record RecordListWatch<T extends KubernetesObject>(Codec codec, Kind<T> kind)
        implements ListWatch<T> {

    @Override
    public ResourcePath address() {
        return ResourcePath.of(kind);
    }

    @Override
    public Decoded<ListHead> list(String version, InputStream page, Consumer<Decoded<T>> objects) {
        return codec.readList(kind, version, page, UnknownFieldPolicy.LENIENT, objects);
    }

    @Override
    public Decoded<WatchEvent<T>> event(String version, byte[] line) {
        return codec.readEvent(kind, version, line, UnknownFieldPolicy.LENIENT);
    }

    @Override
    public Decoded<T> object(String version, JsonObject item) {
        return codec.readTree(kind, item, UnknownFieldPolicy.LENIENT);
    }

    @Override
    public Decoded<WatchEvent<T>> event(String version, String type, JsonObject object) {
        return switch (type) {
            case "ADDED" -> read(object, WatchEvent.Added::new);
            case "MODIFIED" -> read(object, WatchEvent.Modified::new);
            case "DELETED" -> read(object, WatchEvent.Deleted::new);
            case "BOOKMARK" ->
                    new Decoded.Read<>(
                            new WatchEvent.Bookmark<>(
                                    object.objectOrEmpty("metadata").text("resourceVersion")),
                            List.of());
            default -> new Decoded.Read<>(new WatchEvent.Other<>(type, object), List.of());
        };
    }

    private Decoded<WatchEvent<T>> read(JsonObject tree, Function<T, WatchEvent<T>> event) {
        return switch (codec.readTree(kind, tree, UnknownFieldPolicy.LENIENT)) {
            case Decoded.Read<T>(var object, var warnings) ->
                    new Decoded.Read<>(event.apply(object), warnings);
            case Decoded.Refused<T>(var problems) -> new Decoded.Refused<>(problems);
        };
    }

    @Override
    public String revision(T object) {
        return object.metadata().resourceVersion();
    }
}
