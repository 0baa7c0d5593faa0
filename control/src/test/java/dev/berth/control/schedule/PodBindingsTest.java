package dev.berth.control.schedule;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.core.place.NodeFit;
import dev.berth.core.place.PlacementRequest;
import dev.berth.core.schedule.BindingCycle;
import dev.berth.core.schedule.BindingStage;
import dev.berth.core.schedule.BindingWrites;
import dev.berth.core.schedule.SchedulingDecision;
import dev.berth.model.api.claim.ResourceClaim;
import dev.berth.model.api.meta.KubernetesObject;
import dev.berth.model.api.meta.ObjectRef;
import dev.berth.model.api.pod.Pod;
import dev.berth.model.codec.Codec;
import dev.berth.model.codec.Kind;
import dev.berth.model.codec.Kinds;
import dev.berth.model.codec.UnknownFieldPolicy;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

class PodBindingsTest {

    private static final ObjectRef CLAIM = new ObjectRef("ns", "c");

    private final PodBindings bindings = new PodBindings();

    private static <T extends KubernetesObject> T read(Kind<T> kind, String json) {
        return new Codec()
                .readJson(
                        kind,
                        "v1",
                        json.getBytes(StandardCharsets.UTF_8),
                        UnknownFieldPolicy.LENIENT)
                .orThrow();
    }

    private static Pod pod(String name) {
        return read(
                Kinds.POD,
                """
                {"metadata": {"namespace": "ns", "name": "%s", "uid": "%s-1"},
                 "spec": {"containers": []}}
                """
                        .formatted(name, name));
    }

    private static ResourceClaim claim(String device) {
        return read(
                Kinds.RESOURCE_CLAIM,
                """
                {"metadata": {"namespace": "ns", "name": "c", "uid": "c-1"}, "spec": {},
                 "status": {"allocation": {"devices": {"results": [
                   {"request": "r", "driver": "d", "pool": "p", "device": "%s"}]}}}}
                """
                        .formatted(device));
    }

    /// A binding that allocates a device to the claim.
    private static BindingCycle cycle(String pod, String device, BindingStage stage) {
        var claim = claim(device);
        var allocation =
                new NodeFit.ClaimAllocation(claim, claim.status().allocation().orElseThrow());
        var placed =
                new SchedulingDecision.Placed(
                        new PlacementRequest(pod(pod), List.of(), List.of(claim)),
                        new NodeFit.Fits(
                                "n", List.of(allocation), Map.of(), List.of(), Optional.empty()));
        return new BindingCycle(1, pod(pod), placed, 7, stage);
    }

    private static final BindingStage WAITING = new BindingStage.AwaitingWrite();

    @Test
    void theUsersOfAClaimAreInTheOrderOfDecisions() {
        bindings.put(cycle("b", "x", WAITING));
        bindings.put(cycle("a", "x", WAITING));
        bindings.put(cycle("b", "x", new BindingStage.Undoing("")));

        assertThat(bindings.usersOf(CLAIM)).extracting(ObjectRef::name).containsExactly("b", "a");
        assertThat(bindings.usersOf(new ObjectRef("ns", "other"))).isEmpty();
        assertThat(bindings.oldestSequence()).hasValue(7);
    }

    @Test
    void aBindingInAFinalStageIsRemoved() {
        bindings.put(cycle("a", "x", WAITING));
        bindings.put(cycle("a", "x", new BindingStage.Failed("")));

        assertThat(bindings.size()).isZero();
        assertThat(bindings.usersOf(CLAIM)).isEmpty();
        assertThat(bindings.oldestSequence()).isEmpty();
    }

    @Test
    void theStageDecidesWhichBindingsWriteClaimsAndAwaitVolumes() {
        bindings.put(
                cycle("a", "x", new BindingStage.WritingClaims(Set.of(CLAIM), BindingWrites.NONE)));
        assertThat(bindings.isBeingWritten(CLAIM)).isTrue();

        var volumes = new BindingStage.PendingVolumes(List.of(), Instant.EPOCH);
        bindings.put(
                cycle(
                        "a",
                        "x",
                        new BindingStage.WritingVolumes(
                                BindingWrites.NONE, Instant.EPOCH, volumes)));
        assertThat(bindings.isBeingWritten(CLAIM)).isFalse();
        assertThat(bindings.awaitingVolumes()).hasSize(1);

        bindings.put(cycle("a", "x", new BindingStage.Binding(BindingWrites.NONE)));
        assertThat(bindings.awaitingVolumesCount()).isZero();
    }

    @Test
    void theAllocationOfTheLastDecisionIsOwn() {
        assertThat(bindings.isOwnAllocation(claim("x"))).isFalse();
        bindings.put(cycle("a", "x", new BindingStage.Undoing("")));
        assertThat(bindings.isOwnAllocation(claim("x"))).isTrue();
        bindings.put(cycle("b", "y", WAITING));
        assertThat(bindings.isOwnAllocation(claim("x"))).isFalse();
        assertThat(bindings.isOwnAllocation(claim("y"))).isTrue();
    }
}
