package dev.berth.core.publish;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.model.api.meta.OwnerReference;
import dev.berth.model.api.meta.Uid;
import dev.berth.model.api.slice.CounterSet;
import dev.berth.model.api.slice.Device;
import dev.berth.model.api.slice.NodeScope;
import dev.berth.model.api.slice.PoolId;
import dev.berth.model.api.slice.ResourceSlice;
import dev.berth.model.api.taint.DeviceTaint;
import dev.berth.model.api.taint.TaintEffect;
import dev.berth.model.quantity.Quantity;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class SliceReconcilerTest {

    private static final PoolId POOL = new PoolId("gpu.example.com", "node-1");
    private static final NodeScope NODE = new NodeScope.OneNode("node-1");

    private final SliceReconciler reconciler =
            new SliceReconciler(
                    List.of(OwnerReference.controller("v1", "Node", "node-1", new Uid("u"))));

    @Test
    void aNewPoolBeginsWithGenerationOne() {
        var created = after(List.of(), pool(2));
        assertThat(created).hasSize(1);
        assertThat(created.getFirst().spec().pool().generation()).isEqualTo(1);
        assertThat(created.getFirst().spec().pool().resourceSliceCount()).isEqualTo(1);
        assertThat(created.getFirst().metadata().name())
                .matches("00000-gpu\\.example\\.com-node-1-[a-z0-9]{5}");
        assertThat(created.getFirst().metadata().controller()).isPresent();
    }

    @Test
    void plainDevicesAreSplitAtOneHundredAndTwentyEight() {
        assertThat(sizes(after(List.of(), pool(300)))).containsExactly(128, 128, 44);
    }

    @Test
    void taintedDevicesAreSplitAtSixtyFour() {
        var devices = new ArrayList<>(pool(130).devices());
        devices.set(70, devices.get(70).withTaints(List.of(taint())));
        var slices = after(List.of(), pool(130).withDevices(devices));
        assertThat(sizes(slices)).containsExactly(70, 60);
    }

    @Test
    void countersHaveSlicesOfTheirOwn() {
        var sets =
                IntStream.range(0, 9)
                        .mapToObj(i -> new CounterSet("set-" + i, Map.of("a", quantity("1"))))
                        .toList();
        var pool =
                new DesiredPool(POOL, NODE, pool(3).devices(), sets, Optional.empty(), List.of());
        var slices = after(List.of(), pool);
        assertThat(slices.stream().map(slice -> slice.spec().sharedCounters().size()))
                .containsExactly(8, 1, 0);
        assertThat(sizes(slices)).containsExactly(0, 0, 3);
    }

    @Test
    void nothingIsWrittenWhenThePoolIsUpToDate() {
        var slices = after(List.of(), pool(300));
        assertThat(reconciler.commands(List.of(pool(300)), slices)).isEmpty();
    }

    @Test
    void allSlicesGetTheNextGenerationWhenOneChanges() {
        var slices = after(List.of(), pool(300));
        var devices = new ArrayList<>(pool(300).devices());
        devices.removeLast();
        var commands = reconciler.commands(List.of(pool(300).withDevices(devices)), slices);
        assertThat(commands).hasSize(3).allMatch(SliceCommand.Update.class::isInstance);
        assertThat(applied(slices, commands))
                .allMatch(slice -> slice.spec().pool().generation() == 2);
    }

    @Test
    void obsoleteSlicesAreDeletedLast() {
        var slices = after(List.of(), pool(300));
        var commands = reconciler.commands(List.of(pool(10)), slices);
        assertThat(commands.stream().map(command -> command.getClass().getSimpleName()))
                .containsExactly("Update", "Delete", "Delete");
    }

    @Test
    void aDeletedSliceIsCreatedAgain() {
        var slices = after(List.of(), pool(300));
        var left = slices.subList(0, 2);
        assertThat(sizes(after(left, pool(300)))).containsExactly(128, 128, 44);
    }

    @Test
    void undesiredPoolsAreDeleted() {
        var slices = after(List.of(), pool(300));
        assertThat(reconciler.commands(List.of(), slices))
                .hasSize(3)
                .allMatch(SliceCommand.Delete.class::isInstance);
    }

    @Test
    void aSliceOfAnotherNodeIsReplaced() {
        var slices = after(List.of(), pool(1));
        var moved = DesiredPool.of(POOL, new NodeScope.AllNodes(), pool(1).devices());
        assertThat(reconciler.commands(List.of(moved), slices))
                .extracting(command -> command.getClass().getSimpleName())
                .containsExactly("Delete", "Create");
    }

    @Test
    void timeAddedOfTheServerIsKept() {
        var wanted = List.of(Device.named("a").withTaints(List.of(taint())));
        var dated =
                new DeviceTaint(taint().key(), "", taint().effect(), Optional.of(Instant.EPOCH));
        var there = List.of(Device.named("a").withTaints(List.of(dated)));
        var slices = after(List.of(), DesiredPool.of(POOL, NODE, there));
        assertThat(reconciler.commands(List.of(DesiredPool.of(POOL, NODE, wanted)), slices))
                .isEmpty();
    }

    @Test
    void poolsWithTheSameConcatenatedNameHaveDifferentSlices() {
        assertThat(SliceNames.name(new PoolId("a-b", "c"), 0))
                .isNotEqualTo(SliceNames.name(new PoolId("a", "b-c"), 0));
    }

    @Test
    void longSliceNamesAreTruncated() {
        assertThat(SliceNames.name(new PoolId("a", "b.".repeat(120) + "b"), 0))
                .hasSizeLessThanOrEqualTo(253)
                .doesNotContain(".-");
    }

    private List<ResourceSlice> after(List<ResourceSlice> slices, DesiredPool pool) {
        return applied(slices, reconciler.commands(List.of(pool), slices));
    }

    private static List<ResourceSlice> applied(
            List<ResourceSlice> slices, List<SliceCommand> commands) {
        var result = new ArrayList<>(slices);
        for (var command : commands) {
            switch (command) {
                case SliceCommand.Create(var slice) -> result.add(slice);
                case SliceCommand.Update(var slice) ->
                        result.replaceAll(old -> isSame(old, slice) ? slice : old);
                case SliceCommand.Delete(var slice) -> result.removeIf(old -> isSame(old, slice));
            }
        }
        return result;
    }

    private static boolean isSame(ResourceSlice a, ResourceSlice b) {
        return a.metadata().name().equals(b.metadata().name());
    }

    private static DesiredPool pool(int devices) {
        return DesiredPool.of(
                POOL,
                NODE,
                IntStream.range(0, devices).mapToObj(i -> Device.named("gpu-" + i)).toList());
    }

    private static List<Integer> sizes(List<ResourceSlice> slices) {
        return slices.stream().map(slice -> slice.spec().devices().size()).toList();
    }

    private static DeviceTaint taint() {
        return new DeviceTaint(
                "example.com/sick", "", TaintEffect.Known.NO_SCHEDULE, Optional.empty());
    }

    private static Quantity quantity(String text) {
        return Quantity.parse(text);
    }
}
