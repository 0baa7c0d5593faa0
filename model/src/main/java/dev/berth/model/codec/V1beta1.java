package dev.berth.model.codec;

import dev.berth.model.codec.mapping.RequestMappings;
import dev.berth.model.codec.record.DecodingProblem;
import dev.berth.model.codec.record.DecodingProblem.UnknownField;
import dev.berth.model.codec.record.DecodingProblem.WrongType;
import dev.berth.model.json.FieldPath;
import dev.berth.model.json.Json;
import dev.berth.model.json.Json.JsonArray;
import dev.berth.model.json.Json.JsonBool;
import dev.berth.model.json.Json.JsonNull;
import dev.berth.model.json.Json.JsonString;
import dev.berth.model.json.JsonNumber;
import dev.berth.model.json.JsonObject;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Set;
import java.util.function.BiConsumer;
import java.util.function.UnaryOperator;

/// Conversion of `v1beta1`, which differs from `v1` in these points:
///
/// - A device has all but its name in `basic`.
/// - A request has the fields of `exactly` beside `firstAvailable`.
/// - A slice's `nodeName` and `allNodes` are plain: empty and false mean absent.
final class V1beta1 {

    private static final String BASIC = "basic";
    private static final String EXACTLY = "exactly";
    private static final Set<String> DEVICE = Set.of("name", BASIC);

    private V1beta1() {}

    /// Fields of a `v1beta1` object that conversion would lose or misread: those of other versions
    /// and a `basic` that is not an object. Decoding the converted object finds all others.
    static List<DecodingProblem> problems(Kind<?> kind, JsonObject object) {
        var found = new ArrayList<DecodingProblem>();
        var spec = object.objectOrEmpty("spec");
        var path = FieldPath.of("spec");
        switch (kind.name()) {
            case "ResourceSlice" -> deviceProblems(spec, path, found);
            case "ResourceClaim" -> requestProblems(spec, path, found);
            case "ResourceClaimTemplate" ->
                    requestProblems(spec.objectOrEmpty("spec"), path.child("spec"), found);
            default -> {}
        }
        return found;
    }

    private static void deviceProblems(
            JsonObject spec, FieldPath path, List<DecodingProblem> found) {
        forEachItem(
                spec,
                "devices",
                path,
                (device, at) -> {
                    for (var name : device.members().keySet()) {
                        if (!DEVICE.contains(name)) {
                            found.add(new UnknownField(at.child(name)));
                        }
                    }
                    if (device.objectOrEmpty(BASIC).has("name")) {
                        found.add(new UnknownField(at.child(BASIC).child("name")));
                    }
                    device.member(BASIC)
                            .filter(basic -> !isObjectOrNull(basic))
                            .map(Json::kindName)
                            .map(kind -> new WrongType(at.child(BASIC), "object", kind))
                            .ifPresent(found::add);
                });
    }

    private static boolean isObjectOrNull(Json value) {
        return value instanceof JsonObject || value instanceof JsonNull;
    }

    private static void requestProblems(
            JsonObject spec, FieldPath path, List<DecodingProblem> found) {
        forEachItem(
                spec.objectOrEmpty("devices"),
                "requests",
                path.child("devices"),
                (request, at) -> {
                    if (request.has(EXACTLY)) {
                        found.add(new UnknownField(at.child(EXACTLY)));
                    }
                });
    }

    private static void forEachItem(
            JsonObject object,
            String list,
            FieldPath path,
            BiConsumer<JsonObject, FieldPath> action) {
        var items = object.array(list).map(JsonArray::items).orElse(List.of());
        for (var i = 0; i < items.size(); i++) {
            if (items.get(i) instanceof JsonObject item) {
                action.accept(item, path.child(list).index(i));
            }
        }
    }

    /// The path in a `v1beta1` object of a value that is at this path of the internal version.
    static FieldPath pathFromInternal(FieldPath path) {
        return path.parent().map(above -> pathFromInternal(above, path)).orElse(path);
    }

    private static FieldPath pathFromInternal(FieldPath above, FieldPath path) {
        var converted = pathFromInternal(above);
        if (isItemOf(above, "spec.devices") && !path.step().equals("name")) {
            converted = converted.child(BASIC);
        } else if (isItemOf(above, "devices.requests") && path.step().equals(EXACTLY)) {
            return converted;
        }
        return path.subscript() ? converted.key(path.step()) : converted.child(path.step());
    }

    private static boolean isItemOf(FieldPath path, String list) {
        return path.subscript()
                && path.parent().filter(parent -> parent.toString().endsWith(list)).isPresent();
    }

    static JsonObject toInternal(Kind<?> kind, JsonObject object) {
        return convert(kind, object, V1beta1::sliceToInternal, V1beta1::requestToInternal);
    }

    static JsonObject fromInternal(Kind<?> kind, JsonObject object) {
        return convert(kind, object, V1beta1::sliceFromInternal, V1beta1::requestFromInternal);
    }

    private static JsonObject convert(
            Kind<?> kind,
            JsonObject object,
            UnaryOperator<JsonObject> slice,
            UnaryOperator<JsonObject> request) {
        UnaryOperator<JsonObject> claim =
                spec -> change(spec, "devices", all -> changeEach(all, "requests", request));
        return switch (kind.name()) {
            case "ResourceSlice" -> change(object, "spec", slice);
            case "ResourceClaim" -> change(object, "spec", claim);
            case "ResourceClaimTemplate" ->
                    change(object, "spec", spec -> change(spec, "spec", claim));
            default -> object;
        };
    }

    private static JsonObject sliceToInternal(JsonObject spec) {
        var converted = changeEach(spec, "devices", V1beta1::deviceToInternal);
        if (spec.string("nodeName").filter(String::isEmpty).isPresent()) {
            converted = converted.without("nodeName");
        }
        return spec.flag("allNodes").orElse(true) ? converted : converted.without("allNodes");
    }

    private static JsonObject sliceFromInternal(JsonObject spec) {
        return changeEach(spec, "devices", V1beta1::deviceFromInternal);
    }

    private static JsonObject deviceToInternal(JsonObject device) {
        var members = new LinkedHashMap<String, Json>();
        device.member("name").ifPresent(name -> members.put("name", name));
        members.putAll(device.objectOrEmpty(BASIC).without("name").members());
        return new JsonObject(members);
    }

    private static JsonObject deviceFromInternal(JsonObject device) {
        var members = new LinkedHashMap<String, Json>();
        device.member("name").ifPresent(name -> members.put("name", name));
        members.put(BASIC, device.without("name"));
        return new JsonObject(members);
    }

    /// The request is an exact one if any of its fields is set, so that validation rejects fields
    /// beside `firstAvailable`.
    private static JsonObject requestToInternal(JsonObject request) {
        var exact = new LinkedHashMap<String, Json>();
        var members = new LinkedHashMap<String, Json>();
        var fields = RequestMappings.exactFields();
        request.without(EXACTLY)
                .members()
                .forEach((name, value) ->
                        (fields.contains(name) ? exact : members).put(name, value));
        if (exact.values().stream().anyMatch(value -> !isZero(value))) {
            members.put(EXACTLY, new JsonObject(exact));
        }
        return new JsonObject(members);
    }

    private static JsonObject requestFromInternal(JsonObject request) {
        var members = new LinkedHashMap<>(request.without(EXACTLY).members());
        members.putAll(request.objectOrEmpty(EXACTLY).members());
        return new JsonObject(members);
    }

    /// An empty list is not zero: Kubernetes distinguishes it from an absent one here. Nor is
    /// `false`, because the only flag of a request is a pointer.
    private static boolean isZero(Json value) {
        return switch (value) {
            case JsonString(var text) -> text.isEmpty();
            case JsonNumber number -> number.asLong().orElse(1) == 0;
            case JsonNull _ -> true;
            case JsonBool _, JsonObject _, JsonArray _ -> false;
        };
    }

    private static JsonObject change(
            JsonObject object, String member, UnaryOperator<JsonObject> by) {
        return object.object(member)
                .map(value -> object.with(member, by.apply(value)))
                .orElse(object);
    }

    private static JsonObject changeEach(
            JsonObject object, String member, UnaryOperator<JsonObject> by) {
        return object.array(member)
                .map(list -> object.with(member, changedItems(list, by)))
                .orElse(object);
    }

    private static JsonArray changedItems(JsonArray list, UnaryOperator<JsonObject> by) {
        return new JsonArray(
                list.items().stream()
                        .<Json>map(item -> item instanceof JsonObject one ? by.apply(one) : item)
                        .toList());
    }
}
