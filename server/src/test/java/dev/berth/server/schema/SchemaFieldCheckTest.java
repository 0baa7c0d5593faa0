package dev.berth.server.schema;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.model.json.Json;
import dev.berth.model.json.Json.JsonArray;
import dev.berth.model.json.Json.JsonNull;
import dev.berth.model.json.JsonNumber;
import dev.berth.model.json.JsonObject;
import dev.berth.schema.SchemaType;
import dev.berth.schema.SchemaType.Struct;
import dev.berth.schema.Schemas;
import dev.berth.schema.check.SchemaFieldCheck;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SchemaFieldCheckTest {

    private static final Schemas SCHEMAS = Schemas.builtIn();
    private static final Struct POD = SCHEMAS.kind("", "v1", "Pod").orElseThrow();

    @Test
    void canonicalObjectsAreNotCopied() {
        for (var struct : SCHEMAS.all()) {
            var sample = SampleObjects.full(struct);

            var checked = SchemaFieldCheck.check(struct, sample);

            assertThat(checked.error()).as(struct.name()).isEmpty();
            assertThat(checked.unknown()).as(struct.name()).isEmpty();
            assertThat(checked.object()).as(struct.name()).isSameAs(sample);
        }
    }

    @Test
    void unknownFieldsAreNamedAndDropped() {
        var pod =
                SampleObjects.object(
                        """
                        {"kind":"Pod","foo":1,"metadata":{"labels":{"a":"b"},"x":2},
                         "spec":{"containers":[{"name":"a"},{"name":"b","imag":"c"}]}}
                        """);

        var checked = SchemaFieldCheck.check(POD, pod);

        assertThat(checked.unknown())
                .containsExactly(
                        "unknown field \"foo\"",
                        "unknown field \"metadata.x\"",
                        "unknown field \"spec.containers[1].imag\"");
        assertThat(checked.object())
                .isEqualTo(
                        SampleObjects.object(
                                """
                                {"kind":"Pod","metadata":{"labels":{"a":"b"}},
                                 "spec":{"containers":[{"name":"a"},{"name":"b"}]}}
                                """));
    }

    @Test
    void unknownFieldsWithinMapsAreNamedByTheirKeys() {
        var slice = SCHEMAS.kind("resource.k8s.io", "v1", "ResourceSlice").orElseThrow();
        var object =
                SampleObjects.object(
                        "{\"spec\":{\"devices\":[{\"attributes\":{\"a\":{\"i\":1}}}]}}");

        assertThat(SchemaFieldCheck.check(slice, object).unknown())
                .containsExactly("unknown field \"spec.devices[0].attributes.a.i\"");
    }

    @Test
    void everyFieldOfATypeIsAccepted() {
        var pod =
                SampleObjects.object(
                        """
                        {"metadata":{"creationTimestamp":null,"labels":{"a":null}},
                         "spec":{"containers":[null]}}
                        """);

        assertThat(SchemaFieldCheck.check(POD, pod).object())
                .isEqualTo(
                        SampleObjects.object(
                                """
                                {"metadata":{"labels":{"a":""}},"spec":{"containers":[{}]}}
                                """));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{'metadata':{'labels':'x'}} | json: cannot unmarshal string into Go struct field"
                        + " ObjectMeta.metadata.labels of type map[string]string",
                "{'metadata':{'labels':{'a':1}}} | json: cannot unmarshal number into Go struct"
                        + " field ObjectMeta.metadata.labels of type string",
                "{'spec':[]} | json: cannot unmarshal array into Go struct field Pod.spec of type"
                        + " v1.PodSpec",
                "{'spec':{'containers':{}}} | json: cannot unmarshal object into Go struct field"
                        + " PodSpec.spec.containers of type []v1.Container",
                "{'spec':{'containers':[{'name':5}]}} | json: cannot unmarshal number into Go"
                        + " struct field Container.spec.containers.name of type string",
                "{'spec':{'priority':3000000000}} | json: cannot unmarshal number 3000000000 into"
                        + " Go struct field PodSpec.spec.priority of type int32",
                "{'spec':{'priority':1.5}} | json: cannot unmarshal number 1.5 into Go struct"
                        + " field PodSpec.spec.priority of type int32",
                "{'spec':{'hostNetwork':'yes'}} | json: cannot unmarshal string into Go struct"
                        + " field PodSpec.spec.hostNetwork of type bool",
                "{'metadata':{'creationTimestamp':'now'}} | parsing time \"now\" as"
                        + " \"2006-01-02T15:04:05Z07:00\": cannot parse \"now\" as \"2006\"",
                "{'metadata':{'creationTimestamp':5}} | json: cannot unmarshal number into Go"
                        + " value of type string",
                "{'spec':{'overhead':{'cpu':'one'}}} | quantities must match the regular"
                        + " expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'",
            })
    void wrongTypesAreErrors(String text, String error) {
        var checked = SchemaFieldCheck.check(POD, SampleObjects.object(quotes(text)));

        assertThat(checked.error()).contains(error);
    }

    private static String quotes(String text) {
        return text.replace('\'', '"');
    }

    @ParameterizedTest
    @CsvSource({
        "2026-01-31T12:00:00+01:00, 2026-01-31T11:00:00Z",
        "2026-01-31T12:00:00.987Z, 2026-01-31T12:00:00Z",
        "2026-01-31T12:00:00Z, 2026-01-31T12:00:00Z"
    })
    void timesAreCanonicalized(String given, String usual) {
        var pod = SampleObjects.object("{\"metadata\":{\"creationTimestamp\":\"" + given + "\"}}");

        assertThat(
                        SchemaFieldCheck.check(POD, pod)
                                .object()
                                .objectOrEmpty("metadata")
                                .text("creationTimestamp"))
                .isEqualTo(usual);
    }

    @Test
    void microTimesHaveSixDigits() {
        var lease = SCHEMAS.kind("coordination.k8s.io", "v1", "Lease").orElseThrow();
        var object = SampleObjects.object("{\"spec\":{\"renewTime\":\"2026-01-31T12:00:00.5Z\"}}");

        assertThat(
                        SchemaFieldCheck.check(lease, object)
                                .object()
                                .objectOrEmpty("spec")
                                .text("renewTime"))
                .isEqualTo("2026-01-31T12:00:00.500000Z");
    }

    @ParameterizedTest
    @CsvSource({
        "1, \"1\"",
        "\"1000m\", \"1\"",
        "0.5, \"500m\"",
        "\"1024Mi\", \"1Gi\"",
        "\"0Gi\", \"0\"",
        "\"999Mi\", \"999Mi\"",
        "\"1Gi\", \"1Gi\"",
        "1e3, \"1e3\""
    })
    void quantitiesAreCanonicalized(String given, String usual) {
        var pod = SampleObjects.object("{\"spec\":{\"overhead\":{\"cpu\":" + given + "}}}");

        assertThat(SchemaFieldCheck.check(POD, pod).object())
                .isEqualTo(
                        SampleObjects.object("{\"spec\":{\"overhead\":{\"cpu\":" + usual + "}}}"));
    }

    @ParameterizedTest
    @CsvSource({"YQ==, true", "YQ, false", "Y?==, false", "'', true", "====, false"})
    void bytesAreBase64(String text, boolean right) {
        var secret = SCHEMAS.kind("", "v1", "Secret").orElseThrow();
        var object = JsonObject.of("data", JsonObject.of("a", Json.of(text)));

        assertThat(SchemaFieldCheck.check(secret, object).error().isEmpty()).isEqualTo(right);
    }

    @Test
    void aHundredUnknownFieldsAreReportedAtMost() {
        var members = new LinkedHashMap<String, Json>();
        for (var i = 0; i < 1000; i++) {
            members.put("field" + i, Json.of(i));
        }

        var checked = SchemaFieldCheck.check(POD, new JsonObject(members));

        assertThat(checked.unknown()).hasSize(100);
        assertThat(checked.object()).isEqualTo(JsonObject.EMPTY);
    }

    @Test
    void randomTreesDoNotThrow() {
        var kinds = List.copyOf(SCHEMAS.all());
        for (var seed = 0; seed < 3000; seed++) {
            var random = new Random(seed);
            var struct = kinds.get(random.nextInt(kinds.size()));
            var tree = (JsonObject) mixed(struct, random, 0);

            var once = SchemaFieldCheck.check(struct, tree);
            var twice = SchemaFieldCheck.check(struct, once.object());

            assertThat(twice.unknown()).as("seed %s", seed).isEmpty();
            assertThat(twice.object()).as("seed %s", seed).isEqualTo(once.object());
        }
    }

    /// An object with some fields of the type and some unknown ones.
    private static Json mixed(SchemaType type, Random random, int depth) {
        if (depth > 0 && (random.nextInt(12) == 0 || depth > 9)) {
            return anything(random);
        }
        if (type instanceof Struct struct) {
            var members = new LinkedHashMap<String, Json>();
            for (var field : struct.fields().all()) {
                if (random.nextInt(3) == 0) {
                    members.put(field.name(), mixed(field.type(), random, depth + 1));
                }
            }
            if (random.nextInt(8) == 0) {
                members.put("odd", anything(random));
            }
            return new JsonObject(members);
        }
        if (type instanceof SchemaType.ListOf list) {
            var items = new ArrayList<Json>();
            for (var i = random.nextInt(3); i > 0; i--) {
                items.add(mixed(list.item(), random, depth + 1));
            }
            return new JsonArray(items);
        }
        return type instanceof SchemaType.MapOf map
                ? JsonObject.of("k", mixed(map.value(), random, depth + 1))
                : anything(random);
    }

    private static Json anything(Random random) {
        return switch (random.nextInt(9)) {
            case 0 -> JsonNull.INSTANCE;
            case 1 -> Json.of(random.nextBoolean());
            case 2 -> new JsonNumber("1e999999999");
            case 3 -> Json.of(random.nextLong());
            case 4 -> Json.of("2026-13-45T99:00:00Z");
            case 5 -> Json.of("10Gi");
            case 6 -> JsonArray.EMPTY;
            case 7 -> JsonObject.of("x", JsonNull.INSTANCE);
            default -> Json.of("");
        };
    }
}
