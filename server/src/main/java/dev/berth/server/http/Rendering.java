package dev.berth.server.http;

import dev.berth.model.json.Json;
import dev.berth.model.json.Json.JsonArray;
import dev.berth.model.json.JsonObject;
import dev.berth.model.json.JsonWriter;
import dev.berth.server.registry.Objects;
import dev.berth.server.registry.Reads;
import dev.berth.server.registry.Resource;
import dev.berth.server.registry.Served;
import dev.berth.server.store.Entry;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;

/// Objects and lists in the form that was asked for.
///
/// @param version of the API that is spoken
/// @param includeObject what a table's rows say of their object: `Metadata`, `Object`, `None`
record Rendering(Resource resource, String version, Media media, String includeObject) {

    private static final String META = "meta.k8s.io/v1";

    /// An object of the version that travels inside.
    Reply.Content object(int status, JsonObject internal, List<String> warnings, Instant now) {
        return Reply.of(status, form(internal, now), media, warnings);
    }

    /// The object, or what stands for it.
    JsonObject form(JsonObject internal, Instant now) {
        return switch (media.form()) {
            case WHOLE, DISCOVERY -> resource.fromInternal(version, internal);
            case METADATA -> metadataOnly(internal);
            case TABLE ->
                    tables().table(
                                    List.of(internal),
                                    internal.objectOrEmpty("metadata"),
                                    true,
                                    now);
        };
    }

    /// True when objects are served just as they are stored.
    boolean isAsStored() {
        return media.form() == Media.Form.WHOLE
                && media.encoding() == Media.Encoding.JSON
                && resource.isStoredAs(version);
    }

    private Tables tables() {
        return new Tables(resource, version, includeObject);
    }

    static JsonObject metadataOnly(JsonObject object) {
        return JsonObject.of("kind", Json.of("PartialObjectMetadata"))
                .with("apiVersion", Json.of(META))
                .with("metadata", object.objectOrEmpty("metadata"));
    }

    Reply.Content list(Reads.Page page, Instant now) {
        if (isAsStored()) {
            return Reply.bytes(200, media.encoding().type(), listAsStored(page));
        }
        var objects = page.entries().stream().map(Objects::tree).toList();
        var value =
                switch (media.form()) {
                    case TABLE -> tables().table(objects, listMetadata(page), true, now);
                    case METADATA ->
                            head("PartialObjectMetadataList", META, page)
                                    .with("items", items(objects, true));
                    case WHOLE, DISCOVERY ->
                            head(resource.listKind(), resource.apiVersion(version), page)
                                    .with("items", items(objects, false));
                };
        return Reply.of(200, value, media, List.of());
    }

    private JsonArray items(List<JsonObject> objects, boolean metadataOnly) {
        var items = new ArrayList<Json>(objects.size());
        for (var object : objects) {
            items.add(metadataOnly ? metadataOnly(object) : resource.fromInternal(version, object));
        }
        return new JsonArray(items);
    }

    private byte[] listAsStored(Reads.Page page) {
        var head = head(resource.listKind(), resource.apiVersion(version), page);
        var text = JsonWriter.compact(head);
        var size = text.length() + 16;
        for (var entry : page.entries()) {
            size += entry.bytes().length + 48;
        }
        var bytes = new ByteArrayOutputStream(size);
        bytes.writeBytes(
                (text.substring(0, text.length() - 1) + ",\"items\":[")
                        .getBytes(StandardCharsets.UTF_8));
        var first = true;
        for (Entry entry : page.entries()) {
            if (!first) {
                bytes.write(',');
            }
            first = false;
            Served.write(resource, entry, bytes);
        }
        bytes.writeBytes("]}\n".getBytes(StandardCharsets.UTF_8));
        return bytes.toByteArray();
    }

    private static JsonObject head(String kind, String apiVersion, Reads.Page page) {
        return JsonObject.of("kind", Json.of(kind))
                .with("apiVersion", Json.of(apiVersion))
                .with("metadata", listMetadata(page));
    }

    private static JsonObject listMetadata(Reads.Page page) {
        var members = new LinkedHashMap<String, Json>();
        members.put("resourceVersion", Json.of(Long.toString(page.revision())));
        if (!page.continueAt().isEmpty()) {
            members.put("continue", Json.of(page.continueAt()));
        }
        if (page.remaining() > 0) {
            members.put("remainingItemCount", Json.of(page.remaining()));
        }
        return new JsonObject(members);
    }
}
