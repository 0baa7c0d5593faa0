package dev.berth.drivers.sim;

import dev.berth.core.publish.DesiredPool;
import dev.berth.model.api.slice.ResourceSlice;
import dev.berth.model.codec.Codec;
import dev.berth.model.codec.Decoded;
import dev.berth.model.codec.Kinds;
import dev.berth.model.codec.UnknownFieldPolicy;
import dev.berth.model.json.Json;
import dev.berth.model.json.Json.JsonArray;
import dev.berth.model.json.Json.JsonBool;
import dev.berth.model.json.Json.JsonNull;
import dev.berth.model.json.Json.JsonString;
import dev.berth.model.json.JsonNumber;
import dev.berth.model.json.JsonObject;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;

/// Reads a pool of a profile. Devices and counters have the format of a ResourceSlice with
/// abbreviations:
///
/// - an attribute may be a plain value; versions are written `{version: 1.2.3}`;
/// - a capacity or counter may be a plain quantity;
/// - `reach` selects the nodes with access to the devices: this node if absent, all nodes with
///   `all`, or the nodes with certain labels.
final class PoolTemplate {

    private static final Codec CODEC = new Codec();

    private PoolTemplate() {}

    static boolean isShared(JsonObject pool) {
        return pool.has("reach");
    }

    static DesiredPool pool(JsonObject text, ProfileTemplate template) {
        var driver = text.text("driver");
        var name = template.text(text.string("name").orElse("${node}"));
        var spec =
                scope(text, template)
                        .with("driver", Json.of(driver))
                        .with(
                                "pool",
                                new JsonObject(
                                        Map.of(
                                                "name", Json.of(name),
                                                "generation", Json.of(1),
                                                "resourceSliceCount", Json.of(1))))
                        .with("sharedCounters", counterSets(text, template))
                        .with("devices", devices(text, template));
        for (var field : List.of("partitionTypeAttribute", "skipNodeOperations")) {
            if (text.has(field)) {
                spec = spec.with(field, template.expand(text.member(field).orElseThrow()));
            }
        }
        return desired(driver + "/" + name, spec);
    }

    private static DesiredPool desired(String name, JsonObject spec) {
        var tree =
                JsonObject.of("spec", spec)
                        .with("apiVersion", Json.of(Kinds.RESOURCE_SLICE.apiVersion()))
                        .with("kind", Json.of(Kinds.RESOURCE_SLICE.name()))
                        .with("metadata", JsonObject.EMPTY);
        return switch (CODEC.readTree(Kinds.RESOURCE_SLICE, tree, UnknownFieldPolicy.STRICT)) {
            case Decoded.Refused<ResourceSlice> refused ->
                    throw new InvalidProfileException("pool " + name + ": " + refused.message());
            case Decoded.Read<ResourceSlice>(var slice, _) ->
                    new DesiredPool(
                            slice.poolId(),
                            slice.spec().scope(),
                            slice.spec().devices(),
                            slice.spec().sharedCounters(),
                            slice.spec().partitionTypeAttribute(),
                            slice.spec().skipNodeOperations());
        };
    }

    private static JsonObject scope(JsonObject pool, ProfileTemplate template) {
        if (!isShared(pool)) {
            return JsonObject.of("nodeName", Json.of(template.text("${node}")));
        }
        var labels = pool.objectOrEmpty("reach");
        if (labels.isEmpty()) {
            return JsonObject.of("allNodes", Json.of(true));
        }
        var terms =
                template.object(labels).members().entrySet().stream()
                        .map(label ->
                                JsonObject.of("key", Json.of(label.getKey()))
                                        .with("operator", Json.of("In"))
                                        .with("values", Json.array(label.getValue())))
                        .toList();
        return JsonObject.of(
                "nodeSelector",
                JsonObject.of(
                        "nodeSelectorTerms",
                        Json.array(JsonObject.of("matchExpressions", Json.array(terms)))));
    }

    private static JsonArray counterSets(JsonObject pool, ProfileTemplate template) {
        return Json.array(
                template.repeated(pool.objects("counters")).stream()
                        .map(set -> each(set, "counters", PoolTemplate::quantity))
                        .toList());
    }

    private static JsonArray devices(JsonObject pool, ProfileTemplate template) {
        return Json.array(
                template.repeated(pool.objects("devices")).stream()
                        .map(PoolTemplate::device)
                        .toList());
    }

    private static JsonObject device(JsonObject device) {
        var full = each(device, "attributes", PoolTemplate::attribute);
        full = each(full, "capacity", PoolTemplate::quantity);
        if (full.items("consumesCounters").isEmpty()) {
            return full;
        }
        return full.with(
                "consumesCounters",
                Json.array(
                        full.objects("consumesCounters").stream()
                                .map(set -> each(set, "counters", PoolTemplate::quantity))
                                .toList()));
    }

    private static JsonObject each(JsonObject holder, String field, UnaryOperator<Json> change) {
        if (holder.object(field).isEmpty()) {
            return holder;
        }
        var changed = new LinkedHashMap<String, Json>();
        holder.objectOrEmpty(field)
                .members()
                .forEach((name, value) -> changed.put(name, change.apply(value)));
        return holder.with(field, new JsonObject(changed));
    }

    private static Json attribute(Json value) {
        return switch (value) {
            case JsonString _ -> JsonObject.of("string", value);
            case JsonNumber _ -> JsonObject.of("int", value);
            case JsonBool _ -> JsonObject.of("bool", value);
            case JsonArray(var items) when items.stream().allMatch(JsonNumber.class::isInstance) ->
                    JsonObject.of("ints", value);
            case JsonArray _ -> JsonObject.of("strings", value);
            case JsonObject _, JsonNull _ -> value;
        };
    }

    private static Json quantity(Json value) {
        return value instanceof JsonObject
                ? value
                : JsonObject.of("value", Json.of(TemplateExpression.text(value)));
    }
}
