package dev.berth.control.schedule;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.client.Request;
import dev.berth.core.place.VolumeBindingTask;
import dev.berth.core.schedule.BindingCommand;
import dev.berth.core.schedule.BindingEvent;
import dev.berth.metrics.MetricsRegistry;
import dev.berth.model.api.claim.AllocationResult;
import dev.berth.model.api.claim.ConsumerReference;
import dev.berth.model.api.claim.ResourceClaim;
import dev.berth.model.api.meta.KubernetesObject;
import dev.berth.model.api.meta.Uid;
import dev.berth.model.api.pod.NodeAllocatableClaimStatus;
import dev.berth.model.api.pod.Pod;
import dev.berth.model.api.storage.PersistentVolumeClaim;
import dev.berth.model.codec.Codec;
import dev.berth.model.codec.Kind;
import dev.berth.model.codec.Kinds;
import dev.berth.model.codec.UnknownFieldPolicy;
import dev.berth.model.json.JsonWriter;
import dev.berth.model.quantity.Quantity;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class BindingWriterTest {

    private static final Codec CODEC = new Codec();
    private static final MetricsRegistry METRICS = MetricsRegistry.off();
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
                    new ClaimWriter(requests, CODEC, TaskRunner.inline(), METRICS),
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

    private static PersistentVolumeClaim volumeClaim() {
        return read(
                Kinds.PERSISTENT_VOLUME_CLAIM,
                """
                {"metadata": {"namespace": "default", "name": "data", "uid": "3"}, "spec": {}}
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

    private static BindingCommand.BindPod bind(List<NodeAllocatableClaimStatus> taken) {
        return new BindingCommand.BindPod("a", Optional.empty(), taken);
    }

    private static BindingCommand.RollBack rollBack(
            boolean hasNodeResources, BindingCommand.ClaimUndo... claims) {
        return new BindingCommand.RollBack(
                List.of(claims), Optional.empty(), hasNodeResources, false);
    }

    private static ConsumerReference user() {
        return ConsumerReference.pod("p", new Uid("1"));
    }

    @Test
    void rollBackRemovesTheReservationOfAPod() {
        var unreserve =
                new BindingCommand.ClaimUndo.Unreserve(
                        claim().ref(), claim().metadata().uid(), user());
        writer.rollBack(pod(), rollBack(false, unreserve));

        assertThat(requests.sent()).hasSize(1);
    }

    @Test
    void nodeAllocatableStatusIsWrittenBeforeBinding() {
        writer.bind(pod(), bind(TAKEN));

        assertThat(requests.sent()).hasSize(2);
        assertThat(said(requests.sent().getFirst()))
                .contains("\"resourceClaimName\":\"c\"", "\"name\":\"cpu\",\"quantity\":\"2\"");
        assertThat(requests.sent().getLast()).isInstanceOf(Request.Create.class);
    }

    @Test
    void rollBackClearsNodeAllocatableStatus() {
        writer.rollBack(pod(), rollBack(true));

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
                        new ClaimWriter(broken, CODEC, TaskRunner.inline(), METRICS),
                        new PodWriter(broken, CODEC),
                        new VolumeWriter(broken, TaskRunner.inline()));
        var task = new BindingCommand.ClaimTask(claim(), Optional.empty(), user());
        var create =
                new BindingCommand.CreateExtendedClaim(
                        claim(),
                        new AllocationResult(
                                List.of(), List.of(), Optional.empty(), Optional.empty()),
                        user());
        var volume = new VolumeBindingTask.Bind(volumeClaim(), "disk");

        assertThat(failing.write(List.of(task))).isInstanceOf(BindingEvent.ClaimWriteFailed.class);
        assertThat(failing.create(pod(), create)).isInstanceOf(BindingEvent.ClaimWriteFailed.class);
        assertThat(failing.writeVolumes(List.of(volume)))
                .isInstanceOf(BindingEvent.VolumeWriteFailed.class);
        assertThat(failing.bind(pod(), bind(List.of())))
                .isInstanceOf(BindingEvent.BindFailed.class);
    }

    private static String said(Request request) {
        var patch = (Request.Patch) request;
        assertThat(patch.type()).isEqualTo(Request.PatchType.MERGE);
        return JsonWriter.compact(patch.patch());
    }
}
