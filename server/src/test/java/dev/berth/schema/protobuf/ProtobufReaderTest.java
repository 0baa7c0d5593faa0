package dev.berth.schema.protobuf;

import static dev.berth.schema.protobuf.ProtobufBytes.body;
import static dev.berth.schema.protobuf.ProtobufBytes.metadata;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.protobuf.WireFormat;
import dev.berth.model.json.JsonObject;
import dev.berth.model.json.JsonReader;
import dev.berth.model.json.Reading;
import dev.berth.schema.Schemas;
import dev.berth.schema.Type.Struct;
import dev.berth.schema.protobuf.ProtobufNumbers.Entry;
import dev.berth.schema.protobuf.ProtobufReader.Decoded;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/// A protobuf body is decoded completely or refused.
class ProtobufReaderTest {

    /// Beyond the numbers of all messages.
    private static final int UNKNOWN = 7_777;

    private static final Schemas SCHEMAS = Schemas.builtIn();
    private static final ProtobufNumbers NUMBERS = ProtobufNumbers.known();
    private static final ProtobufReader READER = new ProtobufReader(SCHEMAS);

    private static List<Struct> messages() {
        return SCHEMAS.all().stream()
                .filter(struct -> NUMBERS.messages().contains(struct.name()))
                .toList();
    }

    @Test
    void everyMessageRefusesANumberThatIsNotInTheTable() {
        assertThat(messages()).hasSizeGreaterThan(200);
        for (var struct : messages()) {
            for (var field : unknownFields(UNKNOWN)) {
                refuses(struct, field, "field " + UNKNOWN);
            }
            NUMBERS.entries(struct.name())
                    .forEach((number, entry) -> {
                        if (entry instanceof Entry.Inlined) {
                            var inner = new ProtobufBytes().text(UNKNOWN, "x");
                            refuses(
                                    struct,
                                    new ProtobufBytes().message(number, inner),
                                    "field " + UNKNOWN);
                        }
                    });
        }
    }

    private static List<ProtobufBytes> unknownFields(int number) {
        return List.of(
                new ProtobufBytes().text(number, "x"),
                new ProtobufBytes().text(number, ""),
                new ProtobufBytes().number(number, 1),
                new ProtobufBytes().number(number, 0),
                new ProtobufBytes().real(number, 1.5));
    }

    @Test
    void everyFieldRefusesAWireTypeThatIsNotItsOwn() {
        for (var struct : messages()) {
            NUMBERS.entries(struct.name())
                    .forEach((number, entry) ->
                            refuses(
                                    struct,
                                    new ProtobufBytes().raw(number, new byte[0]),
                                    WireFormat.WIRETYPE_FIXED32));
        }
    }

    /// Replaces the wire type of a field without content.
    private static void refuses(Struct struct, ProtobufBytes field, int wireType) {
        var bytes = field.bytes();
        bytes[0] = (byte) ((bytes[0] & ~7) | wireType);
        var padded = Arrays.copyOf(bytes, bytes.length + 4);
        assertThatThrownBy(() -> READER.message(struct, padded))
                .as(struct.name())
                .isInstanceOf(UndecodedField.class);
    }

    private static void refuses(Struct struct, ProtobufBytes message, String part) {
        assertThatThrownBy(() -> READER.message(struct, message.bytes()))
                .as(struct.name())
                .isInstanceOfSatisfying(
                        UndecodedField.class, e -> assertThat(e.description()).isEqualTo(part));
    }

    @Test
    void everyMessageWithoutNumbersRefusesAllFields() {
        var without =
                SCHEMAS.all().stream()
                        .filter(struct -> !NUMBERS.messages().contains(struct.name()))
                        .toList();
        assertThat(without).isNotEmpty();
        without.forEach(struct -> refuses(struct, new ProtobufBytes().number(1, 0), "field 1"));
    }

    @Test
    void theTableNamesMessagesAndFieldsOfTheSchemas() {
        var inlined = new TreeSet<String>();
        var notInSchema = new TreeSet<String>();
        for (var struct : messages()) {
            NUMBERS.entries(struct.name())
                    .values()
                    .forEach(entry -> {
                        switch (entry) {
                            case Entry.Inlined(var message) -> inlined.add(message);
                            case Entry.Named(var field, _) -> {
                                if (struct.fields().named(field) == null) {
                                    notInSchema.add(Schemas.simpleName(struct) + "." + field);
                                }
                            }
                        }
                    });
        }
        var named = new TreeSet<>(messages().stream().map(Struct::name).toList());
        named.addAll(inlined);
        assertThat(named).isEqualTo(new TreeSet<>(NUMBERS.messages()));
        assertThat(notInSchema)
                .containsExactly(
                        "ClusterTrustBundleProjection.user",
                        "ConfigMapVolumeSource.defaultUser",
                        "DownwardAPIVolumeFile.user",
                        "DownwardAPIVolumeSource.defaultUser",
                        "EmptyDirVolumeSource.mode",
                        "GRPCAction.mode",
                        "HTTPGetAction.protocol",
                        "JobSchedulingConfiguration.schedulingConstraints",
                        "JobSchedulingConfiguration.schedulingPolicy",
                        "KeyToPath.user",
                        "PodCertificateProjection.user",
                        "PodSpec.evictionResponders",
                        "PodStatus.volumeHealth",
                        "ProjectedVolumeSource.defaultUser",
                        "SecretVolumeSource.defaultUser",
                        "ServiceAccountTokenProjection.user",
                        "TokenRequestSpec.attestations",
                        "VolumeMount.bindMountOptions");
    }

    @Test
    void aRefusalNamesThePathOfTheField() {
        var mode = new ProtobufBytes().message(2, new ProtobufBytes().number(3, 448));
        var volume = new ProtobufBytes().text(1, "scratch").message(2, mode);
        var spec = new ProtobufBytes().message(1, volume);
        var unknown = new ProtobufBytes().number(UNKNOWN, 1);
        assertThat(refusal("v1", "Pod", new ProtobufBytes().message(2, spec)))
                .isEqualTo("spec.volumes[0].emptyDir field mode is not decoded from protobuf");
        assertThat(refusal("v1", "Pod", new ProtobufBytes().message(2, unknown)))
                .isEqualTo("spec field 7777 is not decoded from protobuf");
        assertThat(refusal("v1", "Pod", unknown))
                .isEqualTo("field 7777 is not decoded from protobuf");
        assertThat(refusal("example.com/v1", "Widget", new ProtobufBytes()))
                .isEqualTo("kind \"Widget\" of \"example.com/v1\" is not decoded from protobuf");
    }

    private static String refusal(String apiVersion, String kind, ProtobufBytes object) {
        return refusal(body(apiVersion, kind, object));
    }

    private static String refusal(byte[] body) {
        return READER.read(body) instanceof Decoded.Refused(var reason) ? reason : "accepted";
    }

    private static JsonObject decoded(String apiVersion, String kind, ProtobufBytes object) {
        return READER.read(body(apiVersion, kind, object)) instanceof Decoded.Complete(var read)
                ? read
                : fail(refusal(apiVersion, kind, object));
    }

    private static JsonObject fail(String reason) {
        throw new AssertionError(reason);
    }

    private static JsonObject json(String text) {
        return JsonReader.read(text) instanceof Reading.Documents(var documents)
                        && documents.getFirst().root() instanceof JsonObject object
                ? object
                : fail(text);
    }

    @Test
    void zerosOfPointersAreValuesAndOtherZerosAreAbsentFields() {
        var spec = new ProtobufBytes().number(1, 0).number(5, 0).flag(7, false);
        assertThat(decoded("apps/v1", "Deployment", new ProtobufBytes().message(2, spec)))
                .isEqualTo(
                        json(
                                """
                                {"apiVersion": "apps/v1", "kind": "Deployment",
                                 "spec": {"replicas": 0}}\
                                """));
    }

    @Test
    void aMessageInPartsIsOneObjectAndAScalarHasItsLastValue() {
        var first = new ProtobufBytes().text(1, "a").entry(11, "one", "1").text(14, "x/y");
        var second = new ProtobufBytes().text(1, "b").entry(11, "two", "").text(14, "x/z");
        var object = new ProtobufBytes().message(1, first).message(1, second);
        assertThat(decoded("v1", "ConfigMap", object))
                .isEqualTo(
                        json(
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
        var review = new ProtobufBytes().message(2, spec);
        assertThat(decoded("authorization.k8s.io/v1", "SubjectAccessReview", review))
                .isEqualTo(
                        json(
                                """
                                {"apiVersion": "authorization.k8s.io/v1",
                                 "kind": "SubjectAccessReview",
                                 "spec": {"user": "ada", "extra": {"scopes": ["a", "b"]}}}\
                                """));
    }

    @Test
    void timesAndRawValuesThatJsonCannotWriteAreRefused() {
        for (var seconds : List.of(Long.MAX_VALUE, Long.MIN_VALUE, 253_402_300_800L)) {
            var time = new ProtobufBytes().number(1, seconds).number(2, 0);
            var object = new ProtobufBytes().message(1, new ProtobufBytes().message(8, time));
            assertThat(refusal("v1", "ConfigMap", object))
                    .startsWith("metadata.creationTimestamp time");
        }
        var fields = new ProtobufBytes().message(7, new ProtobufBytes().text(1, "{"));
        var object = new ProtobufBytes().message(1, new ProtobufBytes().message(17, fields));
        assertThat(refusal("v1", "ConfigMap", object))
                .startsWith("metadata.managedFields[0].fieldsV1 value that is not JSON");
    }

    @Test
    void deleteOptionsAreDecodedInAllGroups() {
        var options = new ProtobufBytes().number(1, 0).text(4, "Foreground");
        for (var group : List.of("v1", "apps/v1", "resource.k8s.io/v1beta1")) {
            assertThat(decoded(group, "DeleteOptions", options).text("propagationPolicy"))
                    .isEqualTo("Foreground");
        }
    }

    @Test
    void envelopesWithFieldsOfTheirOwnAreRefused() {
        var type = new ProtobufBytes().text(1, "v1").text(2, "ConfigMap");
        assertThat(refusal(body(new ProtobufBytes().message(1, type).text(4, ""))))
                .isEqualTo("accepted");
        assertThat(refusal(body(new ProtobufBytes().message(1, type).text(3, "gzip"))))
                .startsWith("envelope field 3");
        assertThat(refusal(body(new ProtobufBytes().message(1, type).text(5, ""))))
                .startsWith("envelope field 5");
        assertThat(refusal(body(new ProtobufBytes().message(1, type.text(3, "")))))
                .startsWith("type field 3");
        assertThat(refusal(new byte[0])).startsWith("the protobuf body does not begin with");
    }

    /// Truncated and altered bodies: each is decoded or refused, without an exception.
    @Test
    void damagedBodiesAreDecodedOrRefused() throws IOException {
        var container =
                new ProtobufBytes()
                        .text(1, "c")
                        .message(15, new ProtobufBytes().flag(2, true).number(4, 1000));
        var spec = new ProtobufBytes().message(2, container).entry(7, "disk", "fast");
        var pod = new ProtobufBytes().message(1, metadata("p")).message(2, spec);
        var body = body("v1", "Pod", pod);
        for (var length = 0; length < body.length; length++) {
            assertThat(READER.read(Arrays.copyOf(body, length))).isNotNull();
        }
        var random = new Random(16);
        var outcomes = new ArrayList<Decoded>();
        for (var round = 0; round < 20_000; round++) {
            var damaged = body.clone();
            for (var changes = 1 + random.nextInt(3); changes > 0; changes--) {
                damaged[4 + random.nextInt(body.length - 4)] = (byte) random.nextInt(256);
            }
            outcomes.add(READER.read(damaged));
        }
        assertThat(outcomes).hasAtLeastOneElementOfType(Decoded.Refused.class);
    }
}
