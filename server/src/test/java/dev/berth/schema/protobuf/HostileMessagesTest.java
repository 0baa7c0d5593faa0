package dev.berth.schema.protobuf;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.model.json.Json;
import dev.berth.model.json.JsonObject;
import dev.berth.model.json.JsonReader;
import dev.berth.model.json.JsonWriter;
import dev.berth.model.json.ParseResult;
import dev.berth.schema.Schemas;
import dev.berth.schema.Schemas.KindName;
import dev.berth.server.schema.SampleObjects;
import dev.berth.server.schema.TreeDifference;
import java.io.ByteArrayOutputStream;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;

/// Hostile bodies are decoded to JSON of bounded length, or refused with [ProtobufException].
class HostileMessagesTest {

    /// Characters of JSON per byte of a body. The longest known: an empty message in a list, two
    /// bytes, of a type with required lists, which are `null` by name in JSON.
    private static final int MAX_CHARACTERS_PER_BYTE = ProtobufCodec.MAX_JSON_PER_BYTE;

    /// apiVersion, kind and required fields of an object whose message is empty.
    private static final int MAX_CHARACTERS_OF_EMPTY = 400;

    private static final int BODIES_PER_KIND = 40;

    private static final Schemas SCHEMAS = Schemas.builtIn();
    private static final ProtobufCodec CODEC = ProtobufCodec.builtIn();

    private static List<KindName> kinds() {
        return SCHEMAS.kinds().stream()
                .filter(kind -> CODEC.knows(apiVersion(kind), kind.kind()))
                .sorted(Comparator.comparing(KindName::toString))
                .toList();
    }

    private static String apiVersion(KindName kind) {
        return kind.group().isEmpty() ? kind.version() : kind.group() + "/" + kind.version();
    }

    /// The message of an object with every field.
    private static byte[] message(KindName kind) {
        var struct = SCHEMAS.kind(kind.group(), kind.version(), kind.kind()).orElseThrow();
        var object = CODEC.enveloped(SampleObjects.full(struct), apiVersion(kind), kind.kind());
        return Arrays.copyOfRange(
                object.bytes(), object.offset(), object.offset() + object.length());
    }

    @Test
    void hostileBodiesOfAllKindsAreDecodedOrRefused() {
        var decoded = 0;
        var refused = 0;
        var seed = 0L;
        for (var kind : kinds()) {
            var valid = message(kind);
            for (var i = 0; i < BODIES_PER_KIND; i++) {
                var body = new HostileMessages(new Random(seed++)).body(kind, valid);
                if (decode(body, "seed %d, %s".formatted(seed - 1, kind)).isPresent()) {
                    decoded++;
                } else {
                    refused++;
                }
            }
        }
        assertThat(decoded).isPositive();
        assertThat(refused).isPositive();
    }

    private static Optional<JsonObject> decode(byte[] body, String origin) {
        try {
            var object = CODEC.decode(body);
            var text = JsonWriter.compact(object);
            assertThat(text.length())
                    .as("%s: %d bytes", origin, body.length)
                    .isLessThanOrEqualTo(
                            MAX_CHARACTERS_OF_EMPTY + MAX_CHARACTERS_PER_BYTE * body.length);
            assertThat(JsonReader.read(text)).as(origin).isInstanceOf(ParseResult.Documents.class);
            assertThat(SampleObjects.object(text)).as(origin).isEqualTo(object);
            return Optional.of(object);
        } catch (ProtobufException e) {
            assertThat(e.getMessage()).as(origin).isNotEmpty();
            return Optional.empty();
        } catch (RuntimeException | StackOverflowError e) {
            var start = HexFormat.of().formatHex(body, 0, Math.min(body.length, 400));
            throw new AssertionError("%s, %d bytes: %s".formatted(origin, body.length, start), e);
        }
    }

    /// Encoding and decoding a decoded object again does not change it.
    @Test
    void decodedObjectsAreEncodedCompletely() {
        var seed = 1_000_000L;
        for (var kind : kinds()) {
            var valid = message(kind);
            for (var i = 0; i < BODIES_PER_KIND; i++) {
                var origin = "seed %d, %s".formatted(seed, kind);
                var body = new HostileMessages(new Random(seed++)).body(kind, valid);
                var object = decode(body, origin);
                // A watch event has no kind.
                if (object.isPresent() && object.get().has("kind")) {
                    var again = CODEC.decode(CODEC.encode(object.get()));
                    assertThat(
                                    TreeDifference.of(
                                            TreeDifference.withoutEmptyLists(object.get()),
                                            TreeDifference.withoutEmptyLists(again)))
                            .as(origin)
                            .isEmpty();
                }
            }
        }
    }

    /// Two bytes of an empty item in every list of every type: the longest JSON for the least
    /// bytes.
    @Test
    void emptyItemsOfListsHaveBoundedJson() {
        var kind = new KindName("", "v1", "Pod");
        var longest = new ArrayList<String>();
        for (var number = 1; number < 50; number++) {
            for (var inner = 1; inner < 50; inner++) {
                var items = new ByteArrayOutputStream();
                for (var i = 0; i < 100; i++) {
                    items.writeBytes(new ProtobufBytes().raw(inner, new byte[0]).bytes());
                }
                var message = new ProtobufBytes().raw(number, items.toByteArray()).bytes();
                var body = HostileMessages.envelope(apiVersion(kind), kind.kind(), message);
                decode(body, "field %d in field %d of Pod".formatted(inner, number))
                        .ifPresent(object -> longest.add(JsonWriter.compact(object)));
            }
        }
        assertThat(longest).isNotEmpty();
    }

    @Test
    void objectsInRawExtensionsAreBoundedInDepth() {
        for (var depth : List.of(1, 10, 100, 1_000, 3_000)) {
            var message = HostileMessages.rawExtensions(depth);
            var body = HostileMessages.envelope("apps/v1", "ControllerRevision", message);
            var object = decode(body, depth + " objects");
            if (depth <= 10) {
                assertThat(object).isPresent();
            }
            if (depth >= 1_000) {
                assertThat(object).isEmpty();
            }
        }
    }

    /// Properties of properties of a schema: two levels of JSON for one message and one map entry.
    @Test
    void nestingIsBoundedAsInJson() {
        var refused = 0;
        for (var depth = 80; depth < 110; depth++) {
            var schema = new ProtobufBytes();
            for (var i = 0; i < depth; i++) {
                var entry = new ProtobufBytes().text(1, "a").message(2, schema);
                schema = new ProtobufBytes().message(29, entry);
            }
            var version = new ProtobufBytes().message(4, new ProtobufBytes().message(1, schema));
            var object = new ProtobufBytes().message(2, new ProtobufBytes().message(7, version));
            var body =
                    ProtobufBytes.body(
                            "apiextensions.k8s.io/v1", "CustomResourceDefinition", object);
            refused += decode(body, depth + " schemas").isPresent() ? 0 : 1;
        }
        assertThat(refused).isBetween(1, 29);
    }

    @Test
    void keysAreBoundedAsInJson() {
        for (var length : List.of(49_999, 50_000, 50_001, 60_000)) {
            var labels = new ProtobufBytes().entry(11, "k".repeat(length), "v");
            var body =
                    ProtobufBytes.body("v1", "ConfigMap", new ProtobufBytes().message(1, labels));
            assertThat(decode(body, "key of " + length).isPresent()).isEqualTo(length <= 50_000);
        }
    }

    @Test
    void aRawExtensionKeepsTheObjectInIt() {
        var inner = new ProtobufBytes().message(1, ProtobufBytes.metadata("inner"));
        var raw = ProtobufBytes.body("v1", "ConfigMap", inner);
        var data = new ProtobufBytes().raw(1, raw);
        var body =
                ProtobufBytes.body(
                        "apps/v1",
                        "ControllerRevision",
                        new ProtobufBytes().message(2, data).number(3, 1));
        assertThat(CODEC.decode(body).objectOrEmpty("data").objectOrEmpty("metadata").text("name"))
                .isEqualTo("inner");
    }

    /// Time grows with the length: the bodies below would take minutes if it grew with its square.
    @Test
    void longBodiesAreDecodedInLinearTime() {
        var labels = new ProtobufBytes();
        for (var i = 0; i < 150_000; i++) {
            labels.entry(11, "key-" + i, "v");
        }
        var names = labels.entry(11, "key-7", "w");
        var object = new ProtobufBytes().message(1, names);
        var decoded = decode(ProtobufBytes.body("v1", "ConfigMap", object), "many labels");
        assertThat(decoded.orElseThrow().objectOrEmpty("metadata").objectOrEmpty("labels").size())
                .isEqualTo(150_000);
        var parts = new ProtobufBytes();
        for (var i = 0; i < 300_000; i++) {
            parts.message(1, new ProtobufBytes().text(1, Integer.toString(i)));
        }
        var merged = decode(ProtobufBytes.body("v1", "ConfigMap", parts), "many metadata");
        assertThat(merged.orElseThrow().objectOrEmpty("metadata").member("name"))
                .contains(Json.of("299999"));
    }
}
