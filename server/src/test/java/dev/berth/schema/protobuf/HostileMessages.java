package dev.berth.schema.protobuf;

import com.google.protobuf.WireFormat;
import dev.berth.schema.Schemas.KindName;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Random;

/// Protobuf bodies that no client sends on purpose: wrong lengths, deep nesting, groups, repeated
/// and unknown fields, invalid UTF-8. Deterministic for a source of random numbers.
public final class HostileMessages {

    /// Field numbers of the built-in messages are below.
    private static final int MAX_KNOWN_NUMBER = 45;

    private static final int MAX_REPEATS = 400;
    private static final int MAX_DEPTH = 600;

    private static final List<Long> NUMBERS =
            List.of(
                    0L,
                    1L,
                    -1L,
                    (long) Integer.MAX_VALUE,
                    (long) Integer.MIN_VALUE,
                    Long.MAX_VALUE,
                    Long.MIN_VALUE,
                    253_402_300_799L,
                    253_402_300_800L,
                    -62_135_596_800L,
                    -62_135_596_801L);

    private static final List<Double> REALS =
            List.of(Double.NaN, Double.POSITIVE_INFINITY, -0.0, Double.MIN_VALUE, 1e300, 0.1);

    private final Random random;

    public HostileMessages(Random random) {
        this.random = random;
    }

    /// A body of that kind.
    ///
    /// @param valid the message of a valid object of the kind
    public byte[] body(KindName kind, byte[] valid) {
        var apiVersion =
                kind.group().isEmpty() ? kind.version() : kind.group() + "/" + kind.version();
        var body = envelope(apiVersion, kind.kind(), message(valid));
        return switch (random.nextInt(12)) {
            case 0 -> Arrays.copyOf(body, random.nextInt(body.length));
            case 1 -> noise(body);
            default -> body;
        };
    }

    /// A message with envelope.
    static byte[] envelope(String apiVersion, String kind, byte[] message) {
        var type = new ProtobufBytes().text(1, apiVersion).text(2, kind);
        return ProtobufBytes.body(
                new ProtobufBytes().message(1, type).raw(2, message).text(3, "").text(4, ""));
    }

    private byte[] message(byte[] valid) {
        return switch (random.nextInt(12)) {
            case 0 -> joined(valid, message(number(), new byte[0]));
            case 1 -> Arrays.copyOf(valid, random.nextInt(valid.length + 1));
            case 2 -> noise(valid);
            case 3 -> repeated(valid);
            case 4 -> nested(valid);
            case 5 -> groups();
            case 6 -> joined(valid, lengths());
            case 7 -> varints();
            case 8 -> joined(valid, unknown());
            case 9 -> insideMessages(texts());
            case 10 -> insideMessages(reals());
            default -> rawExtensions(valid);
        };
    }

    private int number() {
        return 1 + random.nextInt(MAX_KNOWN_NUMBER);
    }

    private static byte[] joined(byte[]... parts) {
        return MessageBytes.joined(parts);
    }

    private static byte[] message(int number, byte[] content) {
        return new ProtobufBytes().raw(number, content).bytes();
    }

    private byte[] noise(byte[] bytes) {
        var changed = bytes.clone();
        for (var times = random.nextInt(1, 5); times > 0 && changed.length > 0; times--) {
            changed[random.nextInt(changed.length)] = (byte) random.nextInt(256);
        }
        return changed;
    }

    /// The same small field many times: list items, map entries, or a singular message.
    private byte[] repeated(byte[] valid) {
        var one = message(number(), random.nextBoolean() ? new byte[0] : message(1, valid));
        var bytes = new ByteArrayOutputStream();
        for (var times = random.nextInt(MAX_REPEATS); times > 0; times--) {
            bytes.writeBytes(one);
        }
        return random.nextBoolean() ? bytes.toByteArray() : message(number(), bytes.toByteArray());
    }

    /// A chain of messages; of one number, so that types that contain themselves are met.
    private byte[] nested(byte[] valid) {
        var bytes = valid;
        var number = number();
        var same = random.nextBoolean();
        for (var depth = random.nextInt(MAX_DEPTH); depth > 0; depth--) {
            bytes = message(same ? number : number(), bytes);
        }
        return bytes;
    }

    private byte[] groups() {
        var bytes = new ByteArrayOutputStream();
        var number = number();
        var depth = random.nextInt(MAX_DEPTH);
        for (var i = 0; i < depth; i++) {
            varint(bytes, (long) number << 3 | WireFormat.WIRETYPE_START_GROUP);
        }
        for (var i = random.nextInt(2); i < depth; i++) {
            varint(bytes, (long) number << 3 | WireFormat.WIRETYPE_END_GROUP);
        }
        return random.nextBoolean() ? bytes.toByteArray() : message(number(), bytes.toByteArray());
    }

    /// A field with a length that is wrong.
    private byte[] lengths() {
        var bytes = new ByteArrayOutputStream();
        varint(bytes, (long) number() << 3 | WireFormat.WIRETYPE_LENGTH_DELIMITED);
        varint(bytes, NUMBERS.get(random.nextInt(NUMBERS.size())));
        return bytes.toByteArray();
    }

    /// Numbers of all sizes, alone, packed, and of more than ten bytes.
    private byte[] varints() {
        var bytes = new ByteArrayOutputStream();
        for (var count = random.nextInt(1, 30); count > 0; count--) {
            if (random.nextInt(4) > 0) {
                varint(bytes, (long) number() << 3 | WireFormat.WIRETYPE_VARINT);
            }
            varint(bytes, NUMBERS.get(random.nextInt(NUMBERS.size())));
        }
        if (random.nextInt(4) == 0) {
            bytes.writeBytes(new byte[] {8, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, 1});
        }
        return insideMessages(bytes.toByteArray());
    }

    private byte[] unknown() {
        var bytes = new ProtobufBytes();
        for (var count = random.nextInt(MAX_REPEATS); count > 0; count--) {
            var number = 1_000 + random.nextInt(500_000_000);
            switch (random.nextInt(3)) {
                case 0 -> bytes.number(number, random.nextLong());
                case 1 -> bytes.text(number, "x");
                default -> bytes.real(number, random.nextDouble());
            }
        }
        return bytes.bytes();
    }

    private byte[] texts() {
        var bytes = new byte[random.nextInt(40)];
        Arrays.fill(bytes, (byte) random.nextInt(256));
        return message(number(), bytes);
    }

    private byte[] reals() {
        return new ProtobufBytes().real(number(), REALS.get(random.nextInt(REALS.size()))).bytes();
    }

    /// The bytes as content of a few messages.
    private byte[] insideMessages(byte[] content) {
        var bytes = content;
        for (var depth = random.nextInt(5); depth > 0; depth--) {
            bytes = message(number(), bytes);
        }
        return bytes;
    }

    /// Raw values that are objects with envelope, within each other.
    private byte[] rawExtensions(byte[] valid) {
        return switch (random.nextInt(3)) {
            case 0 ->
                    message(2, message(1, "[".repeat(MAX_DEPTH).getBytes(StandardCharsets.UTF_8)));
            case 1 -> message(2, message(1, noise(valid)));
            default -> rawExtensions(random.nextInt(MAX_DEPTH));
        };
    }

    /// The message of a ControllerRevision with others nested to a depth.
    public static byte[] rawExtensions(int depth) {
        var bytes = new byte[0];
        for (var i = 0; i < depth; i++) {
            var object = envelope("apps/v1", "ControllerRevision", bytes);
            bytes = message(2, message(1, object));
        }
        return bytes;
    }

    private static void varint(ByteArrayOutputStream bytes, long value) {
        var rest = value;
        while ((rest & ~0x7fL) != 0) {
            bytes.write((int) ((rest & 0x7f) | 0x80));
            rest >>>= 7;
        }
        bytes.write((int) rest);
    }
}
