package dev.berth.schema.protobuf;

import com.google.protobuf.ByteString;
import com.google.protobuf.CodedInputStream;
import com.google.protobuf.WireFormat;
import dev.berth.model.json.Json;
import dev.berth.model.json.Json.JsonArray;
import dev.berth.model.json.Json.JsonNull;
import dev.berth.model.json.JsonObject;
import dev.berth.schema.Schemas;
import dev.berth.schema.Type;
import dev.berth.schema.Type.Field;
import dev.berth.schema.Type.ListOf;
import dev.berth.schema.Type.MapOf;
import dev.berth.schema.Type.Scalar;
import dev.berth.schema.Type.Struct;
import dev.berth.schema.protobuf.ProtobufNumbers.Entry;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// Decodes objects from the protobuf encoding of Kubernetes, which clients written in Go prefer,
/// for the kinds whose field numbers are in [ProtobufNumbers]. The server never encodes it: those
/// clients also accept JSON.
///
/// A body is decoded completely or not at all. A field that is not known may hold what a stored
/// object already has; an update without it would remove it.
///
/// Go writes the zero value of every field that is not a pointer. Such a zero is left out, as Go
/// does in JSON, unless the field is required.
public final class ProtobufReader {

    private static final byte[] MAGIC = {'k', '8', 's', 0};

    /// Deeper messages are refused.
    private static final int MAX_DEPTH = 60;

    /// The kind that every group has in each of its versions.
    private static final String DELETE_OPTIONS = "DeleteOptions";

    /// The outcome of decoding a body.
    public sealed interface Decoded {

        /// The object with all fields of the body.
        record Complete(JsonObject object) implements Decoded {}

        /// A body that is malformed or has parts that are not decoded.
        ///
        /// @param reason what is not decoded, as a sentence without a full stop
        record Refused(String reason) implements Decoded {}
    }

    private final Schemas schemas;
    private final ProtobufNumbers numbers;

    public ProtobufReader(Schemas schemas) {
        this.schemas = schemas;
        this.numbers = ProtobufNumbers.known();
    }

    public Decoded read(byte[] body) {
        if (body.length < MAGIC.length || !Arrays.equals(body, 0, 4, MAGIC, 0, 4)) {
            return new Decoded.Refused(
                    "the protobuf body does not begin with the bytes \"k8s\\0\"");
        }
        try {
            return new Decoded.Complete(
                    object(
                            envelope(
                                    CodedInputStream.newInstance(
                                            body, MAGIC.length, body.length - MAGIC.length))));
        } catch (UndecodedField e) {
            return new Decoded.Refused(e.description() + " is not decoded from protobuf");
        } catch (IOException e) {
            return new Decoded.Refused("the protobuf body is malformed: " + e.getMessage());
        }
    }

    private JsonObject object(Envelope envelope) throws IOException {
        var slash = envelope.apiVersion.indexOf('/');
        var group = slash < 0 ? "" : envelope.apiVersion.substring(0, slash);
        var version = envelope.apiVersion.substring(slash + 1);
        var struct =
                envelope.kind.equals(DELETE_OPTIONS)
                        ? schemas.kind("", "v1", DELETE_OPTIONS)
                        : schemas.kind(group, version, envelope.kind);
        if (struct.isEmpty() || !numbers.messages().contains(struct.get().name())) {
            throw new UndecodedField(
                    "kind \"%s\" of \"%s\"".formatted(envelope.kind, envelope.apiVersion));
        }
        var object = new ObjectBuilder();
        object.set("apiVersion", Json.of(envelope.apiVersion));
        object.set("kind", Json.of(envelope.kind));
        read(object, struct.get(), struct.get().name(), envelope.raw.newCodedInput(), 0);
        return object.build();
    }

    private record Envelope(String apiVersion, String kind, ByteString raw) {}

    private static Envelope envelope(CodedInputStream in) throws IOException {
        var apiVersion = "";
        var kind = "";
        var raw = ByteString.EMPTY;
        for (var tag = in.readTag(); tag != 0; tag = in.readTag()) {
            var number = WireFormat.getTagFieldNumber(tag);
            require(WireFormat.WIRETYPE_LENGTH_DELIMITED, tag);
            switch (number) {
                case 1 -> {
                    var type = CodedInputStream.newInstance(in.readByteArray());
                    for (var t = type.readTag(); t != 0; t = type.readTag()) {
                        require(WireFormat.WIRETYPE_LENGTH_DELIMITED, t);
                        switch (WireFormat.getTagFieldNumber(t)) {
                            case 1 -> apiVersion = type.readStringRequireUtf8();
                            case 2 -> kind = type.readStringRequireUtf8();
                            default ->
                                    throw new UndecodedField(
                                            "type field " + WireFormat.getTagFieldNumber(t));
                        }
                    }
                }
                case 2 -> raw = in.readBytes();
                // Names of an encoding or a media type of the field 2, which protobuf itself lacks.
                case 3, 4 -> {
                    if (!in.readBytes().isEmpty()) {
                        throw new UndecodedField("envelope field " + number);
                    }
                }
                default -> throw new UndecodedField("envelope field " + number);
            }
        }
        return new Envelope(apiVersion, kind, raw);
    }

    /// Decodes one message of that type.
    JsonObject message(Struct struct, byte[] bytes) throws IOException {
        var object = new ObjectBuilder();
        read(object, struct, struct.name(), CodedInputStream.newInstance(bytes), 0);
        return object.build();
    }

    /// Adds the fields of a message to those of an object.
    private void read(
            ObjectBuilder object, Struct struct, String message, CodedInputStream in, int depth)
            throws IOException {
        if (depth > MAX_DEPTH) {
            throw new UndecodedField("nesting beyond %d messages".formatted(MAX_DEPTH));
        }
        for (var tag = in.readTag(); tag != 0; tag = in.readTag()) {
            var number = WireFormat.getTagFieldNumber(tag);
            var entry =
                    numbers.entry(message, number)
                            .orElseThrow(() -> new UndecodedField("field " + number));
            switch (entry) {
                case Entry.Inlined(var inlined) ->
                        read(object, struct, inlined, submessage(tag, in), depth + 1);
                case Entry.Named named -> {
                    var field = struct.fields().named(named.field());
                    if (field == null) {
                        throw new UndecodedField("field " + named.field());
                    }
                    readField(object, field, named.pointer(), tag, in, depth);
                }
            }
        }
    }

    private void readField(
            ObjectBuilder object,
            Field field,
            boolean pointer,
            int tag,
            CodedInputStream in,
            int depth)
            throws IOException {
        var name = field.name();
        var path = name;
        try {
            switch (field.type()) {
                case ListOf list -> {
                    var items = object.list(name);
                    path = name + "[" + items.size() + "]";
                    items.addAll(items(list.item(), tag, in, depth));
                }
                case MapOf map ->
                        readEntry(object.map(name), map.value(), submessage(tag, in), depth);
                // A message that is sent in parts is one object.
                case Struct struct ->
                        read(
                                object.object(name),
                                struct,
                                struct.name(),
                                submessage(tag, in),
                                depth + 1);
                case Scalar scalar -> {
                    var keepsZero = pointer || (field.required() && scalar != Scalar.STRING);
                    scalar(scalar, tag, in)
                            .filter(value -> keepsZero || !ProtobufScalars.isZero(value))
                            .ifPresentOrElse(
                                    value -> object.set(name, value), () -> object.remove(name));
                }
            }
        } catch (UndecodedField e) {
            throw e.below(path);
        }
    }

    private List<Json> items(Type item, int tag, CodedInputStream in, int depth)
            throws IOException {
        var packed =
                WireFormat.getTagWireType(tag) == WireFormat.WIRETYPE_LENGTH_DELIMITED
                        && (item == Scalar.INT32 || item == Scalar.INT64 || item == Scalar.BOOLEAN);
        if (!packed) {
            return List.of(value(item, tag, in, depth));
        }
        var items = new ArrayList<Json>();
        var values = CodedInputStream.newInstance(in.readByteArray());
        while (!values.isAtEnd()) {
            items.add(ProtobufScalars.read((Scalar) item, values).orElseThrow());
        }
        return items;
    }

    private void readEntry(Map<String, Json> entries, Type type, CodedInputStream entry, int depth)
            throws IOException {
        var key = "";
        var value = Optional.<Json>empty();
        for (var tag = entry.readTag(); tag != 0; tag = entry.readTag()) {
            switch (WireFormat.getTagFieldNumber(tag)) {
                case 1 -> {
                    require(WireFormat.WIRETYPE_LENGTH_DELIMITED, tag);
                    key = entry.readStringRequireUtf8();
                }
                case 2 -> value = Optional.of(value(type, tag, entry, depth + 1));
                default ->
                        throw new UndecodedField(
                                "map entry field " + WireFormat.getTagFieldNumber(tag));
            }
        }
        entries.put(key, value.orElseGet(() -> emptyValue(type)));
    }

    private Json value(Type type, int tag, CodedInputStream in, int depth) throws IOException {
        return switch (type) {
            case Scalar scalar -> scalar(scalar, tag, in).orElseGet(() -> emptyValue(type));
            case Struct struct -> {
                var object = new ObjectBuilder();
                read(object, struct, struct.name(), submessage(tag, in), depth + 1);
                yield object.build();
            }
            case ListOf list -> namedList(list.item(), submessage(tag, in), depth);
            case MapOf _ -> throw new UndecodedField("map in a list or map");
        };
    }

    /// A list as the value of a map entry: a message that has the items as its field 1.
    private JsonArray namedList(Type item, CodedInputStream list, int depth) throws IOException {
        var items = new ArrayList<Json>();
        for (var tag = list.readTag(); tag != 0; tag = list.readTag()) {
            if (WireFormat.getTagFieldNumber(tag) != 1) {
                throw new UndecodedField("field " + WireFormat.getTagFieldNumber(tag));
            }
            items.addAll(items(item, tag, list, depth + 1));
        }
        return new JsonArray(items);
    }

    private static CodedInputStream submessage(int tag, CodedInputStream in) throws IOException {
        require(WireFormat.WIRETYPE_LENGTH_DELIMITED, tag);
        return CodedInputStream.newInstance(in.readByteArray());
    }

    private static Optional<Json> scalar(Scalar scalar, int tag, CodedInputStream in)
            throws IOException {
        require(ProtobufScalars.wireType(scalar), tag);
        return ProtobufScalars.read(scalar, in);
    }

    private static Json emptyValue(Type type) {
        return switch (type) {
            case Scalar.BOOLEAN -> Json.of(false);
            case Scalar.INT32, Scalar.INT64, Scalar.NUMBER -> Json.of(0);
            case Scalar.TIME, Scalar.MICRO_TIME -> JsonNull.INSTANCE;
            case Scalar _ -> Json.of("");
            case ListOf _ -> new JsonArray(List.of());
            case Struct _, MapOf _ -> JsonObject.EMPTY;
        };
    }

    private static void require(int wireType, int tag) throws UndecodedField {
        if (WireFormat.getTagWireType(tag) != wireType) {
            throw new UndecodedField(
                    "wire type %d of field %d"
                            .formatted(
                                    WireFormat.getTagWireType(tag),
                                    WireFormat.getTagFieldNumber(tag)));
        }
    }
}
