package dev.berth.schema.protobuf;

import dev.berth.model.json.Json;
import dev.berth.model.json.Json.JsonArray;
import dev.berth.model.json.Json.JsonBool;
import dev.berth.model.json.Json.JsonNull;
import dev.berth.model.json.Json.JsonString;
import dev.berth.model.json.JsonNumber;
import dev.berth.model.json.JsonObject;
import dev.berth.model.json.JsonWriter;
import dev.berth.model.time.Rfc3339;
import dev.berth.schema.SchemaType;
import dev.berth.schema.SchemaType.ListOf;
import dev.berth.schema.SchemaType.MapOf;
import dev.berth.schema.SchemaType.Scalar;
import dev.berth.schema.SchemaType.Struct;
import dev.berth.schema.protobuf.FieldNumbers.Wrapping;
import dev.berth.schema.protobuf.MessageType.FieldPart;
import dev.berth.schema.protobuf.MessageType.InlinedPart;
import dev.berth.schema.protobuf.MessageType.Part;
import java.util.Base64;
import java.util.List;

/// Encodes a JSON object as a message, from its last byte to its first. Fields are in the order of
/// their numbers. `null`, empty lists and empty maps are not written.
final class MessageEncoder {

    private final MessageTypes types;
    private final ReverseBuffer out;

    MessageEncoder(MessageTypes types, ReverseBuffer out) {
        this.types = types;
        this.out = out;
    }

    /// Writes all fields of the message.
    void message(MessageType type, JsonObject object) {
        parts(type.parts().descending(), object);
    }

    private void parts(Part[] descending, JsonObject object) {
        for (var part : descending) {
            switch (part) {
                case FieldPart field -> field(field, object.memberOrNull(field.name()));
                case InlinedPart inlined -> {
                    var end = out.length();
                    parts(inlined.parts().descending(), object);
                    if (out.length() > end) {
                        out.prefix(inlined.number(), end);
                    }
                }
            }
        }
    }

    private void field(FieldPart field, Json value) {
        if (value instanceof JsonNull) {
            return;
        }
        var number = field.number();
        switch (field.type()) {
            case ListOf list when field.wrapping() == Wrapping.LIST -> {
                var end = out.length();
                items(1, list.item(), items(field, value));
                out.prefix(number, end);
            }
            case ListOf list -> items(number, list.item(), items(field, value));
            case MapOf map -> entries(field, map.value(), object(field, value));
            case Struct struct -> nested(number, types.of(struct), object(field, value));
            case Scalar scalar -> {
                if (field.wrapping() == Wrapping.NONE) {
                    scalar(number, scalar, value);
                } else {
                    union(number, field.wrapping(), value);
                }
            }
        }
    }

    private static List<Json> items(FieldPart field, Json value) {
        if (value instanceof JsonArray(var items)) {
            return items;
        }
        throw mismatch(field.name(), value, "array");
    }

    private static JsonObject object(FieldPart field, Json value) {
        if (value instanceof JsonObject object) {
            return object;
        }
        throw mismatch(field.name(), value, "object");
    }

    private static ProtobufException mismatch(String field, Json value, String expected) {
        return ProtobufException.malformed(
                "field %s: JSON type %s, expected %s".formatted(field, value.kindName(), expected));
    }

    private void items(int number, SchemaType item, List<Json> items) {
        for (var i = items.size() - 1; i >= 0; i--) {
            value(number, item, items.get(i));
        }
    }

    private void entries(FieldPart field, SchemaType type, JsonObject map) {
        for (var i = map.size() - 1; i >= 0; i--) {
            var end = out.length();
            if (field.wrapping() == Wrapping.NONE) {
                value(2, type, map.valueAt(i));
            } else {
                union(2, field.wrapping(), map.valueAt(i));
            }
            out.stringField(1, map.nameAt(i));
            out.prefix(field.number(), end);
        }
    }

    /// A value in a list or a map; it is written also when it is zero.
    private void value(int number, SchemaType type, Json value) {
        switch (type) {
            case Scalar scalar -> scalar(number, scalar, value);
            case Struct struct ->
                    nested(
                            number,
                            types.of(struct),
                            value instanceof JsonObject object ? object : JsonObject.EMPTY);
            case ListOf list -> {
                var end = out.length();
                items(1, list.item(), value instanceof JsonArray(var items) ? items : List.of());
                out.prefix(number, end);
            }
            case MapOf _ -> throw ProtobufException.malformed("map in a list or map");
        }
    }

    private void nested(int number, MessageType type, JsonObject object) {
        var end = out.length();
        message(type, object);
        out.prefix(number, end);
    }

    void schema(int number, JsonObject schema) {
        nested(number, types.jsonSchema(), schema);
    }

    private void union(int number, Wrapping wrapping, Json value) {
        var end = out.length();
        SchemaUnions.write(wrapping, value, this, out);
        out.prefix(number, end);
    }

    private void scalar(int number, Scalar scalar, Json value) {
        switch (scalar) {
            case STRING -> out.stringField(number, text(scalar, value));
            case BOOLEAN -> {
                if (!(value instanceof JsonBool(var flag))) {
                    throw mismatch("of type bool", value, "bool");
                }
                out.boolField(number, flag);
            }
            case INT32, INT64 -> out.varintField(number, integer(value));
            case NUMBER -> out.doubleField(number, Double.parseDouble(text(scalar, value)));
            case BYTES -> out.bytesField(number, base64(text(scalar, value)));
            case TIME, MICRO_TIME, DURATION, QUANTITY, INT_OR_STRING, ANY -> {
                var end = out.length();
                wrapped(scalar, value);
                out.prefix(number, end);
            }
        }
    }

    private void wrapped(Scalar scalar, Json value) {
        switch (scalar) {
            case TIME, MICRO_TIME -> {
                if (value instanceof JsonString(var text)) {
                    time(scalar, text);
                }
            }
            case DURATION -> out.varintField(1, ProtobufTimes.nanos(text(scalar, value)));
            case QUANTITY -> out.stringField(1, text(scalar, value));
            case INT_OR_STRING -> {
                if (value instanceof JsonString(var text)) {
                    out.stringField(3, text);
                    out.varintField(1, 1);
                } else {
                    out.varintField(2, integer(value));
                    out.varintField(1, 0);
                }
            }
            default -> {
                if (!(value instanceof JsonNull)) {
                    out.bytesField(1, JsonWriter.bytes(value));
                }
            }
        }
    }

    private void time(Scalar scalar, String text) {
        var time =
                Rfc3339.read(text)
                        .orElseThrow(() ->
                                ProtobufException.malformed(
                                        "time \"%s\" is not RFC 3339".formatted(text)));
        out.varintField(2, scalar == Scalar.TIME ? 0 : time.getNano() / 1000 * 1000);
        out.varintField(1, time.getEpochSecond());
    }

    /// The text of a string or number: quantities may be either.
    private static String text(Scalar scalar, Json value) {
        return switch (value) {
            case JsonString(var text) when scalar != Scalar.NUMBER -> text;
            case JsonNumber(var literal) when scalar == Scalar.NUMBER -> literal;
            case JsonNumber(var literal) when scalar == Scalar.QUANTITY -> literal;
            case JsonNull _ -> "";
            default -> throw mismatch("of type " + scalar, value, "string");
        };
    }

    private static long integer(Json value) {
        if (value instanceof JsonNumber number && number.asLong().isPresent()) {
            return number.asLong().getAsLong();
        }
        throw mismatch("of type integer", value, "integer");
    }

    private static byte[] base64(String text) {
        try {
            return Base64.getDecoder().decode(text);
        } catch (IllegalArgumentException _) {
            throw ProtobufException.malformed("bytes are not base64");
        }
    }
}
