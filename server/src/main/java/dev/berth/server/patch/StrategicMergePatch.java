package dev.berth.server.patch;

import dev.berth.model.json.Json;
import dev.berth.model.json.Json.JsonArray;
import dev.berth.model.json.Json.JsonNull;
import dev.berth.model.json.Json.JsonString;
import dev.berth.model.json.JsonObject;
import dev.berth.model.json.JsonOrder;
import dev.berth.schema.SchemaType;
import dev.berth.schema.SchemaType.ListOf;
import dev.berth.schema.SchemaType.MapOf;
import dev.berth.schema.SchemaType.Scalar;
import dev.berth.schema.SchemaType.Struct;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;

/// Strategic merge patch: like a merge patch, but lists of a mergeable type are merged item by
/// item.
///
/// Directives in the patch: `$patch` on an object or an item, `$retainKeys` on an object,
/// `$deleteFromPrimitiveList/<field>` and `$setElementOrder/<field>` beside a list. Undescribed
/// fields are merged as in a merge patch.
public final class StrategicMergePatch {

    static final String DIRECTIVE = "$patch";
    private static final String RETAIN_KEYS = "$retainKeys";
    private static final String DELETE_LIST = "$deleteFromPrimitiveList";
    private static final String ELEMENT_ORDER = "$setElementOrder";

    private StrategicMergePatch() {}

    public static PatchResult apply(JsonObject object, Json patch, SchemaType type) {
        if (!(patch instanceof JsonObject changes)) {
            return PatchRejection.badRequest(
                    "json: cannot unmarshal %s into Go value of type map[string]interface {}"
                            .formatted(patch.kindName()));
        }
        var exceeded = PatchLimits.exceeded(object, patch);
        if (exceeded.isPresent()) {
            return exceeded.get();
        }
        try {
            return new PatchedObject(merged(object, changes, type));
        } catch (PatchException exception) {
            return exception.rejected();
        }
    }

    static JsonObject merged(JsonObject original, JsonObject patch, SchemaType type) {
        var directive = patch.members().get(DIRECTIVE);
        if (directive != null) {
            return directed(directive, patch);
        }
        var result = new LinkedHashMap<>(original.members());
        var changes = new LinkedHashMap<>(patch.members());
        retainKeys(result, changes);
        reorder(result, changes, type);
        changes.forEach((name, change) -> mergeMember(result, name, change, type));
        return new JsonObject(result);
    }

    private static JsonObject directed(Json directive, JsonObject patch) {
        if (directive instanceof JsonString(var word)) {
            switch (word) {
                case "replace" -> {
                    return plainMembers(patch.without(DIRECTIVE));
                }
                case "delete" -> {
                    return JsonObject.EMPTY;
                }
                default -> {}
            }
        }
        throw unknownDirective(directive, patch);
    }

    static PatchException unknownDirective(Json directive, JsonObject patch) {
        return PatchException.badRequest(
                "unknown patch type: %s in map: %s"
                        .formatted(GoValueText.of(directive), GoValueText.of(patch)));
    }

    /// `$retainKeys` lists all members that are kept; the patch may set only these.
    private static void retainKeys(Map<String, Json> result, Map<String, Json> changes) {
        var directive = changes.remove(RETAIN_KEYS);
        if (directive == null) {
            return;
        }
        if (!(directive instanceof JsonArray list)) {
            throw PatchException.badRequest("invalid patch format of retainKeys");
        }
        var retained = new TreeSet<>(JsonOrder.INSTANCE);
        retained.addAll(list.items());
        changes.forEach((name, change) -> {
            var exempt =
                    change instanceof JsonNull
                            || name.startsWith(DELETE_LIST)
                            || name.startsWith(ELEMENT_ORDER);
            if (!exempt && !retained.contains(Json.of(name))) {
                throw PatchException.badRequest("invalid patch format of retainKeys");
            }
        });
        result.keySet().removeIf(name -> !retained.contains(Json.of(name)));
    }

    /// Merges the lists that have a `$setElementOrder`, and removes them from the patch.
    private static void reorder(
            Map<String, Json> result, Map<String, Json> changes, SchemaType type) {
        var directives =
                changes.keySet().stream().filter(name -> name.startsWith(ELEMENT_ORDER)).toList();
        for (var directive : directives) {
            var value = Optional.ofNullable(changes.remove(directive)).orElse(JsonNull.INSTANCE);
            var order = listOrThrow(value);
            var name =
                    suffix(directive, ELEMENT_ORDER)
                            .orElseThrow(() ->
                                    PatchException.badRequest(
                                            "invalid patch format of setElementOrder" + " list"));
            var change = Optional.ofNullable(changes.remove(name));
            if (change.isPresent() && change.get() instanceof JsonNull) {
                // A removal has no order; leave it to the rest of the merge.
                changes.put(name, JsonNull.INSTANCE);
                continue;
            }
            var live = Optional.ofNullable(result.get(name)).map(StrategicMergePatch::listOrThrow);
            var items = change.map(StrategicMergePatch::listOrThrow);
            if (live.isEmpty() && items.isEmpty()) {
                continue;
            }
            var list = new StrategicList(listType(member(type, name)));
            result.put(name, list.ordered(live, items, order));
        }
    }

    private static List<Json> listOrThrow(Json value) {
        if (value instanceof JsonArray(var items)) {
            return items;
        }
        throw PatchException.badRequest(
                "expected a []interface {}, but received a %s".formatted(GoValueText.type(value)));
    }

    private static Optional<String> suffix(String directive, String prefix) {
        return directive.startsWith(prefix + "/")
                ? Optional.of(directive.substring(prefix.length() + 1))
                : Optional.empty();
    }

    private static void mergeMember(
            Map<String, Json> result, String key, Json change, SchemaType type) {
        var deletion = key.startsWith(DELETE_LIST);
        var name =
                deletion
                        ? suffix(key, DELETE_LIST)
                                .orElseThrow(() ->
                                        PatchException.badRequest(
                                                "invalid patch format of primitive list"))
                        : key;
        if (change instanceof JsonNull) {
            result.remove(name);
            return;
        }
        var old = Optional.ofNullable(result.get(name)).orElse(JsonNull.INSTANCE);
        var fieldType = member(type, name);
        if (old instanceof JsonObject object && change instanceof JsonObject changes) {
            result.put(name, merged(object, changes, fieldType));
        } else if (old instanceof JsonArray(var live) && change instanceof JsonArray(var items)) {
            var list = new StrategicList(listType(fieldType));
            result.put(name, deletion ? list.without(live, items) : list.merged(live, items));
        } else if (!deletion) {
            plain(change)
                    .ifPresentOrElse(value -> result.put(name, value), () -> result.remove(name));
        }
    }

    /// A value of the patch that replaces the old one: without directives and nulls. Empty if it is
    /// a directive itself.
    static Optional<Json> plain(Json value) {
        return switch (value) {
            case JsonObject object ->
                    object.members().containsKey(DIRECTIVE)
                            ? Optional.empty()
                            : Optional.of(plainMembers(object));
            case JsonArray array ->
                    Optional.of(
                            Json.array(
                                    array.items().stream()
                                            .flatMap(item -> plain(item).stream())
                                            .toList()));
            default -> Optional.of(value);
        };
    }

    private static JsonObject plainMembers(JsonObject object) {
        var members = new LinkedHashMap<String, Json>();
        object.members()
                .forEach((name, member) -> {
                    if (!(member instanceof JsonNull) && !isDirective(name)) {
                        plain(member).ifPresent(kept -> members.put(name, kept));
                    }
                });
        return new JsonObject(members);
    }

    private static boolean isDirective(String name) {
        return name.equals(RETAIN_KEYS)
                || suffix(name, DELETE_LIST).isPresent()
                || suffix(name, ELEMENT_ORDER).isPresent();
    }

    private static SchemaType member(SchemaType type, String name) {
        return switch (type) {
            case Struct struct -> {
                var field = struct.fields().named(name);
                yield field == null ? Scalar.ANY : field.type();
            }
            case MapOf map -> map.value();
            case ListOf _, Scalar _ -> Scalar.ANY;
        };
    }

    /// A list that the type does not describe is replaced.
    private static ListOf listType(SchemaType type) {
        return type instanceof ListOf list
                ? list
                : new ListOf(Scalar.ANY, new SchemaType.Merge.Atomic(), false, "", false);
    }
}
