package dev.berth.client.http;

import dev.berth.client.ResourcePath;
import dev.berth.model.codec.ApiVersions;
import dev.berth.model.codec.Decoded;
import dev.berth.model.codec.Kinds;
import dev.berth.model.codec.ListHead;
import dev.berth.model.codec.WatchEvent;
import dev.berth.model.codec.record.DecodingProblem;
import dev.berth.model.json.Json;
import dev.berth.model.json.JsonObject;
import dev.berth.model.json.JsonReader;
import dev.berth.model.json.ParseResult;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Function;

/// Decodes lists and watches of a kind into JSON objects, one item or event at a time.
record JsonListWatch(ResourcePath address) implements ListWatch<JsonObject> {

    @Override
    public Decoded<ListHead> list(
            String version, InputStream page, Consumer<Decoded<JsonObject>> objects) {
        byte[] bytes;
        try {
            bytes = page.readAllBytes();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return read(
                bytes,
                list -> {
                    var kind = list.text("kind").replaceFirst("List$", "");
                    for (var item : list.objects("items")) {
                        var labelled = labelled(list.text("apiVersion"), kind, item);
                        objects.accept(new Decoded.Read<>(converted(version, labelled), List.of()));
                    }
                    return head(list);
                });
    }

    static ListHead head(JsonObject list) {
        var head = list.objectOrEmpty("metadata");
        return new ListHead(
                head.text("resourceVersion"),
                head.text("continue"),
                head.number("remainingItemCount"));
    }

    @Override
    public Decoded<JsonObject> object(String version, JsonObject item) {
        return new Decoded.Read<>(converted(version, item), List.of());
    }

    @Override
    public Decoded<WatchEvent<JsonObject>> event(String version, byte[] line) {
        return read(
                line, event -> read(version, event.text("type"), event.objectOrEmpty("object")));
    }

    @Override
    public Decoded<WatchEvent<JsonObject>> event(String version, String type, JsonObject object) {
        return new Decoded.Read<>(read(version, type, object), List.of());
    }

    private WatchEvent<JsonObject> read(String version, String type, JsonObject object) {
        return switch (type) {
            case "ADDED" -> new WatchEvent.Added<>(converted(version, object));
            case "MODIFIED" -> new WatchEvent.Modified<>(converted(version, object));
            case "DELETED" -> new WatchEvent.Deleted<>(converted(version, object));
            case "BOOKMARK" -> new WatchEvent.Bookmark<>(revision(object));
            default -> new WatchEvent.Other<>(type, object);
        };
    }

    @Override
    public String revision(JsonObject object) {
        return object.objectOrEmpty("metadata").text("resourceVersion");
    }

    /// Items of lists have no apiVersion and kind; adds those of the list.
    private static JsonObject labelled(String apiVersion, String kind, JsonObject item) {
        return item.has("kind")
                ? item
                : item.with("apiVersion", Json.of(apiVersion)).with("kind", Json.of(kind));
    }

    private JsonObject converted(String version, JsonObject object) {
        return version.equals(address.version())
                ? object
                : Kinds.byAddress(address.group(), address.version(), address.plural())
                        .map(kind -> ApiVersions.convert(kind, version, address.version(), object))
                        .orElse(object);
    }

    private static <R> Decoded<R> read(byte[] text, Function<JsonObject, R> reading) {
        return switch (JsonReader.read(text)) {
            case ParseResult.Documents(var documents) ->
                    documents.getFirst().root() instanceof JsonObject object
                            ? new Decoded.Read<>(reading.apply(object), List.of())
                            : malformed("not an object", 1, 1);
            case ParseResult.Malformed(var message, var line, var column) ->
                    malformed(message, line, column);
        };
    }

    private static <R> Decoded<R> malformed(String reason, int line, int column) {
        return new Decoded.Refused<>(List.of(new DecodingProblem.Malformed(reason, line, column)));
    }
}
