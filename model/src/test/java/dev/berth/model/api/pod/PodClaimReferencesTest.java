package dev.berth.model.api.pod;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.model.api.meta.ObjectRef;
import dev.berth.model.api.pod.ExtendedResourceClaimStatus.RequestMapping;
import dev.berth.model.api.pod.PodClaimReferences.Resolution;
import dev.berth.model.codec.Codec;
import dev.berth.model.codec.Kinds;
import dev.berth.model.codec.UnknownFieldPolicy;
import dev.berth.model.json.JsonObject;
import dev.berth.model.json.ParseResult;
import dev.berth.model.json.YamlReader;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class PodClaimReferencesTest {

    private static final String DIRECT = "{name: gpu, resourceClaimName: shared}";
    private static final String TEMPLATE = "{name: gpu, resourceClaimTemplateName: one}";
    private static final String STATUS =
            "resourceClaimStatuses: [{name: nic, resourceClaimName: other},"
                    + " {name: gpu, resourceClaimName: pod-gpu-x}]";
    private static final String EXTENDED =
            """
            extendedResourceClaimStatus: {resourceClaimName: pod-extended,
              requestMappings: [{containerName: c, resourceName: a.b/gpu, requestName: r-0}]}
            """;

    @Test
    void anEntryWithAClaimNameMeansThatClaim() {
        assertThat(resolved(DIRECT, "")).isEqualTo(new Resolution.Named(ref("shared"), false));
        // A status does not change it.
        assertThat(resolved(DIRECT, STATUS)).isEqualTo(new Resolution.Named(ref("shared"), false));
    }

    @Test
    void anEntryWithATemplateMeansTheClaimInTheStatus() {
        assertThat(resolved(TEMPLATE, STATUS))
                .isEqualTo(new Resolution.Named(ref("pod-gpu-x"), true));
    }

    @Test
    void aTemplateWithoutStatusHasNoClaimYet() {
        assertThat(resolved(TEMPLATE, "")).isEqualTo(new Resolution.NotCreated(ref("one")));
        assertThat(
                        resolved(
                                TEMPLATE,
                                "resourceClaimStatuses: [{name: nic, resourceClaimName: other}]"))
                .isEqualTo(new Resolution.NotCreated(ref("one")));
    }

    @Test
    void aStatusWithoutNameMeansThatNoClaimIsNeeded() {
        assertThat(resolved(TEMPLATE, "resourceClaimStatuses: [{name: gpu}]"))
                .isEqualTo(new Resolution.NotNeeded());
    }

    @Test
    void anEntryWithoutAKnownSourceIsUnsupported() {
        assertThat(resolved("{name: gpu}", STATUS)).isEqualTo(new Resolution.Unsupported());
    }

    @Test
    void claimsAreFoundByTheNameOfTheEntry() {
        var pod = pod(DIRECT + ", {name: nic, resourceClaimTemplateName: t}, {name: new}", STATUS);

        assertThat(PodClaimReferences.find(pod, "gpu")).contains(ref("shared"));
        assertThat(PodClaimReferences.find(pod, "nic")).contains(ref("other"));
        assertThat(PodClaimReferences.find(pod, "new")).isEmpty();
        assertThat(PodClaimReferences.find(pod, "missing")).isEmpty();
    }

    @Test
    void twoEntriesWithOneClaimAreOneReference() {
        var pod = pod(DIRECT + ", {name: again, resourceClaimName: shared}", "");

        assertThat(PodClaimReferences.ofEntries(pod)).containsExactly(ref("shared"));
    }

    @Test
    void allClaimsIncludeTheClaimOfExtendedResources() {
        var entries = "{name: new, resourceClaimTemplateName: t}, " + DIRECT;
        var pod = pod(entries, EXTENDED);

        assertThat(PodClaimReferences.ofEntries(pod)).containsExactly(ref("shared"));
        assertThat(PodClaimReferences.all(pod)).containsExactly(ref("shared"), ref("pod-extended"));
        assertThat(PodClaimReferences.ofExtendedResources(pod)).contains(ref("pod-extended"));
        assertThat(PodClaimReferences.extendedResourceMappings(pod))
                .containsExactly(new RequestMapping("c", "a.b/gpu", "r-0"));
    }

    @Test
    void aPodWithoutClaimsHasNoReferences() {
        var pod = pod("", "");

        assertThat(PodClaimReferences.all(pod)).isEmpty();
        assertThat(PodClaimReferences.ofExtendedResources(pod)).isEqualTo(Optional.empty());
        assertThat(PodClaimReferences.extendedResourceMappings(pod)).isEmpty();
    }

    private static Resolution resolved(String entry, String status) {
        var pod = pod(entry, status);
        return PodClaimReferences.resolve(pod, pod.spec().resourceClaims().getFirst());
    }

    private static ObjectRef ref(String name) {
        return new ObjectRef("default", name);
    }

    private static Pod pod(String entries, String status) {
        var yaml =
                """
                {apiVersion: v1, kind: Pod, metadata: {namespace: default, name: pod},
                 spec: {containers: [{name: c}], resourceClaims: [%s]}, status: {%s}}
                """
                        .formatted(entries, status);
        if (!(YamlReader.read(yaml) instanceof ParseResult.Documents(var documents))) {
            throw new IllegalArgumentException(yaml);
        }
        var tree = (JsonObject) documents.getFirst().root();
        return new Codec().readTree(Kinds.POD, tree, UnknownFieldPolicy.STRICT).orThrow();
    }
}
