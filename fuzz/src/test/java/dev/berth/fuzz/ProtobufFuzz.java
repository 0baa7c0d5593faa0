package dev.berth.fuzz;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.model.json.JsonObject;
import dev.berth.model.json.JsonWriter;
import dev.berth.schema.protobuf.ProtobufCodec;
import dev.berth.schema.protobuf.ProtobufException;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;

/// Any bytes are a protobuf body that survives a round trip, or are rejected with
/// [ProtobufException]. The JSON of a body is at most [#MAX_CHARACTERS_PER_BYTE] times as long.
public final class ProtobufFuzz {

    /// The longest JSON for the fewest bytes is an empty item, two bytes, with required fields.
    private static final int MAX_CHARACTERS_PER_BYTE = ProtobufCodec.MAX_JSON_PER_BYTE;

    /// apiVersion, kind and required fields of an object whose message is empty.
    private static final int MAX_CHARACTERS_OF_EMPTY = 400;

    private static final ProtobufCodec CODEC = ProtobufCodec.builtIn();

    private record Kind(String apiVersion, String kind) {}

    /// Kinds with lists, maps, unions, raw values and types that contain themselves.
    private static final List<Kind> KINDS =
            List.of(
                    new Kind("v1", "Pod"),
                    new Kind("v1", "Event"),
                    new Kind("v1", "ConfigMapList"),
                    new Kind("apps/v1", "ControllerRevision"),
                    new Kind("resource.k8s.io/v1", "ResourceSlice"),
                    new Kind("apiextensions.k8s.io/v1", "CustomResourceDefinition"));

    private ProtobufFuzz() {}

    public static void fuzzerTestOneInput(byte[] input) {
        decode(input).ifPresent(object -> bounded(object, input.length));
        for (var kind : KINDS) {
            var body = body(kind, input);
            decode(body).ifPresent(object -> bounded(object, body.length));
        }
        try {
            CODEC.decodeFrame(input);
        } catch (ProtobufException e) {
            assertThat(e.getMessage()).isNotEmpty();
        }
    }

    /// The input as the message of an object of that kind.
    private static byte[] body(Kind kind, byte[] message) {
        var type = new ByteArrayOutputStream();
        field(type, 1, kind.apiVersion.getBytes(StandardCharsets.UTF_8));
        field(type, 2, kind.kind.getBytes(StandardCharsets.UTF_8));
        var body = new ByteArrayOutputStream();
        body.writeBytes(new byte[] {'k', '8', 's', 0});
        field(body, 1, type.toByteArray());
        field(body, 2, message);
        return body.toByteArray();
    }

    private static void field(ByteArrayOutputStream out, int number, byte[] content) {
        out.write((number << 3) | 2);
        var length = content.length;
        while (length >= 0x80) {
            out.write((length & 0x7f) | 0x80);
            length >>>= 7;
        }
        out.write(length);
        out.writeBytes(content);
    }

    private static Optional<JsonObject> decode(byte[] body) {
        try {
            return Optional.of(CODEC.decode(body));
        } catch (ProtobufException e) {
            assertThat(e.getMessage()).isNotEmpty();
            return Optional.empty();
        }
    }

    private static void bounded(JsonObject object, int bytes) {
        assertThat(JsonWriter.compact(object).length())
                .isLessThanOrEqualTo(MAX_CHARACTERS_OF_EMPTY + MAX_CHARACTERS_PER_BYTE * bytes);
        Trees.surviveJson(object);
        // Absent and empty lists are one in protobuf: the second encoding is the first again.
        // A watch event has no kind.
        if (!object.has("kind")) {
            return;
        }
        var encoded = CODEC.encode(object);
        assertThat(CODEC.encode(CODEC.decode(encoded))).isEqualTo(encoded);
    }
}
