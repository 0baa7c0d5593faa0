package dev.berth.core.plan;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.core.place.PlacementRequest;
import dev.berth.core.snapshot.ClusterContext;
import dev.berth.core.snapshot.ClusterUsage;
import dev.berth.model.api.claim.ResourceClaim;
import dev.berth.model.api.meta.KubernetesObject;
import dev.berth.model.api.pod.Pod;
import dev.berth.model.api.pod.ResourceQuota;
import dev.berth.model.codec.Codec;
import dev.berth.model.codec.UnknownFieldPolicy;
import dev.berth.model.json.YamlReader;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class PlanQuotasTest {

    private static final String TWO_DEVICES =
            "{gpu.deviceclass.resource.k8s.io/devices: 2, pods: 3}";

    @Test
    void podsBeyondTheQuotaAreRefusedWithTheMessageOfTheServer() {
        var quotas = PlanQuotas.of(input(quota("{pods: 2}"), bound("a"), List.of()));
        assertThat(quotas.charge(pod("b", ""))).isEmpty();
        assertThat(quotas.charge(pod("c", "")))
                .contains(
                        "pods \"c\" is forbidden: exceeded quota: limits, requested: pods=1, used:"
                                + " pods=2, limited: pods=2");
    }

    @Test
    void podsThatExistAreNotChargedAgain() {
        var quotas = PlanQuotas.of(input(quota("{pods: 1}"), bound("a"), List.of()));
        assertThat(quotas.charge(bound("a"))).isEmpty();
    }

    @Test
    void podsOfOtherNamespacesAreFree() {
        var quotas = PlanQuotas.of(input(quota("{pods: 0}"), bound("a"), List.of()));
        var elsewhere =
                (Pod)
                        read(
                                "{apiVersion: v1, kind: Pod, metadata: {namespace: other, name: x},"
                                        + " spec: {containers: [{name: c}]}}");
        assertThat(quotas.charge(elsewhere)).isEmpty();
    }

    @Test
    void requestsAndLimitsAreCharged() {
        var quotas =
                PlanQuotas.of(
                        input(
                                quota("{requests.cpu: 3, limits.memory: 1Gi}"),
                                bound("a"),
                                List.of()));
        assertThat(quotas.charge(pod("b", "requests: {cpu: 2}, limits: {memory: 1Gi}"))).isEmpty();
        assertThat(quotas.charge(pod("c", "requests: {cpu: 2}, limits: {memory: 1Mi}")))
                .contains(
                        "pods \"c\" is forbidden: exceeded quota: limits, requested:"
                                + " limits.memory=1Mi,requests.cpu=2, used:"
                                + " limits.memory=1Gi,requests.cpu=2, limited:"
                                + " limits.memory=1Gi,requests.cpu=3");
    }

    @Test
    void podsThatDoNotSpecifyALimitedAmountAreRefused() {
        var quotas = PlanQuotas.of(input(quota("{requests.cpu: 3}"), bound("a"), List.of()));
        assertThat(quotas.charge(pod("b", "")))
                .contains(
                        "pods \"b\" is forbidden: failed quota: limits: must specify requests.cpu"
                                + " for: c");
    }

    @Test
    void claimsBeyondTheQuotaAreRefused() {
        var quotas = PlanQuotas.of(input(quota(TWO_DEVICES), bound("a"), List.of(claim("old", 1))));
        assertThat(charge(quotas, claim("one", 1))).isEmpty();
        assertThat(charge(quotas, claim("two", 1)))
                .contains(
                        "resourceclaims.resource.k8s.io \"two\" is forbidden: exceeded quota:"
                                + " limits, requested: gpu.deviceclass.resource.k8s.io/devices=1,"
                                + " used: gpu.deviceclass.resource.k8s.io/devices=2, limited:"
                                + " gpu.deviceclass.resource.k8s.io/devices=2");
    }

    @Test
    void claimsThatExistAreNotChargedAgain() {
        var quotas = PlanQuotas.of(input(quota(TWO_DEVICES), bound("a"), List.of(claim("old", 2))));
        assertThat(charge(quotas, claim("old", 2))).isEmpty();
    }

    @Test
    void quotasWithScopesAreNoted() {
        var scoped =
                (ResourceQuota)
                        read(
                                "{apiVersion: v1, kind: ResourceQuota, metadata: {namespace: ml,"
                                        + " name: limits}, spec: {hard: {pods: 0}, scopes:"
                                        + " [BestEffort]}}");
        var quotas = PlanQuotas.of(input(scoped, bound("a"), List.of()));
        assertThat(quotas.charge(pod("b", ""))).isEmpty();
        assertThat(quotas.notes())
                .containsExactly(
                        "ResourceQuota ml/limits is not considered, because it has scopes");
    }

    private static Optional<String> charge(PlanQuotas quotas, ResourceClaim claim) {
        return quotas.chargeClaims(
                new PlacementRequest(pod("p", ""), List.of(), List.of(claim)), ClusterUsage.NONE);
    }

    private static PlanInput input(ResourceQuota quota, Pod pod, List<ResourceClaim> claims) {
        return new PlanInput(
                List.of(),
                List.of(),
                List.of(),
                List.of(),
                claims,
                List.of(),
                List.of(pod),
                List.of(),
                ClusterContext.UNKNOWN,
                List.of(quota),
                List.of());
    }

    private static ResourceQuota quota(String hard) {
        return (ResourceQuota)
                read(
                        "{apiVersion: v1, kind: ResourceQuota, metadata: {namespace: ml, name:"
                                + " limits}, spec: {hard: %s}}".formatted(hard));
    }

    private static Pod bound(String name) {
        return (Pod)
                read(
                        "{apiVersion: v1, kind: Pod, metadata: {namespace: ml, name: %s, uid: %s},"
                                        .formatted(name, name)
                                + " spec: {nodeName: node-1, containers: [{name: c}]}}");
    }

    private static Pod pod(String name, String resources) {
        return (Pod)
                read(
                        "{apiVersion: v1, kind: Pod, metadata: {namespace: ml, name: %s}, spec:"
                                        .formatted(name)
                                + " {containers: [{name: c, resources: {%s}}]}}"
                                        .formatted(resources));
    }

    private static ResourceClaim claim(String name, int devices) {
        return (ResourceClaim)
                read(
                        """
                        apiVersion: resource.k8s.io/v1
                        kind: ResourceClaim
                        metadata: {namespace: ml, name: %s}
                        spec: {devices: {requests: [{name: r, exactly: {deviceClassName: gpu,
                          allocationMode: ExactCount, count: %d}}]}}
                        """
                                .formatted(name, devices));
    }

    private static KubernetesObject read(String yaml) {
        return new Codec()
                .readTree(YamlReader.read(yaml).object().orElseThrow(), UnknownFieldPolicy.STRICT)
                .orThrow();
    }
}
