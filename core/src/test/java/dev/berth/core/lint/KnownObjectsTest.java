package dev.berth.core.lint;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.core.lint.KnownObjects.ReferencedKind;
import dev.berth.model.json.FieldPath;
import dev.berth.model.json.JsonObject;
import dev.berth.model.json.ParseResult;
import dev.berth.model.json.YamlReader;
import java.util.List;
import org.junit.jupiter.api.Test;

/// References are mistakes only when all objects of their kind are known.
class KnownObjectsTest {

    private static final JsonObject POD =
            tree(
                    """
                    resourceClaims: [{name: gpu, resourceClaimName: training}]
                    containers:
                    - name: main
                      resources:
                        claims: [{name: gpu, request: gpu}]
                        limits: {cpu: 1, hugepages-2Mi: 4Mi, example.com/gpu: 1, x.kubernetes.io/y: 1}
                    """);
    private static final JsonObject CLAIM =
            tree("devices: {requests: [{name: a, exactly: {deviceClassName: large}}]}");

    private final KnownObjects known = new KnownObjects();

    @Test
    void incompleteKnowledgeFindsNothing() {
        known.add(tree("{kind: DeviceClass, metadata: {name: small}}"), "default");
        known.markComplete(ReferencedKind.NODE);
        known.markComplete(ReferencedKind.CLAIM, "other");
        assertThat(inPod()).isEmpty();
        assertThat(inClaim()).isEmpty();
    }

    @Test
    void completeKnowledgeFindsMissingObjects() {
        known.add(tree("{kind: DeviceClass, metadata: {name: small}}"), "default");
        for (var kind : ReferencedKind.values()) {
            known.markComplete(kind);
        }
        assertThat(inPod())
                .containsExactly(
                        "there is no ResourceClaim training in namespace default",
                        "no DeviceClass serves example.com/gpu and no node offers it");
        assertThat(inClaim()).containsExactly("there is no DeviceClass large; classes: small");
    }

    @Test
    void resourcesOfNodesAndClassesAreServed() {
        for (var kind : List.of(ReferencedKind.NODE, ReferencedKind.DEVICE_CLASS)) {
            known.markComplete(kind);
        }
        known.add(
                tree(
                        "{kind: Node, metadata: {name: n}, status: {allocatable: {example.com/gpu:"
                            + " 1}}}"),
                "");
        assertThat(inPod()).isEmpty();
    }

    @Test
    void requestsAreComparedWithAnyKnownClaim() {
        known.add(
                tree(
                        """
                        kind: ResourceClaim
                        metadata: {name: training}
                        spec: {devices: {requests: [{name: device}]}}
                        """),
                "default");
        assertThat(inPod())
                .containsExactly("ResourceClaim training has no request gpu; requests: device");
    }

    private List<String> inPod() {
        return new ReferenceChecks(known)
                .inPod(POD, FieldPath.of("spec"), "default").stream()
                        .map(ManifestFinding::text)
                        .toList();
    }

    private List<String> inClaim() {
        return new ReferenceChecks(known)
                .inClaim(CLAIM, FieldPath.of("spec")).stream().map(ManifestFinding::text).toList();
    }

    private static JsonObject tree(String yaml) {
        return YamlReader.read(yaml) instanceof ParseResult.Documents(var documents)
                        && documents.getFirst().root() instanceof JsonObject object
                ? object
                : JsonObject.EMPTY;
    }
}
