package dev.berth.model.codec;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.model.api.claim.ResourceClaimStatus;
import dev.berth.model.json.JsonObject;
import dev.berth.model.json.JsonReader;
import dev.berth.model.json.JsonWriter;
import dev.berth.model.json.ParseResult;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

class RememberedReadingTest {

    private final Codec codec = new Codec();

    @Test
    void objectVersionsWithASharedSpecShareTheDecodedRecord() {
        var first =
                tree(
                        "{\"metadata\":{\"name\":\"a\",\"uid\":\"1\"},"
                                + "\"spec\":{\"driver\":\"d\",\"nodeName\":\"n\"}}");
        var second = first.with("metadata", tree("{\"name\":\"a\",\"uid\":\"2\"}"));
        var one =
                codec.readTree(Kinds.RESOURCE_SLICE, first, UnknownFieldPolicy.STRICT)
                        .value()
                        .get();
        var other =
                codec.readTree(Kinds.RESOURCE_SLICE, second, UnknownFieldPolicy.STRICT)
                        .value()
                        .get();
        assertThat(other.spec()).isSameAs(one.spec());
        assertThat(other.metadata().uid().value()).isEqualTo("2");
    }

    @Test
    void problemsOfASharedPartAreReportedEachTime() {
        var tree = tree("{\"spec\":{\"driver\":\"d\",\"foo\":1}}");
        for (var i = 0; i < 2; i++) {
            assertThat(codec.readTree(Kinds.RESOURCE_SLICE, tree, UnknownFieldPolicy.STRICT))
                    .isInstanceOf(Decoded.Refused.class);
        }
    }

    @Test
    void unchangedPartsAreEncodedAsTheSameTree() {
        var tree = claim("1000m");
        var claim =
                codec.readTree(Kinds.RESOURCE_CLAIM, tree, UnknownFieldPolicy.STRICT).value().get();
        var changed = claim.withStatus(ResourceClaimStatus.EMPTY);

        var similar = codec.toSimilarTree(Kinds.RESOURCE_CLAIM, changed);

        assertThat(similar.object("spec")).containsSame(tree.objectOrEmpty("spec"));
        assertThat(similar.text("kind")).isEqualTo("ResourceClaim");
        assertThat(codec.toTree(Kinds.RESOURCE_CLAIM, changed).object("spec"))
                .contains(claim("1").objectOrEmpty("spec"));
    }

    @Test
    void aRecordFromAnotherSourceIsEncodedNormally() {
        var text = JsonWriter.bytes(claim("1000m"));
        var claim =
                codec.readJson(Kinds.RESOURCE_CLAIM, "v1", text, UnknownFieldPolicy.STRICT)
                        .value()
                        .get();

        assertThat(codec.toSimilarTree(Kinds.RESOURCE_CLAIM, claim))
                .isEqualTo(codec.toTree(Kinds.RESOURCE_CLAIM, claim));
    }

    private static JsonObject claim(String amount) {
        return tree(
                """
                {"apiVersion": "resource.k8s.io/v1", "kind": "ResourceClaim",
                 "metadata": {"name": "c", "namespace": "n"},
                 "spec": {"devices": {"requests": [{"name": "r", "exactly": {
                   "deviceClassName": "gpu", "allocationMode": "ExactCount", "count": 1,
                   "capacity": {"requests": {"memory": "%s"}}}}]}}}
                """
                        .formatted(amount));
    }

    private static JsonObject tree(String text) {
        return JsonReader.read(text.getBytes(StandardCharsets.UTF_8))
                        instanceof ParseResult.Documents(var documents)
                ? (JsonObject) documents.getFirst().root()
                : JsonObject.EMPTY;
    }
}
