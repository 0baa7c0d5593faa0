package dev.berth.node.driver;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.berth.core.publish.DesiredPool;
import dev.berth.harness.Eventually;
import dev.berth.model.api.slice.AttributeValue.StringValue;
import dev.berth.model.api.slice.Device;
import dev.berth.model.api.slice.NodeScope;
import dev.berth.model.api.slice.PoolId;
import dev.berth.model.api.slice.ResourceSlice;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SlicePublisherTest {

    @TempDir private static Path directory = Path.of("");

    private final List<DriverProblem> problems = new CopyOnWriteArrayList<>();
    private DriverRig rig;
    private DriverHost host;

    @BeforeEach
    void start() throws Exception {
        rig = new DriverRig(Files.createTempDirectory(directory, "t"));
        host =
                DriverHost.start(
                        rig.options().withProblems(this::note), rig.cluster, new CountingDriver());
    }

    /// The kubelet does not scan for drivers in this test, which drivers report after a while.
    private void note(DriverProblem problem) {
        if (!(problem instanceof DriverProblem.Waiting)) {
            problems.add(problem);
        }
    }

    @AfterEach
    void stop() {
        host.close();
        rig.close();
    }

    @Test
    void manyDevicesAreSplitAndBelongToTheNode() throws Exception {
        host.publish(devices(300));
        await(300, 3);
        assertThat(rig.slices())
                .extracting(slice -> slice.spec().devices().size())
                .containsExactly(128, 128, 44);
        assertThat(rig.slices())
                .allMatch(slice -> slice.spec().pool().resourceSliceCount() == 3)
                .allMatch(slice -> slice.metadata().controller().isPresent())
                .allMatch(slice -> slice.metadata().name().contains("-gpu.example.com-node-1-"));
    }

    @Test
    void aChangeIncrementsThePoolGeneration() throws Exception {
        host.publish(devices(130));
        await(130, 2);
        var before = generations();
        host.publish(devices(129));
        await(129, 2);
        assertThat(generations()).containsExactly(before.getFirst() + 1, before.getFirst() + 1);
        host.publish(devices(5));
        await(5, 1);
        host.publish(List.of());
        await(0, 1);
    }

    @Test
    void deletedSlicesAreRestored() throws Exception {
        host.publish(devices(3));
        await(3, 1);
        var slice = rig.slices().getFirst();
        rig.delete(slice);
        Eventually.holds(
                "the slice is there again",
                () ->
                        rig.slices().size() == 1
                                && !rig.slices()
                                        .getFirst()
                                        .metadata()
                                        .uid()
                                        .equals(slice.metadata().uid()));
    }

    @Test
    void poolsWithoutANodeArePublishedAndWithdrawn() throws Exception {
        var shared =
                DesiredPool.of(
                        new PoolId(DriverRig.DRIVER, "fabric"),
                        new NodeScope.AllNodes(),
                        devices(2));
        host.publishPools(List.of(shared));
        await(2, 1);
        assertThat(rig.slices().getFirst().spec().scope()).isEqualTo(new NodeScope.AllNodes());
        host.publishPools(List.of());
        Eventually.holds("nothing is left", () -> rig.slices().isEmpty());
    }

    @Test
    void rejectedDevicesAreReported() throws Exception {
        host.publish(List.of(Device.named("Not a name")));
        Eventually.holds("the problem is reported", () -> !problems.isEmpty());
        assertThat(problems)
                .singleElement()
                .isInstanceOfSatisfying(
                        DriverProblem.DevicesRefused.class,
                        refused -> assertThat(refused.message()).contains("spec.devices[0].name"));
        host.publish(devices(1));
        await(1, 1);
    }

    @Test
    void invalidPoolsAreRefusedBeforeAnyRequest() {
        var twice = List.of(Device.named("a"), Device.named("a"));
        assertThatThrownBy(() -> host.publish(twice))
                .hasMessage(
                        "pool gpu.example.com/node-1: device \"a\" is published twice; publish each"
                                + " name once");
        var foreign =
                DesiredPool.of(new PoolId("b.com", "p"), new NodeScope.AllNodes(), devices(1));
        assertThatThrownBy(() -> host.publishPools(List.of(foreign)))
                .hasMessage("pool b.com/p does not belong to driver gpu.example.com");
        var elsewhere =
                DesiredPool.of(
                        new PoolId(DriverRig.DRIVER, "p"), new NodeScope.OneNode("b"), devices(1));
        assertThatThrownBy(() -> host.publishPools(List.of(elsewhere)))
                .hasMessage(
                        "pool gpu.example.com/p belongs to node b, but the driver runs on node-1");
    }

    private void await(int devices, int slices) throws Exception {
        Eventually.holds(
                "there are %d devices in %d slices".formatted(devices, slices),
                () ->
                        host.isPublished()
                                && rig.slices().size() == slices
                                && rig.slices().stream()
                                                .mapToInt(slice -> slice.spec().devices().size())
                                                .sum()
                                        == devices
                                && rig.slices().stream()
                                                .map(SlicePublisherTest::generation)
                                                .distinct()
                                                .count()
                                        == 1);
    }

    private List<Long> generations() {
        return rig.slices().stream().map(SlicePublisherTest::generation).toList();
    }

    private static long generation(ResourceSlice slice) {
        return slice.spec().pool().generation();
    }

    private static List<Device> devices(int count) {
        return IntStream.range(0, count)
                .mapToObj(i ->
                        Device.named("gpu-" + i)
                                .withAttributes(Map.of("model", new StringValue("a"))))
                .toList();
    }
}
