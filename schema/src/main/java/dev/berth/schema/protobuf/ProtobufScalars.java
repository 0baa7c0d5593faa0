package dev.berth.schema.protobuf;

import com.google.protobuf.CodedInputStream;
import com.google.protobuf.WireFormat;
import dev.berth.model.json.Json;
import dev.berth.model.json.JsonNumber;
import dev.berth.model.json.JsonReader;
import dev.berth.model.json.Reading;
import dev.berth.model.time.Rfc3339;
import dev.berth.schema.Type.Scalar;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Base64;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/// Decodes values without fields: numbers, text, and the small messages that JSON writes as text.
final class ProtobufScalars {

    /// Years that RFC 3339 can write.
    private static final Instant FIRST = Instant.parse("0000-01-01T00:00:00Z");

    private static final long MAX_NANOS = 999_999_999;

    private static final Instant LAST = Instant.parse("9999-12-31T23:59:59Z");

    private ProtobufScalars() {}

    static int wireType(Scalar scalar) {
        return switch (scalar) {
            case BOOLEAN, INT32, INT64 -> WireFormat.WIRETYPE_VARINT;
            case NUMBER -> WireFormat.WIRETYPE_FIXED64;
            case STRING, BYTES, TIME, MICRO_TIME, DURATION, QUANTITY, INT_OR_STRING, ANY ->
                    WireFormat.WIRETYPE_LENGTH_DELIMITED;
        };
    }

    /// Reads a value; empty for a time, quantity or JSON text of no bytes.
    static Optional<Json> read(Scalar scalar, CodedInputStream in) throws IOException {
        return switch (scalar) {
            case STRING -> Optional.of(Json.of(in.readStringRequireUtf8()));
            case BOOLEAN -> Optional.of(Json.of(in.readBool()));
            case INT32, INT64 -> Optional.of(integer(scalar, in));
            case NUMBER -> Optional.of(number(in.readDouble()));
            case BYTES ->
                    Optional.of(Json.of(Base64.getEncoder().encodeToString(in.readByteArray())));
            case TIME, MICRO_TIME -> time(scalar, message(in, Set.of(1, 2), Set.of()));
            case DURATION ->
                    Optional.of(Json.of(message(in, Set.of(1), Set.of()).number(1) + "ns"));
            case QUANTITY -> text(message(in, Set.of(), Set.of(1)).text(1));
            case INT_OR_STRING -> {
                var message = message(in, Set.of(1, 2), Set.of(3));
                yield Optional.of(
                        message.number(1) == 0
                                ? Json.of(message.number(2))
                                : Json.of(message.text(3)));
            }
            case ANY -> any(message(in, Set.of(), Set.of(1)).text(1));
        };
    }

    static Json integer(Scalar scalar, CodedInputStream in) throws IOException {
        return Json.of(scalar == Scalar.INT32 ? in.readInt32() : in.readInt64());
    }

    /// True for the values that Go writes for fields that are not set: "", 0 and false.
    static boolean isZero(Json value) {
        return switch (value) {
            case Json.JsonString(var text) -> text.isEmpty();
            case Json.JsonBool(var flag) -> !flag;
            case JsonNumber number -> number.literal().equals("0");
            default -> false;
        };
    }

    private static Optional<Json> text(String text) {
        return text.isEmpty() ? Optional.empty() : Optional.of(Json.of(text));
    }

    private static Json number(double value) throws UndecodedField {
        if (!Double.isFinite(value)) {
            throw new UndecodedField("number " + value);
        }
        return new JsonNumber(Double.toString(value));
    }

    private static Optional<Json> time(Scalar scalar, Message message) throws UndecodedField {
        if (message.isEmpty()) {
            return Optional.empty();
        }
        var seconds = message.number(1);
        var nanos = message.number(2);
        if (seconds < FIRST.getEpochSecond()
                || seconds > LAST.getEpochSecond()
                || nanos < 0
                || nanos > MAX_NANOS) {
            throw new UndecodedField("time of %d s and %d ns".formatted(seconds, nanos));
        }
        var time = Instant.ofEpochSecond(seconds, nanos);
        return Optional.of(
                Json.of(
                        scalar == Scalar.TIME
                                ? Rfc3339.write(time)
                                : time.truncatedTo(ChronoUnit.MICROS).toString()));
    }

    private static Optional<Json> any(String text) throws UndecodedField {
        if (text.isEmpty()) {
            return Optional.empty();
        }
        if (JsonReader.read(text) instanceof Reading.Documents(var documents)
                && documents.size() == 1) {
            return Optional.of(documents.getFirst().root());
        }
        throw new UndecodedField("value that is not JSON");
    }

    /// A message of numbers and texts, by field number.
    private record Message(Map<Integer, Long> numbers, Map<Integer, String> texts) {

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

    private static Message message(CodedInputStream in, Set<Integer> numbers, Set<Integer> texts)
            throws IOException {
        var message = new Message(new HashMap<>(), new HashMap<>());
        var fields = CodedInputStream.newInstance(in.readByteArray());
        for (var tag = fields.readTag(); tag != 0; tag = fields.readTag()) {
            var field = WireFormat.getTagFieldNumber(tag);
            var wireType = WireFormat.getTagWireType(tag);
            if (wireType == WireFormat.WIRETYPE_VARINT && numbers.contains(field)) {
                message.numbers.put(field, fields.readInt64());
            } else if (wireType == WireFormat.WIRETYPE_LENGTH_DELIMITED && texts.contains(field)) {
                message.texts.put(field, utf8(fields.readByteArray()));
            } else {
                throw new UndecodedField("field " + field);
            }
        }
        return message;
    }

    private static String utf8(byte[] bytes) throws UndecodedField {
        try {
            return StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes)).toString();
        } catch (CharacterCodingException _) {
            throw new UndecodedField("text that is not UTF-8");
        }
    }
}
