package dev.berth.schema.protobuf;

import com.google.protobuf.CodedInputStream;
import com.google.protobuf.WireFormat;
import dev.berth.model.json.Json;
import dev.berth.model.json.Json.JsonArray;
import dev.berth.model.json.Json.JsonNull;
import dev.berth.model.json.JsonObject;
import dev.berth.model.json.JsonObjectBuilder;
import dev.berth.schema.SchemaType;
import dev.berth.schema.SchemaType.ListOf;
import dev.berth.schema.SchemaType.MapOf;
import dev.berth.schema.SchemaType.Scalar;
import dev.berth.schema.SchemaType.Struct;
import dev.berth.schema.protobuf.FieldNumbers.Wrapping;
import dev.berth.schema.protobuf.MessageType.FieldPart;
import dev.berth.schema.protobuf.MessageType.InlinedPart;
import dev.berth.schema.protobuf.MessageType.Parts;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/// Decodes one message to the JSON object that Go would write for it: a zero value is omitted
/// unless the field is a pointer or required, and an absent required list is `null`. Unknown field
/// numbers are skipped and counted.
final class MessageDecoder {

    /// Maximum depth of the JSON object. The JSON reader has the same limit: a deeper stored object
    /// could not be read again.
    static final int MAX_DEPTH = 200;

    /// Maximum length of map keys, for the same reason.
    static final int MAX_KEY_CHARACTERS = 50_000;

    private final MessageTypes types;
    private final ScalarDecoder scalars;
    private final CodedInputStream in;
    private final SchemaUnions unions;
    private int depth;
    private long unknownFields;

    /// @param depth number of objects and lists around the message
    MessageDecoder(MessageTypes types, ScalarDecoder scalars, CodedInputStream in, int depth) {
        this.types = types;
        this.scalars = scalars;
        this.in = in;
        this.unions = new SchemaUnions(this);
        this.depth = depth;
    }

    /// Number of objects and lists around the value that is read.
    int depth() {
        return depth;
    }

    /// Number of fields that were skipped.
    long unknownFields() {
        return unknownFields;
    }

    MessageTypes types() {
        return types;
    }

    CodedInputStream in() {
        return in;
    }

    /// Decodes the remaining bytes, after setting apiVersion and kind.
    JsonObject message(MessageType type, String apiVersion, String kind) throws IOException {
        var object = new Partial(type);
        object.set("apiVersion", Json.of(apiVersion));
        object.set("kind", Json.of(kind));
        read(object, type.parts());
        return object.build();
    }

    /// A partially decoded object: lists and nested messages may come in several pieces.
    private final class Partial {
        private final MessageType type;
        private final Object[] values;

        private Partial(MessageType type) {
            this.type = type;
            this.values = new Object[type.size()];
        }

        private void set(String name, Json value) {
            var fields = type.struct().fields().all();
            for (var i = 0; i < fields.size(); i++) {
                if (fields.get(i).name().equals(name)) {
                    values[i] = value;
                }
            }
        }

        @SuppressWarnings("unchecked")
        private List<Json> list(int ordinal) {
            if (!(values[ordinal] instanceof List<?>)) {
                values[ordinal] = new ArrayList<Json>();
            }
            return (List<Json>) values[ordinal];
        }

        private JsonObjectBuilder map(int ordinal) {
            if (!(values[ordinal] instanceof JsonObjectBuilder)) {
                values[ordinal] = new JsonObjectBuilder();
            }
            return (JsonObjectBuilder) values[ordinal];
        }

        private Partial nested(int ordinal, Struct struct) {
            if (!(values[ordinal] instanceof Partial)) {
                values[ordinal] = new Partial(types.of(struct));
            }
            return (Partial) values[ordinal];
        }

        private JsonObject build() {
            for (var part : type.nullWhenAbsent()) {
                if (values[part.ordinal()] == null) {
                    values[part.ordinal()] = JsonNull.INSTANCE;
                }
            }
            var count = 0;
            for (var value : values) {
                count += value == null ? 0 : 1;
            }
            var fields = type.struct().fields().all();
            var names = new String[count];
            var members = new Json[count];
            for (int i = 0, at = 0; i < values.length; i++) {
                var value = values[i];
                if (value != null) {
                    names[at] = fields.get(i).name();
                    members[at++] = built(value);
                }
            }
            return JsonObject.ofDistinct(names, members);
        }

        @SuppressWarnings("unchecked")
        private static Json built(Object value) {
            return switch (value) {
                case Json json -> json;
                case Partial partial -> partial.build();
                case JsonObjectBuilder entries -> entries.done();
                default -> new JsonArray((List<Json>) value);
            };
        }
    }

    private void enter() {
        depth++;
        checkDepth(depth);
    }

    static void checkDepth(int depth) {
        if (depth > MAX_DEPTH) {
            throw ProtobufException.malformed("nesting exceeds %d levels".formatted(MAX_DEPTH));
        }
    }

    private void read(Partial object, Parts parts) throws IOException {
        enter();
        for (var tag = in.readTag(); tag != 0; tag = in.readTag()) {
            switch (parts.numbered(WireFormat.getTagFieldNumber(tag))) {
                case null -> skip(tag);
                case InlinedPart inlined -> {
                    var end = begin(tag);
                    read(object, inlined.parts());
                    in.popLimit(end);
                }
                case FieldPart field -> field(object, field, tag);
            }
        }
        depth--;
    }

    /// Skips a field whose number is unknown.
    void skip(int tag) throws IOException {
        unknownFields++;
        if (!in.skipField(tag)) {
            throw ProtobufException.malformed("end of a group that did not begin");
        }
    }

    /// Begins a nested message; the result is the limit to restore at its end.
    int begin(int tag) throws IOException {
        require(WireFormat.WIRETYPE_LENGTH_DELIMITED, tag);
        return in.pushLimit(in.readRawVarint32());
    }

    private void field(Partial object, FieldPart field, int tag) throws IOException {
        switch (field.type()) {
            case ListOf list when field.wrapping() == Wrapping.LIST -> {
                var end = begin(tag);
                wrappedItems(object.list(field.ordinal()), list.item());
                in.popLimit(end);
            }
            case ListOf list -> {
                enter();
                items(object.list(field.ordinal()), list.item(), tag);
                depth--;
            }
            case MapOf map -> {
                enter();
                entry(object.map(field.ordinal()), field, map.value(), tag);
                depth--;
            }
            case Struct struct -> {
                var end = begin(tag);
                var nested = object.nested(field.ordinal(), struct);
                read(nested, nested.type.parts());
                in.popLimit(end);
            }
            case Scalar scalar -> {
                var value =
                        field.wrapping() == Wrapping.NONE
                                ? scalars.read(scalar, tag, this)
                                : unions.read(field.wrapping(), tag);
                object.values[field.ordinal()] = isAbsent(field, scalar, value) ? null : value;
            }
        }
    }

    private static boolean isAbsent(FieldPart field, Scalar scalar, Json value) {
        return field.omitsZero()
                ? value instanceof JsonNull
                : !field.keepsZero() && ScalarDecoder.isZero(scalar, value);
    }

    private void wrappedItems(List<Json> items, SchemaType item) throws IOException {
        enter();
        for (var tag = in.readTag(); tag != 0; tag = in.readTag()) {
            if (WireFormat.getTagFieldNumber(tag) == 1) {
                items(items, item, tag);
            } else {
                skip(tag);
            }
        }
        depth--;
    }

    private void items(List<Json> items, SchemaType item, int tag) throws IOException {
        var packed =
                WireFormat.getTagWireType(tag) == WireFormat.WIRETYPE_LENGTH_DELIMITED
                        && (item == Scalar.INT32 || item == Scalar.INT64 || item == Scalar.BOOLEAN);
        if (!packed) {
            items.add(value(item, tag));
            return;
        }
        var end = begin(tag);
        while (!in.isAtEnd()) {
            items.add(scalars.varint((Scalar) item, in));
        }
        in.popLimit(end);
    }

    private void entry(JsonObjectBuilder entries, FieldPart field, SchemaType type, int tag)
            throws IOException {
        var end = begin(tag);
        var key = "";
        Json value = null;
        for (var t = in.readTag(); t != 0; t = in.readTag()) {
            switch (WireFormat.getTagFieldNumber(t)) {
                case 1 -> {
                    require(WireFormat.WIRETYPE_LENGTH_DELIMITED, t);
                    key = in.readStringRequireUtf8();
                    checkKey(key);
                }
                case 2 ->
                        value =
                                field.wrapping() == Wrapping.NONE
                                        ? value(type, t)
                                        : unions.read(field.wrapping(), t);
                default -> skip(t);
            }
        }
        in.popLimit(end);
        entries.put(key, value == null ? ScalarDecoder.zero(type) : value);
    }

    private static void checkKey(String key) {
        if (key.length() > MAX_KEY_CHARACTERS) {
            throw ProtobufException.malformed(
                    "a key of a map has %d characters, more than %d"
                            .formatted(key.length(), MAX_KEY_CHARACTERS));
        }
    }

    /// A value in a list or a map.
    Json value(SchemaType type, int tag) throws IOException {
        return switch (type) {
            case Scalar scalar -> scalars.read(scalar, tag, this);
            case Struct struct -> object(types.of(struct), tag);
            case ListOf list -> {
                var end = begin(tag);
                var items = new ArrayList<Json>();
                wrappedItems(items, list.item());
                in.popLimit(end);
                yield new JsonArray(items);
            }
            case MapOf _ -> throw ProtobufException.malformed("map in a list or map");
        };
    }

    JsonObject object(MessageType type, int tag) throws IOException {
        var end = begin(tag);
        var object = new Partial(type);
        read(object, type.parts());
        in.popLimit(end);
        return object.build();
    }

    static void require(int wireType, int tag) {
        if (WireFormat.getTagWireType(tag) != wireType) {
            throw ProtobufException.malformed(
                    "field %d has wire type %d, expected %d"
                            .formatted(
                                    WireFormat.getTagFieldNumber(tag),
                                    WireFormat.getTagWireType(tag),
                                    wireType));
        }
    }
}
