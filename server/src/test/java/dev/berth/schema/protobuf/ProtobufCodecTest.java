package dev.berth.schema.protobuf;

import static dev.berth.schema.protobuf.ProtobufBytes.body;
import static dev.berth.schema.protobuf.ProtobufBytes.metadata;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import com.google.protobuf.WireFormat;
import dev.berth.model.json.Json;
import dev.berth.model.json.JsonObject;
import dev.berth.schema.Schemas;
import dev.berth.schema.Schemas.KindName;
import dev.berth.server.schema.SampleObjects;
import java.util.Arrays;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Decoding gives the JSON that Go writes for a message; encoding loses nothing.
class ProtobufCodecTest {

    /// Beyond the numbers of all messages.
    private static final int UNKNOWN = 7_777;

    private static final Schemas SCHEMAS = Schemas.builtIn();
    private static final ProtobufCodec CODEC = ProtobufCodec.builtIn();

    private static List<KindName> kinds() {
        return SCHEMAS.kinds().stream()
                .filter(kind -> CODEC.knows(apiVersion(kind), kind.kind()))
                // Has no type in JSON, and values of two types: both have tests of their own.
                .filter(kind -> !kind.kind().equals("WatchEvent"))
                .filter(kind -> !kind.kind().equals("CustomResourceDefinition"))
                .sorted(Comparator.comparing(KindName::toString))
                .toList();
    }

    private static String apiVersion(KindName kind) {
        return kind.group().isEmpty() ? kind.version() : kind.group() + "/" + kind.version();
    }

    @ParameterizedTest
    @MethodSource("kinds")
    void objectsWithEveryFieldRoundTrip(KindName kind) {
        var struct = SCHEMAS.kind(kind.group(), kind.version(), kind.kind()).orElseThrow();
        var object =
                SampleObjects.full(struct)
                        .with("apiVersion", Json.of(apiVersion(kind)))
                        .with("kind", Json.of(kind.kind()));
        assertThat(untyped(CODEC.decode(CODEC.encode(object)))).isEqualTo(untyped(object));
    }

    /// The value without the types of objects, which messages of nested objects do not have.
    private static Json untyped(Json value) {
        return switch (value) {
            case JsonObject object -> {
                var members = new LinkedHashMap<String, Json>();
                for (var name : object.names()) {
                    if (!name.equals("apiVersion") && !name.equals("kind")) {
                        members.put(name, untyped(object.memberOrNull(name)));
                    }
                }
                yield new JsonObject(members);
            }
            case Json.JsonArray(var items) ->
                    Json.array(items.stream().map(ProtobufCodecTest::untyped).toList());
            default -> value;
        };
    }

    @Test
    void listsRoundTripAndItemsHaveTheirKind() {
        var list =
                SampleObjects.object(
                        """
                        {"apiVersion": "v1", "kind": "ConfigMapList",
                         "metadata": {"resourceVersion": "7", "remainingItemCount": 0},
                         "items": [
                          {"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "a"},
                           "data": {"k": "v", "empty": ""}},
                          {"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "b"},
                           "binaryData": {"k": "AAEC"}}]}\
                        """);
        assertThat(CODEC.decode(CODEC.encode(list))).isEqualTo(list);
    }

    @Test
    void watchEventsRoundTrip() {
        var object =
                SampleObjects.object(
                        """
                        {"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "a"}}\
                        """);
        var frame = ProtobufCodec.watchEvent("ADDED", CODEC.encode(object));
        assertThat(CODEC.decodeFrame(frame))
                .isEqualTo(new ProtobufCodec.WatchFrame("ADDED", object, 0));
    }

    @Test
    void unknownNumbersAreSkippedAndCounted() {
        var spec = new ProtobufBytes().text(UNKNOWN, "x").number(UNKNOWN, 1).real(UNKNOWN, 1.5);
        var pod =
                new ProtobufBytes()
                        .message(2, spec.text(10, "node-1"))
                        .message(UNKNOWN, new ProtobufBytes());
        var decoded = CODEC.decode(body("v1", "Pod", pod), "", "");
        assertThat(decoded.unknownFields()).isEqualTo(4);
        assertThat(decoded.object().objectOrEmpty("spec").text("nodeName")).isEqualTo("node-1");
    }

    @Test
    void aFieldWithAnotherWireTypeIsMalformed() {
        var bytes = new ProtobufBytes().raw(1, new byte[0]).bytes();
        bytes[0] = (byte) ((bytes[0] & ~7) | WireFormat.WIRETYPE_FIXED32);
        var object = Arrays.copyOf(bytes, bytes.length + 4);
        var envelope =
                new ProtobufBytes()
                        .message(1, new ProtobufBytes().text(1, "v1").text(2, "ConfigMap"))
                        .raw(2, object);
        assertThat(error(body(envelope))).isEqualTo("field 1 has wire type 5, expected 2");
    }

    private static String error(String apiVersion, String kind, ProtobufBytes object) {
        return error(body(apiVersion, kind, object));
    }

    private static String error(byte[] body) {
        try {
            CODEC.decode(body);
            return "accepted";
        } catch (ProtobufException e) {
            return String.valueOf(e.getMessage());
        }
    }

    private static JsonObject decoded(String apiVersion, String kind, ProtobufBytes object) {
        return CODEC.decode(body(apiVersion, kind, object));
    }

    @Test
    void zerosOfPointersAreValuesAndOtherZerosAreAbsent() {
        var spec = new ProtobufBytes().number(1, 0).number(5, 0).flag(7, false);
        assertThat(decoded("apps/v1", "Deployment", new ProtobufBytes().message(2, spec)))
                .isEqualTo(
                        SampleObjects.object(
                                """
                                {"apiVersion": "apps/v1", "kind": "Deployment",
                                 "spec": {"replicas": 0}}\
                                """));
    }

    @Test
    void zerosOfRequiredFieldsAreValuesAndAbsentRequiredListsAreNull() {
        var pool = new ProtobufBytes().text(1, "").number(2, 0).number(3, 0);
        var spec = new ProtobufBytes().text(1, "").message(2, pool);
        assertThat(
                        decoded(
                                "resource.k8s.io/v1",
                                "ResourceSlice",
                                new ProtobufBytes().message(2, spec)))
                .isEqualTo(
                        SampleObjects.object(
                                """
                                {"apiVersion": "resource.k8s.io/v1", "kind": "ResourceSlice",
                                 "spec": {"driver": "", "pool": {"name": "", "generation": 0,
                                  "resourceSliceCount": 0}}}\
                                """));
        assertThat(decoded("rbac.authorization.k8s.io/v1", "Role", new ProtobufBytes()))
                .isEqualTo(
                        SampleObjects.object(
                                """
                                {"apiVersion": "rbac.authorization.k8s.io/v1", "kind": "Role",
                                 "rules": null}\
                                """));
    }

    @Test
    void aMessageInPartsIsOneObjectAndAScalarHasItsLastValue() {
        var first = new ProtobufBytes().text(1, "a").entry(11, "one", "1").text(14, "x/y");
        var second = new ProtobufBytes().text(1, "b").entry(11, "two", "").text(14, "x/z");
        var object = new ProtobufBytes().message(1, first).message(1, second);
        assertThat(decoded("v1", "ConfigMap", object))
                .isEqualTo(
                        SampleObjects.object(
                                """
                                {"apiVersion": "v1", "kind": "ConfigMap",
                                 "metadata": {"name": "b", "labels": {"one": "1", "two": ""},
                                  "finalizers": ["x/y", "x/z"]}}\
                                """));
    }

    @Test
    void mapsOfListsAreDecoded() {
        var values = new ProtobufBytes().text(1, "a").text(1, "b");
        var extra = new ProtobufBytes().text(1, "scopes").message(2, values);
        var spec = new ProtobufBytes().text(3, "ada").message(5, extra);
        var review =
                decoded(
                        "authorization.k8s.io/v1",
                        "SubjectAccessReview",
                        new ProtobufBytes().message(2, spec));
        assertThat(review.objectOrEmpty("spec").objectOrEmpty("extra"))
                .isEqualTo(SampleObjects.object("{\"scopes\": [\"a\", \"b\"]}"));
    }

    @Test
    void negativeNumbersAreWrittenInTenBytesAndRead() {
        var event =
                SampleObjects.object(
                        """
                        {"apiVersion": "v1", "kind": "Event", "metadata": {"name": "e"},
                         "involvedObject": {}, "count": -1, "eventTime": null,
                         "reportingComponent": "", "reportingInstance": ""}\
                        """);
        assertThat(CODEC.decode(CODEC.encode(event)).number("count")).hasValue(-1);
    }

    @Test
    void jsonSchemasOfDefinitionsRoundTrip() {
        var definition =
                SampleObjects.object(
                        """
                        {"apiVersion": "apiextensions.k8s.io/v1",
                         "kind": "CustomResourceDefinition", "metadata": {"name": "a.b"},
                         "spec": {"group": "b", "scope": "Cluster",
                          "names": {"plural": "a", "kind": "A"},
                          "versions": [{"name": "v1", "served": true, "storage": false,
                           "schema": {"openAPIV3Schema": {"type": "object", "properties": {
                            "a": {"type": "array", "items": {"type": "string"}},
                            "b": {"additionalProperties": true, "maximum": 1.5},
                            "c": {"additionalProperties": {"type": "integer"}, "minimum": 0},
                            "d": {"default": {"x": [1, null]}, "enum": ["a", 1]},
                            "e": {"x-kubernetes-preserve-unknown-fields": true}}}}}]}}\
                        """);
        assertThat(CODEC.decode(CODEC.encode(definition))).isEqualTo(definition);
    }

    @Test
    void timesAndRawValuesThatJsonCannotWriteAreMalformed() {
        for (var seconds : List.of(Long.MAX_VALUE, Long.MIN_VALUE, 253_402_300_800L)) {
            var time = new ProtobufBytes().number(1, seconds).number(2, 0);
            var object = new ProtobufBytes().message(1, new ProtobufBytes().message(8, time));
            assertThat(error("v1", "ConfigMap", object)).endsWith("is out of range");
        }
        var fields = new ProtobufBytes().message(7, new ProtobufBytes().text(1, "{"));
        var object = new ProtobufBytes().message(1, new ProtobufBytes().message(17, fields));
        assertThat(error("v1", "ConfigMap", object))
                .isEqualTo("a RawExtension holds neither JSON nor an object");
    }

    @ParameterizedTest
    @ValueSource(strings = {"v1", "apps/v1", "resource.k8s.io/v1beta1", "meta.k8s.io/v1"})
    void deleteOptionsExistInAllGroups(String apiVersion) {
        var options = new ProtobufBytes().number(1, 0).text(4, "Foreground");
        assertThat(decoded(apiVersion, "DeleteOptions", options))
                .isEqualTo(
                        SampleObjects.object(
                                """
                                {"apiVersion": "%s", "kind": "DeleteOptions",
                                 "gracePeriodSeconds": 0, "propagationPolicy": "Foreground"}\
                                """
                                        .formatted(apiVersion)));
    }

    @Test
    void envelopesAreValidated() {
        var type = new ProtobufBytes().text(1, "v1").text(2, "ConfigMap");
        assertThat(error(body(new ProtobufBytes().message(1, type).text(4, ""))))
                .isEqualTo("accepted");
        assertThat(error(body(new ProtobufBytes().message(1, type).text(3, "gzip"))))
                .startsWith("the envelope has content encoding or type \"gzip\"");
        assertThat(error(new byte[0])).startsWith("the body does not begin with");
        assertThat(error("example.com/v1", "Widget", new ProtobufBytes()))
                .isEqualTo("kind \"Widget\" of \"example.com/v1\" has no protobuf encoding");
    }

    @Test
    void nestingIsBounded() {
        var schema = new ProtobufBytes();
        for (var i = 0; i < 200; i++) {
            schema = new ProtobufBytes().message(28, schema);
        }
        var version = new ProtobufBytes().message(4, new ProtobufBytes().message(1, schema));
        var object = new ProtobufBytes().message(2, new ProtobufBytes().message(7, version));
        assertThat(error("apiextensions.k8s.io/v1", "CustomResourceDefinition", object))
                .isEqualTo("nesting exceeds 200 levels");
    }

    @Test
    void aLengthBeyondTheEndIsMalformed() {
        var head = body("v1", "ConfigMap", new ProtobufBytes());
        for (var length : new byte[][] {{0x7f}, {-1, -1, -1, -1, 7}, {-1, -1, -1, -1, 15}}) {
            var bytes = Arrays.copyOf(head, head.length + 1 + length.length);
            bytes[head.length] = 0x12;
            System.arraycopy(length, 0, bytes, head.length + 1, length.length);
            assertThatExceptionOfType(ProtobufException.class)
                    .isThrownBy(() -> CODEC.decode(bytes));
        }
    }

    /// Truncated and altered bodies: each is decoded or refused, without another exception.
    @Test
    void damagedBodiesAreDecodedOrRefused() {
        var container =
                new ProtobufBytes()
                        .text(1, "c")
                        .message(15, new ProtobufBytes().flag(2, true).number(4, 1000));
        var spec = new ProtobufBytes().message(2, container).entry(7, "disk", "fast");
        var pod = new ProtobufBytes().message(1, metadata("p")).message(2, spec);
        var body = body("v1", "Pod", pod);
        for (var length = 0; length < body.length; length++) {
            assertThat(error(Arrays.copyOf(body, length))).isNotNull();
        }
        var random = new Random(16);
        var refused = 0;
        for (var round = 0; round < 20_000; round++) {
            var damaged = body.clone();
            for (var changes = 1 + random.nextInt(3); changes > 0; changes--) {
                damaged[4 + random.nextInt(body.length - 4)] = (byte) random.nextInt(256);
            }
            refused += error(damaged).equals("accepted") ? 0 : 1;
        }
        assertThat(refused).isBetween(1, 19_999);
    }
}
