package dev.berth.server.http.response;

import dev.berth.model.json.Json;
import dev.berth.model.json.Json.JsonArray;
import dev.berth.model.json.JsonObject;
import dev.berth.server.registry.Resource;
import dev.berth.server.registry.TableColumn;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.function.UnaryOperator;

/// Tables as printed by `kubectl get`.
///
/// @param served the form of an object in a row with `includeObject=Object`
public record TableResponses(
        List<TableColumn> columns, UnaryOperator<JsonObject> served, String includeObject) {

    TableResponses(Resource resource, String version, String includeObject) {
        this(resource.columns(), object -> resource.fromInternal(version, object), includeObject);
    }

    /// A table of objects in the internal version.
    ///
    /// @param withColumns false for later events of a watch, whose first event contained the
    ///   columns
    public JsonObject table(
            List<JsonObject> objects, JsonObject metadata, boolean withColumns, Instant now) {
        var members = new LinkedHashMap<String, Json>();
        members.put("kind", Json.of("Table"));
        members.put("apiVersion", Json.of("meta.k8s.io/v1"));
        members.put("metadata", listPart(metadata));
        members.put("columnDefinitions", withColumns ? definitions() : JsonArray.EMPTY);
        members.put(
                "rows",
                new JsonArray(objects.stream().<Json>map(object -> row(object, now)).toList()));
        return new JsonObject(members);
    }

    private static JsonObject listPart(JsonObject metadata) {
        var members = new LinkedHashMap<String, Json>();
        for (var name : List.of("resourceVersion", "continue", "remainingItemCount")) {
            metadata.member(name).ifPresent(value -> members.put(name, value));
        }
        return new JsonObject(members);
    }

    private JsonArray definitions() {
        var definitions = new ArrayList<Json>();
        for (var column : columns) {
            definitions.add(definition(column));
        }
        return new JsonArray(definitions);
    }

    private static JsonObject definition(TableColumn column) {
        return JsonObject.of("name", Json.of(column.name()))
                .with("type", Json.of(column.type()))
                .with("format", Json.of(column.format()))
                .with("description", Json.of(column.description()))
                .with("priority", Json.of(column.priority()));
    }

    JsonObject row(JsonObject object, Instant now) {
        var cells = new ArrayList<Json>();
        for (var column : columns) {
            cells.add(column.cell().of(object, now));
        }
        var row = JsonObject.of("cells", new JsonArray(cells));
        return switch (includeObject) {
            case "None" -> row;
            case "Object" -> row.with("object", served.apply(object));
            default -> row.with("object", ObjectRendering.metadataOnly(object));
        };
    }
}
