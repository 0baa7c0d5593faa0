package dev.berth.server.operation;

import dev.berth.model.json.Json;
import dev.berth.model.json.Json.JsonArray;
import dev.berth.model.json.JsonObject;
import dev.berth.server.registry.ObjectReads;
import dev.berth.server.registry.Resource;
import dev.berth.server.registry.StoredObjects;
import java.util.ArrayList;
import java.util.LinkedHashMap;

/// List objects, such as `PodList`.
public final class ObjectLists {

    private ObjectLists() {}

    static JsonObject of(Resource resource, String version, ObjectReads.Page page) {
        var items = new ArrayList<Json>(page.entries().size());
        for (var entry : page.entries()) {
            items.add(resource.fromInternal(version, StoredObjects.tree(entry)));
        }
        return head(resource.listKind(), resource.apiVersion(version), page)
                .with("items", new JsonArray(items));
    }

    /// A list without its items.
    public static JsonObject head(String kind, String apiVersion, ObjectReads.Page page) {
        return JsonObject.of("kind", Json.of(kind))
                .with("apiVersion", Json.of(apiVersion))
                .with("metadata", metadata(page));
    }

    public static JsonObject metadata(ObjectReads.Page page) {
        var members = new LinkedHashMap<String, Json>();
        members.put("resourceVersion", Json.of(Long.toString(page.revision())));
        if (!page.continueToken().isEmpty()) {
            members.put("continue", Json.of(page.continueToken()));
        }
        if (page.remaining() > 0) {
            members.put("remainingItemCount", Json.of(page.remaining()));
        }
        return new JsonObject(members);
    }
}
