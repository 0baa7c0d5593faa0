package dev.berth.core.schedule;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.model.api.claim.ConsumerReference;
import dev.berth.model.api.meta.ObjectRef;
import dev.berth.model.api.meta.Uid;
import dev.berth.model.api.pod.Pod;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class PodGroupsTest {

    private static final ConsumerReference GROUP = ConsumerReference.podGroup("g", new Uid("g-1"));
    private static final ObjectRef CLAIM = new ObjectRef("default", "shared");
    private static final String IN_GROUP = "schedulingGroup: {podGroupName: g}";
    private static final String ALLOCATION =
            """
            allocation: {devices: {results: [
              {request: r, driver: gpu.example.com, pool: a, device: gpu-0}]},
              nodeSelector: {nodeSelectorTerms: [
                {matchFields: [{key: metadata.name, operator: In, values: [%s]}]}]}}
            """;

    private static DecisionFixture fixture() {
        return DecisionFixture.of(
                "{apiVersion: v1, kind: Node, metadata: {name: a}}",
                """
                {apiVersion: resource.k8s.io/v1, kind: DeviceClass, metadata: {name: gpu}, spec: {}}
                """,
                """
                {apiVersion: resource.k8s.io/v1, kind: ResourceSlice, metadata: {name: a}, spec: {
                  driver: gpu.example.com, nodeName: a, devices: [{name: gpu-0}],
                  pool: {name: a, generation: 1, resourceSliceCount: 1}}}
                """);
    }

    private static String group(String claims) {
        return """
        {apiVersion: scheduling.k8s.io/v1beta1, kind: PodGroup,
         metadata: {namespace: default, name: g, uid: g-1},
         spec: {resourceClaims: [%s]}}
        """
                .formatted(claims);
    }

    private static String claim(String status) {
        return """
        {apiVersion: resource.k8s.io/v1, kind: ResourceClaim,
         metadata: {namespace: default, name: shared, uid: claim-1},
         spec: {devices: {requests: [{name: r, exactly: {
                   deviceClassName: gpu, allocationMode: ExactCount, count: 1}}]}},
         status: {%s}}
        """
                .formatted(status);
    }

    private static String reserved(String resource, String name, String uid) {
        return "{resource: %s, name: %s, uid: %s}".formatted(resource, name, uid);
    }

    private static Pod pod(String name, String spec) {
        return DecisionFixture.pod(
                """
                {apiVersion: v1, kind: Pod, metadata: {namespace: default, name: %s, uid: %s-1},
                 spec: {containers: [{name: c}],
                   resourceClaims: [{name: c, resourceClaimName: shared}], %s}}
                """
                        .formatted(name, name, spec));
    }

    @Test
    void anEntryOfTheGroupIsReservedForTheGroup() {
        var fixture = fixture().add(claim("")).add(group("{name: c, resourceClaimName: shared}"));

        var first = fixture.place(pod("p", IN_GROUP));
        assertThat(first.request().consumer(CLAIM)).isEqualTo(GROUP);
        // The next pod uses the devices that are assumed for the first.
        var next = fixture.place(pod("q", IN_GROUP));
        assertThat(next.fits().allocations()).isEmpty();
        assertThat(fixture.snapshot().usage().claim(CLAIM).orElseThrow().status().reservedFor())
                .containsExactly(GROUP);
    }

    @Test
    void anEntryWithAnotherNameInTheGroupIsReservedForThePod() {
        var fixture =
                fixture().add(claim("")).add(group("{name: other, resourceClaimName: shared}"));

        var placed = fixture.place(pod("p", IN_GROUP));
        assertThat(placed.request().consumer(CLAIM))
                .isEqualTo(ConsumerReference.pod("p", new Uid("p-1")));
    }

    @Test
    void aPodWaitsForItsPodGroup() {
        var fixture = fixture().add(claim(""));

        assertThat(fixture.decide(pod("p", IN_GROUP)))
                .isEqualTo(
                        new SchedulingDecision.Blocked(
                                "pod \"default/p\": PodGroup \"g\" not created yet"));
    }

    @Test
    void aFullyReservedClaimAdmitsPodsOfAReservedGroup() {
        var pods =
                IntStream.range(1, 256)
                        .mapToObj(i -> reserved("pods", "p" + i, "u" + i))
                        .collect(Collectors.joining(", "));
        var users = "reservedFor: [%s, %s], ".formatted(pods, reserved("podgroups", "g", "g-1"));
        var fixture =
                fixture()
                        .add(claim(users + ALLOCATION.formatted("a")))
                        .add(group("{name: c, resourceClaimName: shared}"));

        assertThat(fixture.decide(pod("p", IN_GROUP)))
                .isInstanceOf(SchedulingDecision.Placed.class);
        assertThat(fixture.decide(pod("stranger", "")))
                .isInstanceOf(SchedulingDecision.Unschedulable.class);
    }

    @Test
    void anUnavailableClaimIsIdleUntilAPodOfTheGroupIsOnANode() {
        var users = "reservedFor: [%s], ".formatted(reserved("podgroups", "g", "g-1"));
        var fixture =
                fixture()
                        .add(claim(users + ALLOCATION.formatted("gone")))
                        .add(group("{name: c, resourceClaimName: shared}"));

        var unplaced = (SchedulingDecision.Unschedulable) fixture.decide(pod("p", IN_GROUP));
        assertThat(unplaced.idle()).extracting(idle -> idle.ref()).containsExactly(CLAIM);

        fixture.add(
                """
                {apiVersion: v1, kind: Pod, metadata: {namespace: default, name: q, uid: q-1},
                 spec: {nodeName: gone, containers: [{name: c}], %s}}
                """
                        .formatted(IN_GROUP));
        var other = (SchedulingDecision.Unschedulable) fixture.decide(pod("p", IN_GROUP));
        assertThat(other.idle()).isEmpty();
    }
}
