package dev.berth.core.plan;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.core.place.PreFilterResult;
import dev.berth.core.snapshot.ClusterUsage;
import dev.berth.model.api.claim.ResourceClaim;
import dev.berth.model.api.meta.KubernetesObject;
import dev.berth.model.api.pod.Pod;
import dev.berth.model.codec.Codec;
import dev.berth.model.codec.UnknownFieldPolicy;
import dev.berth.model.json.JsonObject;
import dev.berth.model.json.ParseResult;
import dev.berth.model.json.YamlReader;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class PlanPreFilterTest {

    @Test
    void schedulingGatesBlockAPod() {
        assertThat(resolve(pod("schedulingGates: [{name: example.com/wait}]"), claim("gpu", "")))
                .isEqualTo(
                        new PreFilterResult.Blocked(
                                "Scheduling is blocked due to non-empty scheduling gates"
                                        + " [example.com/wait]"));
    }

    @Test
    void aMissingClaimBlocksAPod() {
        assertThat(resolve(pod("")))
                .isEqualTo(
                        new PreFilterResult.Blocked(
                                "could not find ResourceClaim \"default/shared\""));
    }

    @Test
    void aMissingDeviceClassBlocksAPod() {
        assertThat(resolve(pod(""), claim("gpus", "")))
                .isEqualTo(
                        new PreFilterResult.Blocked("request r: device class gpus does not exist"));
    }

    @Test
    void theClassOfAnAllocatedClaimMayBeMissing() {
        assertThat(resolve(pod(""), claim("gpus", allocated(1, "user"))))
                .isInstanceOf(PreFilterResult.Ready.class);
    }

    @Test
    void aFullyReservedClaimAdmitsItsConsumersOnly() {
        assertThat(resolve(pod(""), claim("gpu", allocated(256, "user"))))
                .isEqualTo(
                        new PreFilterResult.Blocked(
                                "resourceclaim default/shared is in use by 256 pods, which is the"
                                        + " maximum"));
        // Pods of manifests have no UIDs.
        assertThat(resolve(pod(""), claim("gpu", allocated(256, "pod"))))
                .isInstanceOf(PreFilterResult.Ready.class);
        assertThat(resolve(pod(""), claim("gpu", allocated(255, "user"))))
                .isInstanceOf(PreFilterResult.Ready.class);
    }

    private static PreFilterResult resolve(Pod pod, ResourceClaim... claims) {
        return new PlanPreFilter(List.of(), Set.of("gpu"))
                .resolve(pod, ClusterUsage.of(List.of(), List.of(claims)));
    }

    private static Pod pod(String spec) {
        return (Pod)
                read(
                        """
                        {apiVersion: v1, kind: Pod, metadata: {namespace: default, name: pod-0},
                         spec: {containers: [{name: c}],
                           resourceClaims: [{name: gpu, resourceClaimName: shared}], %s}}
                        """
                                .formatted(spec));
    }

    private static ResourceClaim claim(String deviceClass, String status) {
        return (ResourceClaim)
                read(
                        """
                        {apiVersion: resource.k8s.io/v1, kind: ResourceClaim,
                         metadata: {namespace: default, name: shared},
                         spec: {devices: {requests: [{name: r, exactly: {deviceClassName: %s}}]}},
                         status: {%s}}
                        """
                                .formatted(deviceClass, status));
    }

    private static String allocated(int users, String prefix) {
        var reservations =
                IntStream.range(0, users)
                        .mapToObj(i ->
                                "{resource: pods, name: %s-%d, uid: u-%d}".formatted(prefix, i, i))
                        .collect(Collectors.joining(", "));
        return "allocation: {devices: {results: []}}, reservedFor: [%s]".formatted(reservations);
    }

    private static KubernetesObject read(String yaml) {
        if (!(YamlReader.read(yaml) instanceof ParseResult.Documents(var documents))) {
            throw new IllegalArgumentException(yaml);
        }
        var tree = (JsonObject) documents.getFirst().root();
        return new Codec().readTree(tree, UnknownFieldPolicy.STRICT).orThrow();
    }
}
