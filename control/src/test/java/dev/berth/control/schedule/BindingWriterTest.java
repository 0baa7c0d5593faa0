package dev.berth.control.schedule;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.client.Request;
import dev.berth.core.place.NodeFit;
import dev.berth.core.place.PlacementRequest;
import dev.berth.core.schedule.SchedulingDecision;
import dev.berth.model.api.ConsumerReference;
import dev.berth.model.api.KubernetesObject;
import dev.berth.model.api.NodeAllocatableClaimStatus;
import dev.berth.model.api.ObjectRef;
import dev.berth.model.api.Pod;
import dev.berth.model.api.ResourceClaim;
import dev.berth.model.api.Uid;
import dev.berth.model.codec.Codec;
import dev.berth.model.codec.Kind;
import dev.berth.model.codec.Kinds;
import dev.berth.model.codec.UnknownFieldPolicy;
import dev.berth.model.json.JsonWriter;
import dev.berth.model.quantity.Quantity;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

class BindingWriterTest {

    private static final Codec CODEC = new Codec();
    private static final List<NodeAllocatableClaimStatus> TAKEN =
            List.of(
                    new NodeAllocatableClaimStatus(
                            "c",
                            List.of("a"),
                            List.of(new NodeAllocatableClaimStatus.Mapped("cpu", Quantity.of(2))),
                            List.of()));

    private final RecordingCluster requests = new RecordingCluster(CODEC.toTree(Kinds.POD, pod()));
    private final BindingWriter writer =
            new BindingWriter(
                    new ClaimWriter(requests, CODEC, TaskRunner.inline()),
                    new PodWriter(requests, CODEC),
                    new VolumeWriter(requests, TaskRunner.inline()));

    private static Pod pod() {
        return read(
                Kinds.POD,
                """
                {"metadata": {"namespace": "default", "name": "p", "uid": "1"},
                 "spec": {"containers": []}}
                """);
    }

    private static ResourceClaim claim() {
        return read(
                Kinds.RESOURCE_CLAIM,
                """
                {"metadata": {"namespace": "default", "name": "c", "uid": "2"}, "spec": {}}
                """);
    }

    private static <T extends KubernetesObject> T read(Kind<T> kind, String json) {
        return CODEC.readJson(
                        kind,
                        "v1",
                        json.getBytes(StandardCharsets.UTF_8),
                        UnknownFieldPolicy.LENIENT)
                .orThrow();
    }

    private static PodBinding binding(
            Map<ObjectRef, ConsumerReference> ofGroup, List<NodeAllocatableClaimStatus> taken) {
        var request = new PlacementRequest(pod(), List.of(claim()), List.of(), ofGroup);
        var fits = new NodeFit.Fits("a", List.of(), Map.of(), taken);
        return new PodBinding(
                pod(), new SchedulingDecision.Placed(request, fits, Optional.empty()), 0);
    }

    private void rollBack(Map<ObjectRef, ConsumerReference> ofGroup) {
        var binding = binding(ofGroup, List.of());
        writer.rollBack(binding, Set.of(), new HashMap<>(Map.of(claim().ref(), claim())));
    }

    @Test
    void rollBackRemovesTheReservationOfAPod() {
        rollBack(Map.of());

        assertThat(requests.sent()).hasSize(1);
    }

    @Test
    void rollBackKeepsTheReservationOfAGroup() {
        rollBack(Map.of(claim().ref(), ConsumerReference.podGroup("g", new Uid("3"))));

        assertThat(requests.sent()).isEmpty();
    }

    @Test
    void nodeAllocatableStatusIsWrittenBeforeBinding() {
        writer.bind(binding(Map.of(), TAKEN));

        assertThat(requests.sent()).hasSize(2);
        assertThat(said(requests.sent().getFirst()))
                .contains("\"resourceClaimName\":\"c\"", "\"name\":\"cpu\",\"quantity\":\"2\"");
        assertThat(requests.sent().getLast()).isInstanceOf(Request.Create.class);
    }

    @Test
    void rollBackClearsNodeAllocatableStatus() {
        writer.rollBack(binding(Map.of(), TAKEN), Set.of(), new HashMap<>());

        assertThat(requests.sent()).hasSize(1);
        assertThat(said(requests.sent().getFirst()))
                .contains("\"status\":{\"nodeAllocatableResourceClaimStatuses\":[]}");
    }

    /// Otherwise the binding would never end and its pod would never be retried.
    @Test
    void anErrorWhileWritingFailsTheBinding() {
        var broken = new RecordingCluster(new StackOverflowError());
        var failing =
                new BindingWriter(
                        new ClaimWriter(broken, CODEC, TaskRunner.inline()),
                        new PodWriter(broken, CODEC),
                        new VolumeWriter(broken, TaskRunner.inline()));
        var binding = binding(Map.of(), List.of());
        var task = new ClaimWriter.Task(claim(), Optional.empty(), binding.consumer(claim().ref()));

        assertThat(failing.write(binding, List.of(task), Optional.empty()).failure()).isPresent();
        assertThat(failing.bind(binding).isDone()).isFalse();
    }

    private static String said(Request request) {
        var patch = (Request.Patch) request;
        assertThat(patch.type()).isEqualTo(Request.PatchType.MERGE);
        return JsonWriter.compact(patch.patch());
    }
}
