package dev.berth.core.explain;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.core.schedule.ClaimInspection;
import dev.berth.core.snapshot.ClusterContext;
import dev.berth.model.api.claim.ResourceClaim;
import dev.berth.model.api.meta.KubernetesObject;
import dev.berth.model.api.meta.ObjectRef;
import dev.berth.model.api.pod.Pod;
import dev.berth.model.codec.Codec;
import dev.berth.model.codec.UnknownFieldPolicy;
import dev.berth.model.json.JsonObject;
import dev.berth.model.json.ParseResult;
import dev.berth.model.json.YamlReader;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/// Claims of explained pods.
class ClusterObjectsTest {

    private static final String SHARED = "{name: a, resourceClaimName: shared}";

    @Test
    void aMissingTemplateIsReported() {
        assertThat(lookUp("{name: a, resourceClaimTemplateName: none}", ""))
                .isInstanceOfSatisfying(
                        ClusterObjects.Lookup.Blocked.class,
                        blocked ->
                                assertThat(blocked.blockers().getFirst().sentence())
                                        .isEqualTo(
                                                "Pod pod, spec.resourceClaims[a]"
                                                        + ".resourceClaimTemplateName:"
                                                        + " ResourceClaimTemplate default/none does"
                                                        + " not exist"));
    }

    @Test
    void aPendingPodCannotUseAClaimThatIsBeingDeleted() {
        assertThat(lookUp(SHARED, "deletionTimestamp: '2026-07-01T12:00:00Z'"))
                .isInstanceOfSatisfying(
                        ClusterObjects.Lookup.Blocked.class,
                        blocked -> {
                            assertThat(blocked.reason())
                                    .isEqualTo("resourceclaim \"shared\" is being deleted");
                            assertThat(blocked.blockers().getFirst().sentence())
                                    .startsWith(
                                            "ResourceClaim shared, metadata.deletionTimestamp:"
                                                    + " it is being deleted");
                        });
    }

    @Test
    void aClaimOfTwoEntriesIsExplainedOnce() {
        assertThat(lookUp(SHARED + ", {name: b, resourceClaimName: shared}", ""))
                .isInstanceOfSatisfying(
                        ClusterObjects.Lookup.Found.class,
                        found -> assertThat(found.inputs().claims()).hasSize(1));
    }

    private static ClusterObjects.Lookup lookUp(String entries, String claimMetadata) {
        var pod =
                (Pod)
                        read(
                                """
                                {apiVersion: v1, kind: Pod,
                                 metadata: {namespace: default, name: pod},
                                 spec: {containers: [{name: c}], resourceClaims: [%s]}}
                                """
                                        .formatted(entries));
        var claim =
                (ResourceClaim)
                        read(
                                """
                                {apiVersion: resource.k8s.io/v1, kind: ResourceClaim,
                                 metadata: {namespace: default, name: shared, %s}, spec: {}}
                                """
                                        .formatted(claimMetadata));
        var cluster =
                new ClusterObjects(
                        List.of(),
                        List.of(),
                        List.of(),
                        List.of(),
                        List.of(claim),
                        List.of(),
                        List.of(pod),
                        ClusterContext.UNKNOWN);
        var options =
                new ExplainOptions(
                        Set.of(), ClaimInspection.DEFAULT_BINDING_TIMEOUT, Instant.EPOCH);
        return cluster.ofPod(options, new ObjectRef("default", "pod"));
    }

    private static KubernetesObject read(String yaml) {
        if (!(YamlReader.read(yaml) instanceof ParseResult.Documents(var documents))) {
            throw new IllegalArgumentException(yaml);
        }
        var tree = (JsonObject) documents.getFirst().root();
        return new Codec().readTree(tree, UnknownFieldPolicy.STRICT).orThrow();
    }
}
