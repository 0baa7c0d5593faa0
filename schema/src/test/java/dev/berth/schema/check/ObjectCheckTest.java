package dev.berth.schema.check;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.model.codec.Codec;
import dev.berth.model.codec.Kinds;
import dev.berth.model.codec.UnknownFieldPolicy;
import dev.berth.model.codec.record.DecodingProblem;
import dev.berth.model.json.JsonObject;
import dev.berth.model.json.ParseResult;
import dev.berth.model.json.YamlReader;
import org.junit.jupiter.api.Test;

class ObjectCheckTest {

    private final Codec codec = new Codec();
    private final ObjectCheck check = new ObjectCheck(codec);

    @Test
    void checkingDistinguishesEmptyFromAbsent() {
        var slice = tree("{spec: {devices: [], sharedCounters: null}}");
        var checked = check.check(Kinds.RESOURCE_SLICE, "v1", slice);
        assertThat(checked.object().objectOrEmpty("spec")).isEqualTo(tree("{devices: []}"));
        assertThat(checked.isUsable()).isTrue();
    }

    @Test
    void invalidObjectsAreCanonicalisedNotRejected() {
        var claim =
                tree(
                        """
                        metadata: {name: c, foo: 1}
                        spec:
                          devices:
                            requests:
                            - name: a
                              deviceClassName: c
                              firstAvailable: [{name: b, capacity: {requests: {m: 1024Mi}}}]
                        """);
        var checked = check.check(Kinds.RESOURCE_CLAIM, "v1beta1", claim);
        assertThat(checked.problems())
                .extracting(DecodingProblem::message)
                .containsExactly("unknown field \"metadata.foo\"");
        assertThat(checked.object())
                .isEqualTo(
                        tree(
                                """
                                apiVersion: resource.k8s.io/v1
                                kind: ResourceClaim
                                metadata: {name: c}
                                spec:
                                  devices:
                                    requests:
                                    - name: a
                                      exactly: {deviceClassName: c}
                                      firstAvailable:
                                      - {name: b, capacity: {requests: {m: 1Gi}}}
                                """));
    }

    @Test
    void aDecodedObjectIsStillCanonicalised() {
        var claim =
                tree(
                        """
                        apiVersion: resource.k8s.io/v1
                        kind: ResourceClaim
                        spec:
                          devices:
                            requests:
                            - name: a
                              exactly: {capacity: {requests: {m: 1000m}}}
                        """);
        codec.readTree(Kinds.RESOURCE_CLAIM, claim, UnknownFieldPolicy.STRICT);

        for (var i = 0; i < 2; i++) {
            var checked = check.check(Kinds.RESOURCE_CLAIM, "v1", claim);
            assertThat(checked.problems()).isEmpty();
            assertThat(checked.object().toString()).contains("1").doesNotContain("1000m");
        }
    }

    private static JsonObject tree(String yaml) {
        return switch (YamlReader.read(yaml)) {
            case ParseResult.Documents(var documents) -> (JsonObject) documents.getFirst().root();
            case ParseResult.Malformed malformed -> throw new AssertionError(malformed);
        };
    }
}
