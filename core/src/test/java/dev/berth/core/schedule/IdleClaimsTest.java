package dev.berth.core.schedule;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.model.api.claim.ResourceClaim;
import java.util.List;
import org.junit.jupiter.api.Test;

/// Claims that block their own pod and are not in use are deallocated.
class IdleClaimsTest {

    private static final String CLAIM =
            """
            {apiVersion: resource.k8s.io/v1, kind: ResourceClaim,
             metadata: {namespace: default, name: %s, uid: %s},
             spec: {devices: {requests: [{name: r, exactly: {
                       deviceClassName: gpu, allocationMode: ExactCount, count: 1}}]}},
             status: {%s allocation: {%s devices: {results: [
                 {request: r, driver: gpu.example.com, pool: p, device: %s}]}}}}
            """;

    private static final String ON_B =
            """
            nodeSelector: {nodeSelectorTerms: [
              {matchFields: [{key: metadata.name, operator: In, values: [b]}]}]},
            """;

    private static List<String> idle(String users) {
        var fixture =
                DecisionFixture.of(
                        "{apiVersion: v1, kind: Node, metadata: {name: a}}",
                        "{apiVersion: v1, kind: Node, metadata: {name: b},"
                                + " spec: {unschedulable: true}}",
                        CLAIM.formatted("anywhere", "c-1", "", "", "gpu-0"),
                        CLAIM.formatted("pinned", "c-2", users, ON_B, "gpu-1"));
        var pod =
                DecisionFixture.pod(
                        """
                        {apiVersion: v1, kind: Pod,
                         metadata: {namespace: default, name: p, uid: p-1},
                         spec: {containers: [{name: c, image: i}],
                           resourceClaims: [{name: w, resourceClaimName: anywhere},
                                            {name: x, resourceClaimName: pinned}]}}
                        """);
        var unplaced = (SchedulingDecision.Unschedulable) fixture.decide(pod);
        return unplaced.idle().stream().map(ResourceClaim::metadata).map(m -> m.name()).toList();
    }

    @Test
    void onlyClaimsThatBlockThePodAreDeallocated() {
        assertThat(idle("")).containsExactly("pinned");
    }

    @Test
    void claimsInUseKeepTheirAllocation() {
        assertThat(idle("reservedFor: [{resource: pods, name: other, uid: o-1}],")).isEmpty();
    }
}
