package dev.berth.schema.protobuf;

import com.google.protobuf.CodedInputStream;
import com.google.protobuf.WireFormat;
import dev.berth.model.json.Json;
import dev.berth.model.json.Json.JsonArray;
import dev.berth.model.json.Json.JsonBool;
import dev.berth.model.json.Json.JsonNull;
import dev.berth.model.json.Json.JsonString;
import dev.berth.model.json.JsonNumber;
import dev.berth.model.json.JsonObject;
import dev.berth.model.json.JsonReader;
import dev.berth.model.json.ParseResult;
import dev.berth.schema.SchemaType;
import dev.berth.schema.SchemaType.ListOf;
import dev.berth.schema.SchemaType.MapOf;
import dev.berth.schema.SchemaType.Scalar;
import dev.berth.schema.SchemaType.Struct;
import java.io.IOException;
import java.util.Base64;

/// Decodes values without fields: numbers, strings, bytes, and the small messages that JSON writes
/// as one value (Time, Quantity, IntOrString, RawExtension).
final class ScalarDecoder {

    private static final JsonString EMPTY = Json.of("");

    /// Decodes an object with envelope in a RawExtension.
    interface NestedDecoder {

        /// Decodes the object.
        ///
        /// @param depth number of objects and lists around the object
        JsonObject decode(byte[] body, int depth);
    }

    private final NestedDecoder enveloped;

    ScalarDecoder(NestedDecoder enveloped) {
        this.enveloped = enveloped;
    }

    static int wireType(Scalar scalar) {
        return switch (scalar) {
            case BOOLEAN, INT32, INT64 -> WireFormat.WIRETYPE_VARINT;
            case NUMBER -> WireFormat.WIRETYPE_FIXED64;
            case STRING, BYTES, TIME, MICRO_TIME, DURATION, QUANTITY, INT_OR_STRING, ANY ->
                    WireFormat.WIRETYPE_LENGTH_DELIMITED;
        };
    }

    Json read(Scalar scalar, int tag, MessageDecoder message) throws IOException {
        MessageDecoder.require(wireType(scalar), tag);
        var in = message.in();
        return switch (scalar) {
            case STRING -> string(in);
            case BOOLEAN, INT32, INT64 -> varint(scalar, in);
            case NUMBER -> new JsonNumber(GoNumbers.text(in.readDouble()));
            case BYTES -> Json.of(Base64.getEncoder().encodeToString(in.readByteArray()));
            case TIME, MICRO_TIME, DURATION, QUANTITY, INT_OR_STRING, ANY -> {
                var end = message.begin(tag);
                var value = wrapped(scalar, message, in);
                in.popLimit(end);
                yield value;
            }
        };
    }

    private static Json string(CodedInputStream in) throws IOException {
        var text = in.readStringRequireUtf8();
        return text.isEmpty() ? EMPTY : Json.of(text);
    }

    Json varint(Scalar scalar, CodedInputStream in) throws IOException {
        return switch (scalar) {
            case BOOLEAN -> Json.of(in.readBool());
            case INT32 -> Json.of(in.readInt32());
            default -> Json.of(in.readInt64());
        };
    }

    /// Reads a message of at most three fields.
    private Json wrapped(Scalar scalar, MessageDecoder message, CodedInputStream in)
            throws IOException {
        var first = 0L;
        var second = 0L;
        var text = "";
        var bytes = new byte[0];
        var empty = true;
        for (var tag = in.readTag(); tag != 0; tag = in.readTag()) {
            empty = false;
            var number = WireFormat.getTagFieldNumber(tag);
            if (WireFormat.getTagWireType(tag) == WireFormat.WIRETYPE_VARINT) {
                switch (number) {
                    case 1 -> first = in.readInt64();
                    case 2 -> second = in.readInt64();
                    default -> message.skip(tag);
                }
            } else if (number == textField(scalar)) {
                MessageDecoder.require(WireFormat.WIRETYPE_LENGTH_DELIMITED, tag);
                if (scalar == Scalar.ANY) {
                    bytes = in.readByteArray();
                } else {
                    text = in.readStringRequireUtf8();
                }
            } else {
                message.skip(tag);
            }
        }
        return switch (scalar) {
            case TIME, MICRO_TIME ->
                    empty
                            ? JsonNull.INSTANCE
                            : Json.of(ProtobufTimes.text(scalar, first, (int) second));
            case DURATION -> Json.of(ProtobufTimes.duration(first));
            case QUANTITY -> Json.of(text.isEmpty() ? "0" : text);
            case INT_OR_STRING -> first == 0 ? Json.of(second) : Json.of(text);
            default -> any(bytes, message.depth());
        };
    }

    private static int textField(Scalar scalar) {
        return scalar == Scalar.INT_OR_STRING ? 3 : 1;
    }

    private Json any(byte[] bytes, int depth) {
        if (bytes.length == 0) {
            return JsonNull.INSTANCE;
        }
        if (Envelope.isAt(bytes)) {
            return enveloped.decode(bytes, depth);
        }
        if (JsonReader.readUnplaced(bytes) instanceof ParseResult.Documents(var documents)
                && documents.size() == 1) {
            var value = documents.getFirst().root();
            MessageDecoder.checkDepth(depth + depth(value));
            return value;
        }
        throw ProtobufException.malformed("a RawExtension holds neither JSON nor an object");
    }

    private static int depth(Json value) {
        var deepest = 0;
        switch (value) {
            case JsonObject object -> {
                for (var member : object.members().values()) {
                    deepest = Math.max(deepest, depth(member));
                }
            }
            case JsonArray(var items) -> {
                for (var item : items) {
                    deepest = Math.max(deepest, depth(item));
                }
            }
            default -> {
                return 0;
            }
        }
        return deepest + 1;
    }

    /// True for "", 0, false and no bytes, which Go leaves out of JSON by `omitempty`. It does not
    /// leave out structs, such as an IntOrString of 0.
    static boolean isZero(Scalar scalar, Json value) {
        return switch (scalar) {
            case STRING, BYTES -> value instanceof JsonString(var text) && text.isEmpty();
            case BOOLEAN -> value instanceof JsonBool(var flag) && !flag;
            case INT32, INT64, NUMBER ->
                    value instanceof JsonNumber(var literal) && literal.equals("0");
            case TIME, MICRO_TIME, DURATION, QUANTITY, INT_OR_STRING, ANY -> false;
        };
    }

    /// The value of a map entry without one.
    static Json zero(SchemaType type) {
        return switch (type) {
            case Scalar.BOOLEAN -> Json.of(false);
            case Scalar.INT32, Scalar.INT64, Scalar.NUMBER, Scalar.INT_OR_STRING -> Json.of(0);
            case Scalar.TIME, Scalar.MICRO_TIME, Scalar.ANY -> JsonNull.INSTANCE;
            case Scalar.QUANTITY -> Json.of("0");
            case Scalar _ -> EMPTY;
            case ListOf _ -> JsonArray.EMPTY;
            case Struct _, MapOf _ -> JsonObject.EMPTY;
        };
    }
}
