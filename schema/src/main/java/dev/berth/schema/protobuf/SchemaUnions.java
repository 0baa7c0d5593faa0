package dev.berth.schema.protobuf;

import com.google.protobuf.WireFormat;
import dev.berth.model.json.Json;
import dev.berth.model.json.Json.JsonArray;
import dev.berth.model.json.Json.JsonBool;
import dev.berth.model.json.Json.JsonNull;
import dev.berth.model.json.JsonObject;
import dev.berth.schema.protobuf.FieldNumbers.Wrapping;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Values of JSON schemas that have one of two types: `items`, `additionalProperties`,
/// `additionalItems` and `dependencies`.
final class SchemaUnions {

    private final MessageDecoder message;

    SchemaUnions(MessageDecoder message) {
        this.message = message;
    }

    Json read(Wrapping wrapping, int tag) throws IOException {
        var end = message.begin(tag);
        var in = message.in();
        JsonObject schema = null;
        var allows = false;
        var list = new ArrayList<Json>();
        for (var t = in.readTag(); t != 0; t = in.readTag()) {
            var number = WireFormat.getTagFieldNumber(t);
            if (number == schemaField(wrapping)) {
                schema = message.object(message.types().jsonSchema(), t);
            } else if (number > 2) {
                message.skip(t);
            } else if (wrapping == Wrapping.SCHEMA_OR_BOOLEAN) {
                MessageDecoder.require(WireFormat.WIRETYPE_VARINT, t);
                allows = in.readBool();
            } else if (wrapping == Wrapping.SCHEMA_OR_ARRAY) {
                list.add(message.object(message.types().jsonSchema(), t));
            } else {
                MessageDecoder.require(WireFormat.WIRETYPE_LENGTH_DELIMITED, t);
                list.add(Json.of(in.readStringRequireUtf8()));
            }
        }
        in.popLimit(end);
        return value(wrapping, schema, allows, list);
    }

    private static Json value(
            Wrapping wrapping, @Nullable JsonObject schema, boolean allows, List<Json> list) {
        if (wrapping == Wrapping.SCHEMA_OR_BOOLEAN) {
            return schema == null ? Json.of(allows) : schema;
        }
        if (!list.isEmpty()) {
            return new JsonArray(list);
        }
        return schema == null ? JsonNull.INSTANCE : schema;
    }

    private static int schemaField(Wrapping wrapping) {
        return wrapping == Wrapping.SCHEMA_OR_BOOLEAN ? 2 : 1;
    }

    /// Writes the message of such a value, without tag and length.
    static void write(Wrapping wrapping, Json value, MessageEncoder encoder, ReverseBuffer out) {
        switch (value) {
            case JsonObject schema -> {
                encoder.schema(schemaField(wrapping), schema);
                // Go requires the boolean beside a schema to be true.
                if (wrapping == Wrapping.SCHEMA_OR_BOOLEAN) {
                    out.boolField(1, true);
                }
            }
            case JsonBool(var allows) -> out.boolField(1, allows);
            case JsonArray(var items) -> {
                for (var i = items.size() - 1; i >= 0; i--) {
                    switch (items.get(i)) {
                        case JsonObject schema -> encoder.schema(2, schema);
                        case Json.JsonString(var text) -> out.stringField(2, text);
                        default -> {}
                    }
                }
            }
            default -> {}
        }
    }
}
