package dev.berth.server.schema;

import com.google.protobuf.ByteString;
import com.google.protobuf.CodedInputStream;
import com.google.protobuf.WireFormat;
import dev.berth.model.json.Json;
import dev.berth.model.json.Json.JsonArray;
import dev.berth.model.json.JsonNumber;
import dev.berth.model.json.JsonObject;
import dev.berth.model.json.JsonReader;
import dev.berth.model.json.Reading;
import dev.berth.server.schema.Type.ListOf;
import dev.berth.server.schema.Type.MapOf;
import dev.berth.server.schema.Type.Scalar;
import dev.berth.server.schema.Type.Struct;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// Reads objects in the binary form that Kubernetes clients written in Go prefer, kubectl among
/// them, for the kinds whose field numbers we know. We never write it: those clients also take
/// JSON.
///
/// The form tells neither absent from empty nor, often, from zero: empty strings and times are left
/// out, zeros stay, which is what the same object in JSON means.
public final class ProtobufReader {

    private static final byte[] MAGIC = {'k', '8', 's', 0};

    /// Deeper messages are refused.
    private static final int MAX_DEPTH = 60;

    private final Schemas schemas;
    private final ProtobufNumbers numbers;

    public ProtobufReader(Schemas schemas) {
        this.schemas = schemas;
        this.numbers = ProtobufNumbers.known();
    }

    /// The object; empty when it is of a kind that cannot be read, or malformed.
    public Optional<JsonObject> read(byte[] body) {
        if (body.length < MAGIC.length || !Arrays.equals(body, 0, 4, MAGIC, 0, 4)) {
            return Optional.empty();
        }
        try {
            var envelope =
                    envelope(CodedInputStream.newInstance(body, 4, body.length - MAGIC.length));
            var slash = envelope.apiVersion.indexOf('/');
            var group = slash < 0 ? "" : envelope.apiVersion.substring(0, slash);
            var version = envelope.apiVersion.substring(slash + 1);
            var struct = schemas.kind(group, version, envelope.kind);
            if (struct.isEmpty() || !numbers.knows(struct.get())) {
                return Optional.empty();
            }
            var members = new LinkedHashMap<String, Json>();
            members.put("apiVersion", Json.of(envelope.apiVersion));
            members.put("kind", Json.of(envelope.kind));
            members.putAll(struct(struct.get(), envelope.raw.newCodedInput(), 0).members());
            return Optional.of(new JsonObject(members));
        } catch (IOException | Unreadable e) {
            return Optional.empty();
        }
    }

    private record Envelope(String apiVersion, String kind, ByteString raw) {}

    private static Envelope envelope(CodedInputStream in) throws IOException {
        var apiVersion = "";
        var kind = "";
        var raw = ByteString.EMPTY;
        for (var tag = in.readTag(); tag != 0; tag = in.readTag()) {
            switch (WireFormat.getTagFieldNumber(tag)) {
                case 1 -> {
                    var type = CodedInputStream.newInstance(in.readByteArray());
                    for (var t = type.readTag(); t != 0; t = type.readTag()) {
                        switch (WireFormat.getTagFieldNumber(t)) {
                            case 1 -> apiVersion = type.readString();
                            case 2 -> kind = type.readString();
                            default -> type.skipField(t);
                        }
                    }
                }
                case 2 -> raw = in.readBytes();
                default -> in.skipField(tag);
            }
        }
        return new Envelope(apiVersion, kind, raw);
    }

    private JsonObject struct(Struct struct, CodedInputStream in, int depth) throws IOException {
        if (depth > MAX_DEPTH) {
            throw new Unreadable("nested too deeply");
        }
        var members = new LinkedHashMap<String, Json>();
        for (var tag = in.readTag(); tag != 0; tag = in.readTag()) {
            var name = numbers.name(struct, WireFormat.getTagFieldNumber(tag));
            var field = name.isEmpty() ? null : struct.fields().named(name);
            if (field == null) {
                in.skipField(tag);
                continue;
            }
            switch (field.type()) {
                case ListOf list -> append(members, name, items(list.item(), tag, in, depth));
                case MapOf map -> put(members, name, map.value(), in, depth);
                case Type single ->
                        value(single, tag, in, depth).ifPresent(read -> members.put(name, read));
            }
        }
        return new JsonObject(members);
    }

    private static void append(Map<String, Json> members, String name, List<Json> items) {
        var all = new ArrayList<Json>();
        if (members.get(name) instanceof JsonArray(var before)) {
            all.addAll(before);
        }
        all.addAll(items);
        members.put(name, new JsonArray(all));
    }

    private List<Json> items(Type item, int tag, CodedInputStream in, int depth)
            throws IOException {
        var packed =
                WireFormat.getTagWireType(tag) == WireFormat.WIRETYPE_LENGTH_DELIMITED
                        && (item == Scalar.INT32 || item == Scalar.INT64 || item == Scalar.BOOLEAN);
        if (!packed) {
            return List.of(value(item, tag, in, depth).orElse(Json.of("")));
        }
        var items = new ArrayList<Json>();
        var values = CodedInputStream.newInstance(in.readByteArray());
        while (!values.isAtEnd()) {
            items.add(item == Scalar.BOOLEAN ? Json.of(values.readBool()) : number(item, values));
        }
        return items;
    }

    private void put(
            Map<String, Json> members, String name, Type type, CodedInputStream in, int depth)
            throws IOException {
        var key = "";
        Json value = type == Scalar.STRING || type == Scalar.BYTES ? Json.of("") : JsonObject.EMPTY;
        var entry = CodedInputStream.newInstance(in.readByteArray());
        for (var tag = entry.readTag(); tag != 0; tag = entry.readTag()) {
            switch (WireFormat.getTagFieldNumber(tag)) {
                case 1 -> key = entry.readString();
                case 2 -> value = value(type, tag, entry, depth + 1).orElse(value);
                default -> entry.skipField(tag);
            }
        }
        var before = members.get(name) instanceof JsonObject object ? object : JsonObject.EMPTY;
        members.put(name, before.with(key, value));
    }

    private Optional<Json> value(Type type, int tag, CodedInputStream in, int depth)
            throws IOException {
        return switch (type) {
            case Scalar scalar -> scalar(scalar, in);
            case Struct struct ->
                    Optional.of(
                            struct(
                                    struct,
                                    CodedInputStream.newInstance(in.readByteArray()),
                                    depth + 1));
            case ListOf list -> Optional.of(new JsonArray(items(list.item(), tag, in, depth)));
            case MapOf _ -> throw new Unreadable("a map within a list");
        };
    }

    private static Optional<Json> scalar(Scalar scalar, CodedInputStream in) throws IOException {
        return switch (scalar) {
            case STRING -> text(in.readString());
            case BOOLEAN -> Optional.of(Json.of(in.readBool()));
            case INT32, INT64 -> Optional.of(number(scalar, in));
            case NUMBER -> Optional.of(new JsonNumber(Double.toString(in.readDouble())));
            case BYTES ->
                    Optional.of(Json.of(Base64.getEncoder().encodeToString(in.readByteArray())));
            case TIME, MICRO_TIME -> time(message(in));
            case DURATION -> Optional.of(Json.of(message(in).number(1) + "ns"));
            case QUANTITY -> text(message(in).text(1));
            case INT_OR_STRING -> {
                var message = message(in);
                yield Optional.of(
                        message.number(1) == 0
                                ? Json.of(message.number(2))
                                : Json.of(message.text(3)));
            }
            case ANY -> any(message(in));
        };
    }

    private static Optional<Json> text(String text) {
        return text.isEmpty() ? Optional.empty() : Optional.of(Json.of(text));
    }

    private static Json number(Type type, CodedInputStream in) throws IOException {
        return Json.of(type == Scalar.INT32 ? in.readInt32() : in.readInt64());
    }

    private static Optional<Json> time(Small message) {
        if (message.isEmpty()) {
            return Optional.empty();
        }
        var time = Instant.ofEpochSecond(message.number(1), message.number(2));
        return Optional.of(Json.of(time.toString()));
    }

    /// Any JSON value is carried as its text.
    private static Optional<Json> any(Small message) {
        return JsonReader.read(message.text(1)) instanceof Reading.Documents(var documents)
                ? Optional.of(documents.getFirst().root())
                : Optional.empty();
    }

    /// A message of a few plain fields, by number.
    private record Small(Map<Integer, Long> numbers, Map<Integer, String> texts) {

        boolean isEmpty() {
            return numbers.isEmpty() && texts.isEmpty();
        }

        long number(int field) {
            return numbers.getOrDefault(field, 0L);
        }

        String text(int field) {
            return texts.getOrDefault(field, "");
        }
    }

    private static Small message(CodedInputStream in) throws IOException {
        var numbers = new LinkedHashMap<Integer, Long>();
        var texts = new LinkedHashMap<Integer, String>();
        var message = CodedInputStream.newInstance(in.readByteArray());
        for (var tag = message.readTag(); tag != 0; tag = message.readTag()) {
            var field = WireFormat.getTagFieldNumber(tag);
            switch (WireFormat.getTagWireType(tag)) {
                case WireFormat.WIRETYPE_VARINT -> numbers.put(field, message.readInt64());
                case WireFormat.WIRETYPE_LENGTH_DELIMITED ->
                        texts.put(
                                field, new String(message.readByteArray(), StandardCharsets.UTF_8));
                default -> message.skipField(tag);
            }
        }
        return new Small(numbers, texts);
    }

    /// What was sent cannot be read.
    private static final class Unreadable extends RuntimeException {
        private static final long serialVersionUID = 1L;

        private Unreadable(String message) {
            super(message, null, false, false);
        }
    }
}
