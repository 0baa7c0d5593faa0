package dev.berth.server.http.response;

import dev.berth.model.json.Json;
import dev.berth.model.json.Json.JsonArray;
import dev.berth.model.json.JsonObject;
import dev.berth.model.json.JsonWriter;
import dev.berth.schema.protobuf.ProtobufCodec;
import dev.berth.server.operation.ObjectLists;
import dev.berth.server.registry.ObjectReads;
import dev.berth.server.registry.ProtobufObjects;
import dev.berth.server.registry.Resource;
import dev.berth.server.registry.ServedObjects;
import dev.berth.server.registry.StoredObjects;
import dev.berth.server.store.Entry;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/// Renders objects and lists in the negotiated media type.
///
/// @param version requested API version
/// @param includeObject which part of the object a table row contains: `Metadata`, `Object`, `None`
/// @param protobuf cache of protobuf encodings of stored objects
public record ObjectRendering(
        Resource resource,
        String version,
        MediaNegotiation media,
        String includeObject,
        ProtobufObjects protobuf) {

    private static final String META = "meta.k8s.io/v1";

    /// Smaller lists are sent as one array.
    private static final int STREAMED_FROM_BYTES = 128 * 1024;

    /// An object in the internal version.
    public ServerResponse.Content object(
            int status, JsonObject internal, List<String> warnings, Instant now) {
        return ServerResponse.of(status, form(internal, now), media, warnings);
    }

    /// A stored object.
    public ServerResponse.Content stored(
            int status, Entry entry, List<String> warnings, Instant now) {
        return isProtobufObject()
                ? new ServerResponse.Content(
                        status,
                        media.encoding().type(),
                        new ServerResponse.Body.Text(
                                protobuf.encoded(resource, version, entry).bytes()),
                        warnings)
                : object(status, StoredObjects.tree(entry), warnings, now);
    }

    /// True when whole objects are served as protobuf.
    public boolean isProtobufObject() {
        return media.form() == MediaNegotiation.Form.WHOLE
                && media.encoding() == MediaNegotiation.Encoding.PROTOBUF;
    }

    /// The object in the negotiated form.
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

    /// True when objects are served exactly as they are stored.
    boolean isAsStored() {
        return media.form() == MediaNegotiation.Form.WHOLE
                && media.encoding() == MediaNegotiation.Encoding.JSON
                && resource.isStoredAs(version);
    }

    private TableResponses tables() {
        return new TableResponses(resource, version, includeObject);
    }

    static JsonObject metadataOnly(JsonObject object) {
        return JsonObject.of("kind", Json.of("PartialObjectMetadata"))
                .with("apiVersion", Json.of(META))
                .with("metadata", object.objectOrEmpty("metadata"));
    }

    public ServerResponse.Content list(ObjectReads.Page page, Instant now) {
        if (media.encoding() == MediaNegotiation.Encoding.PROTOBUF) {
            return streamed(listMessage(page));
        }
        if (media.encoding() == MediaNegotiation.Encoding.JSON) {
            var text = listText(page, now);
            if (isAsStored() || text.size() >= STREAMED_FROM_BYTES) {
                return streamed(text);
            }
        }
        var objects = page.entries().stream().map(StoredObjects::tree).toList();
        var value =
                media.form() == MediaNegotiation.Form.TABLE
                        ? tables().table(objects, ObjectLists.metadata(page), true, now)
                        : head(page).with("items", items(objects));
        return ServerResponse.of(200, value, media, List.of());
    }

    private ServerResponse.Content streamed(StreamedList list) {
        var type = media.encoding().type();
        return list.size() >= STREAMED_FROM_BYTES
                ? new ServerResponse.Content(
                        200, type, new ServerResponse.Body.Streamed(list), List.of())
                : ServerResponse.bytes(200, type, list.bytes());
    }

    private ProtobufList listMessage(ObjectReads.Page page) {
        var head = head(page);
        var codec = ProtobufCodec.builtIn();
        return new ProtobufList(
                head.text("apiVersion"),
                head.text("kind"),
                codec.listMetadata(head.objectOrEmpty("metadata")),
                page.entries(),
                media.form() == MediaNegotiation.Form.METADATA
                        ? entry -> {
                            var metadata = metadataOnly(StoredObjects.tree(entry));
                            return codec.enveloped(metadata, META, metadata.text("kind"));
                        }
                        : entry -> protobuf.encoded(resource, version, entry));
    }

    private JsonList listText(ObjectReads.Page page, Instant now) {
        if (isAsStored()) {
            return new JsonList(
                    head(page).with("items", JsonArray.EMPTY),
                    page.entries(),
                    (entry, to) -> ServedObjects.write(resource, entry, to));
        }
        var frame =
                media.form() == MediaNegotiation.Form.TABLE
                        ? tables().table(List.of(), ObjectLists.metadata(page), true, now)
                        : head(page).with("items", JsonArray.EMPTY);
        return new JsonList(
                frame,
                page.entries(),
                (entry, to) -> to.write(JsonWriter.bytes(item(StoredObjects.tree(entry), now))));
    }

    /// The object as an item of a list.
    private JsonObject item(JsonObject internal, Instant now) {
        return switch (media.form()) {
            case TABLE -> tables().row(internal, now);
            case METADATA -> metadataOnly(internal);
            case WHOLE, DISCOVERY -> resource.fromInternal(version, internal);
        };
    }

    private JsonArray items(List<JsonObject> objects) {
        var items = new ArrayList<Json>(objects.size());
        for (var object : objects) {
            items.add(
                    media.form() == MediaNegotiation.Form.METADATA
                            ? metadataOnly(object)
                            : resource.fromInternal(version, object));
        }
        return new JsonArray(items);
    }

    private JsonObject head(ObjectReads.Page page) {
        return media.form() == MediaNegotiation.Form.METADATA
                ? ObjectLists.head("PartialObjectMetadataList", META, page)
                : ObjectLists.head(resource.listKind(), resource.apiVersion(version), page);
    }
}
