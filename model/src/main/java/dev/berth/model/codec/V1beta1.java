package dev.berth.model.codec;

import static dev.berth.model.codec.record.FieldPresence.ALWAYS;
import static dev.berth.model.codec.record.FieldPresence.UNLESS_EMPTY;
import static dev.berth.model.codec.record.FieldPresence.WHEN_SET;

import dev.berth.model.codec.mapping.ClaimMappings;
import dev.berth.model.codec.mapping.DeviceMappings;
import dev.berth.model.codec.mapping.RequestMappings;
import dev.berth.model.codec.mapping.SliceMappings;
import dev.berth.model.codec.record.CollectionTypes;
import dev.berth.model.codec.record.FieldLayout;
import dev.berth.model.codec.record.FieldLayout.Member;
import dev.berth.model.codec.record.ScalarTypes;
import dev.berth.model.codec.record.Schema;
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
import java.util.function.UnaryOperator;

/// Conversion of `v1beta1`, which differs from `v1` in these points:
///
/// - A device has all but its name in `basic`.
/// - A request has the fields of `exactly` beside `firstAvailable`.
/// - A slice's `nodeName` and `allNodes` are plain: empty and false mean absent.
final class V1beta1 {

    private static final FieldLayout DEVICE =
            FieldLayout.of(
                    List.of(
                            new Member("name", ScalarTypes.WORD, ALWAYS),
                            new Member(
                                    "basic",
                                    DeviceMappings.DEVICE.layout().without("name"),
                                    WHEN_SET)),
                    false);

    private static final FieldLayout REQUEST = request();

    private static final FieldLayout DEVICES =
            RequestMappings.DEVICES
                    .layout()
                    .with("requests", CollectionTypes.list((Schema) REQUEST), UNLESS_EMPTY);

    private static final FieldLayout CLAIM_SPEC =
            RequestMappings.SPEC.layout().with("devices", DEVICES);

    private static final FieldLayout SLICE_SPEC =
            SliceMappings.SPEC
                    .layout()
                    .with("nodeName", ScalarTypes.WORD, UNLESS_EMPTY)
                    .with("allNodes", ScalarTypes.BOOL, UNLESS_EMPTY)
                    .with("devices", CollectionTypes.list((Schema) DEVICE), UNLESS_EMPTY);

    private V1beta1() {}

    private static FieldLayout request() {
        var members = new ArrayList<Member>();
        members.add(new Member("name", ScalarTypes.WORD, ALWAYS));
        for (var member : RequestMappings.exactLayout().members()) {
            var presence = member.presence() == ALWAYS ? UNLESS_EMPTY : member.presence();
            members.add(new Member(member.name(), member.schema(), presence));
        }
        RequestMappings.REQUEST.layout().members().stream()
                .filter(member -> member.name().equals("firstAvailable"))
                .forEach(members::add);
        return FieldLayout.of(members, false);
    }

    static FieldLayout layout(Kind<?> kind) {
        var layout = kind.shape().layout();
        return switch (kind.name()) {
            case "ResourceSlice" -> layout.with("spec", SLICE_SPEC);
            case "ResourceClaim" -> layout.with("spec", CLAIM_SPEC);
            case "ResourceClaimTemplate" ->
                    layout.with(
                            "spec", ClaimMappings.TEMPLATE_SPEC.layout().with("spec", CLAIM_SPEC));
            default -> layout;
        };
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
        var members = new LinkedHashMap<>(device.without("basic").members());
        members.putAll(device.objectOrEmpty("basic").members());
        return new JsonObject(members);
    }

    private static JsonObject deviceFromInternal(JsonObject device) {
        var members = new LinkedHashMap<String, Json>();
        device.member("name").ifPresent(name -> members.put("name", name));
        members.put("basic", device.without("name"));
        return new JsonObject(members);
    }

    /// The request is an exact one if any of its fields is set, so that validation rejects fields
    /// beside `firstAvailable`.
    private static JsonObject requestToInternal(JsonObject request) {
        var exact = new LinkedHashMap<String, Json>();
        var members = new LinkedHashMap<String, Json>();
        var fields = RequestMappings.exactLayout().names();
        request.members()
                .forEach((name, value) ->
                        (fields.contains(name) ? exact : members).put(name, value));
        if (exact.values().stream().anyMatch(value -> !isZero(value))) {
            members.put("exactly", new JsonObject(exact));
        }
        return new JsonObject(members);
    }

    private static JsonObject requestFromInternal(JsonObject request) {
        var members = new LinkedHashMap<>(request.without("exactly").members());
        members.putAll(request.objectOrEmpty("exactly").members());
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
