package dev.berth.schema.protobuf;

import dev.berth.model.json.Json;
import dev.berth.model.json.Json.JsonArray;
import dev.berth.model.json.Json.JsonBool;
import dev.berth.model.json.Json.JsonNull;
import dev.berth.model.json.Json.JsonString;
import dev.berth.model.json.JsonNumber;
import dev.berth.model.json.JsonObject;
import dev.berth.model.json.JsonWriter;
import dev.berth.schema.SchemaType;
import dev.berth.schema.SchemaType.ListOf;
import dev.berth.schema.SchemaType.MapOf;
import dev.berth.schema.SchemaType.Scalar;
import dev.berth.schema.SchemaType.Struct;
import dev.berth.schema.Schemas;
import dev.berth.schema.protobuf.FieldNumbers.Entry;
import dev.berth.schema.protobuf.FieldNumbers.Presence;
import dev.berth.schema.protobuf.FieldNumbers.Wrapping;
import java.time.Instant;
import java.util.Base64;
import java.util.List;
import java.util.Set;

/// Encodes objects as Go clients do: every field that is not a pointer is written, also when it is
/// not set, with its zero value or an empty message.
public final class GoMessages {

    /// Fields with a struct that is no pointer in Go, though the schema does not require them.
    private static final Set<String> STRUCTS =
            Set.of(
                    "metadata",
                    "spec",
                    "status",
                    "strategy",
                    "updateStrategy",
                    "devices",
                    "pool",
                    "state",
                    "lastState",
                    "nodeInfo",
                    "daemonEndpoints",
                    "kubeletEndpoint",
                    "source",
                    "involvedObject",
                    "regarding",
                    "template",
                    "jobTemplate",
                    "loadBalancer");

    /// Structs `resources` that are no pointer in Go.
    private static final Set<String> WITH_RESOURCES =
            Set.of("Container", "EphemeralContainer", "PersistentVolumeClaimSpec");

    /// Times that are no pointer in Go.
    private static final Set<String> TIMES =
            Set.of(
                    "creationTimestamp",
                    "eventTime",
                    "firstTimestamp",
                    "lastTimestamp",
                    "lastTransitionTime",
                    "lastProbeTime",
                    "lastHeartbeatTime");

    private static final Schemas SCHEMAS = Schemas.builtIn();
    private static final FieldNumbers NUMBERS = FieldNumbers.builtIn();

    private GoMessages() {}

    /// The object with envelope.
    public static byte[] body(JsonObject object) {
        var apiVersion = object.text("apiVersion");
        var slash = apiVersion.indexOf('/');
        var struct =
                SCHEMAS.kind(
                                slash < 0 ? "" : apiVersion.substring(0, slash),
                                apiVersion.substring(slash + 1),
                                object.text("kind"))
                        .orElseThrow();
        return HostileMessages.envelope(
                apiVersion, object.text("kind"), message(struct, object).bytes());
    }

    /// True for fields that Go writes in JSON also when they are not set: structs and strings.
    public static boolean isAlwaysWritten(String field) {
        return STRUCTS.contains(field)
                || List.of("resources", "reportingComponent", "reportingInstance").contains(field);
    }

    private static ProtobufBytes message(Struct struct, JsonObject object) {
        return fields(struct, NUMBERS.entries(struct.name()), object);
    }

    private static ProtobufBytes fields(Struct struct, List<Entry> entries, JsonObject object) {
        var out = new ProtobufBytes();
        for (var entry : entries) {
            switch (entry) {
                case Entry.Inlined(var message, var number) ->
                        out.message(number, fields(struct, NUMBERS.entries(message), object));
                case Entry.Named named -> {
                    var field = struct.fields().named(named.field());
                    if (field != null) {
                        var value = object.member(named.field()).orElse(JsonNull.INSTANCE);
                        if (value instanceof JsonNull) {
                            zero(out, struct, named, field.type(), field.required());
                        } else {
                            field(out, named, field.type(), value);
                        }
                    }
                }
            }
        }
        return out;
    }

    private static void field(ProtobufBytes out, Entry.Named named, SchemaType type, Json value) {
        switch (type) {
            case ListOf list when named.wrapping() == Wrapping.LIST -> {
                var wrapped = new ProtobufBytes();
                ((JsonArray) value).items().forEach(one -> value(wrapped, 1, list.item(), one));
                out.message(named.number(), wrapped);
            }
            case ListOf list ->
                    ((JsonArray) value)
                            .items()
                            .forEach(one -> value(out, named.number(), list.item(), one));
            case MapOf(var item, _) ->
                    ((JsonObject) value)
                            .members()
                            .forEach((key, one) -> {
                                var entry = new ProtobufBytes().text(1, key);
                                value(entry, 2, item, one);
                                out.message(named.number(), entry);
                            });
            case Struct _, Scalar _ -> value(out, named.number(), type, value);
        }
    }

    private static void value(ProtobufBytes out, int number, SchemaType type, Json value) {
        switch (type) {
            case Struct struct -> out.message(number, message(struct, (JsonObject) value));
            case ListOf list -> {
                var wrapped = new ProtobufBytes();
                ((JsonArray) value).items().forEach(one -> value(wrapped, 1, list.item(), one));
                out.message(number, wrapped);
            }
            case MapOf _ -> throw new IllegalArgumentException("map in a list or map");
            case Scalar scalar -> scalar(out, number, scalar, value);
        }
    }

    private static void scalar(ProtobufBytes out, int number, Scalar scalar, Json value) {
        switch (scalar) {
            case STRING -> out.text(number, ((JsonString) value).value());
            case BOOLEAN -> out.flag(number, ((JsonBool) value).value());
            case INT32, INT64 -> out.number(number, ((JsonNumber) value).asLong().orElseThrow());
            case BYTES -> out.raw(number, Base64.getDecoder().decode(((JsonString) value).value()));
            case TIME, MICRO_TIME -> {
                var time = Instant.parse(((JsonString) value).value());
                out.message(
                        number,
                        new ProtobufBytes()
                                .number(1, time.getEpochSecond())
                                .number(2, time.getNano()));
            }
            case QUANTITY -> out.message(number, new ProtobufBytes().text(1, text(value)));
            case INT_OR_STRING -> out.message(number, intOrString(value));
            case ANY -> out.message(number, new ProtobufBytes().raw(1, JsonWriter.bytes(value)));
            case NUMBER, DURATION -> throw new IllegalArgumentException(scalar.toString());
        }
    }

    private static String text(Json value) {
        return value instanceof JsonString(var text) ? text : JsonWriter.compact(value);
    }

    private static ProtobufBytes intOrString(Json value) {
        return value instanceof JsonString(var text)
                ? new ProtobufBytes().number(1, 1).number(2, 0).text(3, text)
                : new ProtobufBytes()
                        .number(1, 0)
                        .number(2, ((JsonNumber) value).asLong().orElseThrow())
                        .text(3, "");
    }

    /// Writes a field that is not set.
    private static void zero(
            ProtobufBytes out,
            Struct struct,
            Entry.Named named,
            SchemaType type,
            boolean required) {
        if (named.presence() == Presence.POINTER || named.wrapping() != Wrapping.NONE) {
            return;
        }
        switch (type) {
            case Scalar.STRING -> out.text(named.number(), "");
            case Scalar.BOOLEAN -> out.flag(named.number(), false);
            case Scalar.INT32, Scalar.INT64 -> out.number(named.number(), 0);
            case Scalar.TIME, Scalar.MICRO_TIME -> {
                if (TIMES.contains(named.field())) {
                    out.message(named.number(), new ProtobufBytes());
                }
            }
            case Scalar.INT_OR_STRING -> {
                if (named.field().equals("targetPort")) {
                    out.message(named.number(), intOrString(Json.of(0)));
                }
            }
            case Struct inner -> {
                if (required || isStruct(struct, named.field())) {
                    out.message(named.number(), message(inner, JsonObject.EMPTY));
                }
            }
            case Scalar _, ListOf _, MapOf _ -> {}
        }
    }

    private static boolean isStruct(Struct struct, String field) {
        return STRUCTS.contains(field)
                || (field.equals("resources")
                        && WITH_RESOURCES.contains(Schemas.simpleName(struct)));
    }
}
