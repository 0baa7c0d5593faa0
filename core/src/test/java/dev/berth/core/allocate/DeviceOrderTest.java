package dev.berth.core.allocate;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.core.allocate.rule.AllocatorFeature;
import dev.berth.core.ledger.Holdings;
import dev.berth.core.testkit.cel.ReferenceExpressions;
import dev.berth.core.testkit.random.RandomAllocation;
import dev.berth.core.testkit.verify.AllocationVerifier;
import dev.berth.model.api.claim.DeviceClass;
import dev.berth.model.api.claim.DeviceClassSpec;
import dev.berth.model.api.claim.DeviceSelector;
import dev.berth.model.api.meta.ObjectMeta;
import dev.berth.model.api.slice.AttributeValue;
import dev.berth.model.api.slice.CounterSet;
import dev.berth.model.api.slice.Device;
import dev.berth.model.api.slice.DeviceCounterConsumption;
import dev.berth.model.api.slice.DeviceId;
import dev.berth.model.quantity.Quantity;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class DeviceOrderTest {

    private static final int QUESTIONS = 2_000;

    private final Allocator allocator = new Allocator(Allocator.DEFAULT_BUDGET);
    private int ids;

    @ParameterizedTest
    @EnumSource(DeviceOrder.class)
    void ordersChangePreferenceNotCorrectness(DeviceOrder order) {
        var verifier = new AllocationVerifier(new ReferenceExpressions());
        for (var seed = 0; seed < QUESTIONS; seed++) {
            var allocationRequest = RandomAllocation.of(seed);
            var usual = outcome(allocationRequest, DeviceOrder.FIRST);
            var preferred = outcome(allocationRequest, order);
            // A device that fails the search may be reached in one order and not in another.
            if (!(usual instanceof AllocationOutcome.Failed)
                    && !(preferred instanceof AllocationOutcome.Failed)) {
                assertThat(preferred.getClass()).as("seed %d", seed).isEqualTo(usual.getClass());
            }
            if (preferred instanceof AllocationOutcome.Allocated(var results, _)) {
                assertThat(verifier.violations(allocationRequest, results))
                        .as("seed %d", seed)
                        .isEmpty();
            }
        }
    }

    @Test
    void packingKeepsWholeGpusWhole() {
        var allocationRequest = allocationRequest(halves(), Set.of("gpu-1-b"), 1);

        assertThat(chosen(allocationRequest, DeviceOrder.FIRST)).containsExactly("gpu-0-a");
        assertThat(chosen(allocationRequest, DeviceOrder.PACKED)).containsExactly("gpu-1-a");
    }

    @Test
    void packingLeavesTheLargestPartitionsPossible() {
        var devices = mig();
        var small = selecting("small", "1g");
        var ofTwo = selecting("of-two", "2g");
        var ofFour = selecting("of-four", "4g");

        // Only the last 1g conflicts with no 2g.
        assertThat(packed(devices, small, ofTwo)).containsExactly("1g-6");
        // The second half has no 4g, and no class selects the 2g there.
        assertThat(packed(devices, small, ofFour)).containsExactly("1g-4");
        // No class selects anything else.
        assertThat(packed(devices, small)).containsExactly("1g-0");
        assertThat(packed(devices, small, Samples.anyClass("all"))).containsExactly("1g-6");
    }

    private List<String> packed(List<Device> devices, DeviceClass... classes) {
        var sevenths = new TreeMap<String, Quantity>();
        IntStream.range(0, 7).forEach(i -> sevenths.put("slice-" + i, Quantity.of(1)));
        var allocationRequest =
                new AllocationRequest(
                        EnumSet.allOf(AllocatorFeature.class),
                        Samples.node("node-1"),
                        List.of(classes),
                        Samples.slices(devices, List.of(new CounterSet("gpu-0", sevenths))),
                        Holdings.NONE,
                        List.of(Samples.claim("small", 1)));
        return chosen(allocationRequest, DeviceOrder.PACKED);
    }

    /// The possible partitions of a GPU with seven slices.
    private static List<Device> mig() {
        var devices = new ArrayList<Device>();
        IntStream.range(0, 7).forEach(i -> devices.add(partition("1g", i, 1)));
        List.of(0, 2, 4).forEach(i -> devices.add(partition("2g", i, 2)));
        List.of(0, 4).forEach(i -> devices.add(partition("3g", i, 3)));
        devices.add(partition("4g", 0, 4));
        devices.add(partition("7g", 0, 7));
        return devices;
    }

    private static Device partition(String profile, int from, int size) {
        var slices = new TreeMap<String, Quantity>();
        IntStream.range(from, from + size).forEach(i -> slices.put("slice-" + i, Quantity.of(1)));
        return Device.named(profile + "-" + from)
                .withAttributes(Map.of("profile", new AttributeValue.StringValue(profile)))
                .withConsumesCounters(
                        List.of(new DeviceCounterConsumption("gpu-0", slices, List.of())));
    }

    private static DeviceClass selecting(String name, String profile) {
        var selector =
                new DeviceSelector.Cel(
                        "device.attributes['%s'].profile == '%s'"
                                .formatted(Samples.DRIVER, profile));
        return new DeviceClass(
                ObjectMeta.of(name),
                new DeviceClassSpec(List.of(selector), List.of(), Optional.empty()));
    }

    @Test
    void aligningPrefersOneRootThenOneNumaNode() {
        var devices =
                List.of(
                        located("gpu-0", "root-0", 0),
                        located("gpu-1", "root-1", 1),
                        located("gpu-2", "root-2", 1),
                        located("gpu-3", "root-2", 1));

        var all = allocationRequest(devices, Set.of(), 2);
        var withoutRoot = allocationRequest(devices, Set.of("gpu-3"), 2);

        assertThat(chosen(all, DeviceOrder.FIRST)).containsExactly("gpu-0", "gpu-1");
        assertThat(chosen(all, DeviceOrder.ALIGNED)).containsExactly("gpu-2", "gpu-3");
        assertThat(chosen(withoutRoot, DeviceOrder.ALIGNED)).containsExactly("gpu-1", "gpu-2");
    }

    private AllocationOutcome outcome(AllocationRequest request, DeviceOrder order) {
        return allocator.allocate(request.toNodeRequest(order), this::nextId).outcome();
    }

    private List<String> chosen(AllocationRequest allocationRequest, DeviceOrder order) {
        return switch (outcome(allocationRequest, order)) {
            case AllocationOutcome.Allocated(var results, _) ->
                    results.getFirst().devices().stream().map(d -> d.id().device()).toList();
            case AllocationOutcome.DoesNotFit _,
                    AllocationOutcome.Failed _,
                    AllocationOutcome.Undecided _ ->
                    List.of();
        };
    }

    private static AllocationRequest allocationRequest(
            List<Device> devices, Set<String> held, int count) {
        var holdings =
                new Holdings(
                        Set.copyOf(
                                held.stream()
                                        .map(name -> new DeviceId(Samples.DRIVER, "node-1", name))
                                        .toList()),
                        Set.of(),
                        Map.of());
        return new AllocationRequest(
                EnumSet.allOf(AllocatorFeature.class),
                Samples.node("node-1"),
                List.of(Samples.anyClass("gpu")),
                Samples.slices(devices, List.of(counters("gpu-0"), counters("gpu-1"))),
                holdings,
                List.of(Samples.claim("gpu", count)));
    }

    private static CounterSet counters(String gpu) {
        return new CounterSet(gpu, Map.of("slices", Quantity.of(2)));
    }

    private static List<Device> halves() {
        return List.of(
                half("gpu-0-a", "gpu-0"),
                half("gpu-0-b", "gpu-0"),
                half("gpu-1-a", "gpu-1"),
                half("gpu-1-b", "gpu-1"));
    }

    private static Device half(String name, String gpu) {
        return Device.named(name)
                .withConsumesCounters(
                        List.of(
                                new DeviceCounterConsumption(
                                        gpu, Map.of("slices", Quantity.of(1)), List.of())));
    }

    private static Device located(String name, String root, long numaNode) {
        return Device.named(name)
                .withAttributes(
                        Map.of(
                                "resource.kubernetes.io/pcieRoot",
                                new AttributeValue.StringValue(root),
                                "resource.kubernetes.io/numaNode",
                                new AttributeValue.IntValue(numaNode)));
    }

    private String nextId() {
        return "00000000-0000-4000-8000-%012d".formatted(ids++);
    }
}
