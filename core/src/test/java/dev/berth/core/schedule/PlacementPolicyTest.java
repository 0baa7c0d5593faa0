package dev.berth.core.schedule;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.core.place.PlacementPolicy;
import dev.berth.model.api.pod.Pod;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// Device policies and the criteria that come before them.
class PlacementPolicyTest {

    private static final String AVOIDED = ", taints: [{key: k, effect: PreferNoSchedule}]";
    private static final String NO_DEVICES = "";
    private static final String LIKES_B =
            """
            , affinity: {nodeAffinity: {preferredDuringSchedulingIgnoredDuringExecution: [
               {weight: 5, preference: {matchExpressions: [
                 {key: host, operator: In, values: [b]}]}}]}}
            """;

    private static String node(String name, String more) {
        return """
        {apiVersion: v1, kind: Node, metadata: {name: %1$s, labels: {host: %1$s}},
         spec: {unschedulable: false%2$s},
         status: {allocatable: {cpu: 8, memory: 8Gi, pods: 10}}}
        """
                .formatted(name, more);
    }

    private static String slice(String node, String kind, int devices) {
        var names =
                IntStream.range(0, devices)
                        .mapToObj("{name: d-%d}"::formatted)
                        .collect(Collectors.joining(", "));
        return """
        {apiVersion: resource.k8s.io/v1, kind: ResourceSlice, metadata: {name: %1$s-%2$s}, spec: {
          driver: %2$s.example.com, nodeName: %1$s, devices: [%3$s],
          pool: {name: %1$s, generation: 1, resourceSliceCount: 1}}}
        """
                .formatted(node, kind, names);
    }

    private static String deviceClass(String kind) {
        return """
        {apiVersion: resource.k8s.io/v1, kind: DeviceClass, metadata: {name: %1$s},
         spec: {selectors: [{cel: {expression: 'device.driver == "%1$s.example.com"'}}]}}
        """
                .formatted(kind);
    }

    private static String claim(String request) {
        return """
        {apiVersion: resource.k8s.io/v1, kind: ResourceClaim,
         metadata: {namespace: default, name: claim, uid: claim-1},
         spec: {devices: {requests: [%s]}}}
        """
                .formatted(request);
    }

    private static String one(String kind) {
        return "deviceClassName: %s, allocationMode: ExactCount, count: 1".formatted(kind);
    }

    private static String bigOrSmall() {
        return claim(
                "{name: r, firstAvailable: [{name: big, %s}, {name: small, %s}]}"
                        .formatted(one("big"), one("small")));
    }

    private static String big() {
        return claim("{name: r, exactly: {%s}}".formatted(one("big")));
    }

    private static Pod pod(String more) {
        return DecisionFixture.pod(
                """
                {apiVersion: v1, kind: Pod, metadata: {namespace: default, name: p, uid: p-1},
                 spec: {containers: [{name: c, image: i, resources: {requests: {cpu: 1}}}]%s}}
                """
                        .formatted(more));
    }

    private static String where(DecisionFixture fixture, String more) {
        return fixture.place(pod(more)).fits().node();
    }

    private static String withClaim(DecisionFixture fixture) {
        return where(fixture, ", resourceClaims: [{name: d, resourceClaimName: claim}]");
    }

    private static DecisionFixture fixture(String... documents) {
        return DecisionFixture.of(documents).add(deviceClass("big")).add(deviceClass("small"));
    }

    @Test
    void podsWithoutDevicesAreNotSpreadByFreeDevices() {
        var fixture =
                fixture(
                        node("a", ""),
                        node("b", ""),
                        slice("b", "big", 8),
                        """
                        {apiVersion: v1, kind: Pod,
                         metadata: {namespace: default, name: busy, uid: busy-1},
                         spec: {nodeName: b, containers: [
                           {name: c, image: i, resources: {requests: {cpu: 4, memory: 4Gi}}}]}}
                        """);

        assertThat(where(fixture.by(PlacementPolicy.SPREAD), NO_DEVICES)).isEqualTo("a");
    }

    @Test
    void podsWithoutDevicesAreNotPackedByFreeDevices() {
        var fixture = fixture(node("a", ""), node("b", ""), slice("b", "big", 8));

        assertThat(where(fixture.by(PlacementPolicy.PACK), LIKES_B)).isEqualTo("b");
    }

    @Test
    void theFirstAlternativeOutweighsPacking() {
        var fixture =
                fixture(
                        node("a", ""),
                        node("b", ""),
                        slice("a", "small", 1),
                        slice("b", "big", 8),
                        bigOrSmall());

        assertThat(withClaim(fixture.by(PlacementPolicy.PACK))).isEqualTo("b");
    }

    @Test
    void theFirstAlternativeOutweighsSpreading() {
        var fixture =
                fixture(
                        node("a", ""),
                        node("b", ""),
                        slice("a", "small", 8),
                        slice("b", "big", 1),
                        bigOrSmall());

        assertThat(withClaim(fixture.by(PlacementPolicy.SPREAD))).isEqualTo("b");
    }

    @Test
    void packingTakesTheNodeWithFewestFreeDevices() {
        assertThat(withClaim(uneven().by(PlacementPolicy.PACK))).isEqualTo("b");
    }

    @Test
    void spreadingTakesTheNodeWithMostFreeDevices() {
        assertThat(withClaim(uneven().by(PlacementPolicy.SPREAD))).isEqualTo("c");
    }

    private static DecisionFixture uneven() {
        return fixture(
                node("a", ""),
                node("b", ""),
                node("c", ""),
                slice("a", "big", 2),
                slice("b", "big", 1),
                slice("c", "big", 3),
                big());
    }

    @ParameterizedTest
    @MethodSource("dev.berth.core.place.PlacementPolicy#all")
    void tiesAreBrokenByTheNodeScore(PlacementPolicy policy) {
        var fixture =
                fixture(
                        node("a", AVOIDED),
                        node("b", ""),
                        slice("a", "big", 2),
                        slice("b", "big", 2),
                        big());

        assertThat(withClaim(fixture.by(policy))).isEqualTo("b");
    }
}
