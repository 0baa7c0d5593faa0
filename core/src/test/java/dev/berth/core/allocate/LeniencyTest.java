package dev.berth.core.allocate;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.core.allocate.rule.AllocatorFeature;
import dev.berth.core.allocate.rule.Leniency;
import dev.berth.core.ledger.Holdings;
import dev.berth.model.api.claim.AllocationCount;
import dev.berth.model.api.claim.DeviceClass;
import dev.berth.model.api.claim.DeviceClassSpec;
import dev.berth.model.api.claim.DeviceDemand;
import dev.berth.model.api.claim.DeviceRequest;
import dev.berth.model.api.claim.DeviceSelector;
import dev.berth.model.api.claim.ResourceClaim;
import dev.berth.model.api.claim.ResourceClaimSpec;
import dev.berth.model.api.claim.ResourceClaimStatus;
import dev.berth.model.api.meta.ObjectMeta;
import dev.berth.model.api.slice.AttributeValue;
import dev.berth.model.api.slice.Device;
import dev.berth.model.api.slice.NodeScope;
import dev.berth.model.api.slice.ResourcePool;
import dev.berth.model.api.slice.ResourceSlice;
import dev.berth.model.api.slice.ResourceSliceSpec;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

/// Tests of errors that the allocator tolerates although Kubernetes fails on them.
class LeniencyTest {

    private static final String LARGE = "device.attributes[\"gpu.example.com\"].model == \"large\"";
    private static final String OF_DRIVER = "device.driver == \"gpu.example.com\"";
    private static final String FAST =
            "device.attributes[\"nic.example.com\"].?fast.orValue(false)";

    @Test
    void aSelectorErrorEndsTheSearchUnlessTolerated() {
        var one = new AllocationCount.ExactCount(1);
        assertThat(allocate(LARGE, one, 1).outcome()).isInstanceOf(AllocationOutcome.Failed.class);
        var response = allocate(LARGE, one, 1, Leniency.TOLERATE_SELECTOR_ERRORS);
        assertThat(devices(response)).containsExactly("gpu-1");
    }

    @Test
    void toleratedErrorsAreKept() {
        var all = new AllocationCount.All();
        var response = allocate(LARGE, all, 1, Leniency.TOLERATE_SELECTOR_ERRORS);
        assertThat(devices(response)).containsExactly("gpu-1", "gpu-2");
        assertThat(response.tolerated())
                .singleElement()
                .asString()
                .contains("class gpu: selector #0 on device gpu.example.com/node-1/gpu-0")
                .contains("no such key: model");
    }

    @Test
    void anExpressionThatCannotBeCompiledIsNeverTolerated() {
        var response =
                allocate(
                        "device.nonsense",
                        new AllocationCount.ExactCount(1),
                        1,
                        Leniency.TOLERATE_SELECTOR_ERRORS);
        assertThat(response.outcome()).isInstanceOf(AllocationOutcome.Failed.class);
    }

    @Test
    void anIncompletePoolOfAnotherDriverMattersUnlessIgnored() {
        var all = new AllocationCount.All();
        assertThat(allocate(OF_DRIVER, all, 2).outcome())
                .isInstanceOf(AllocationOutcome.Failed.class);
        var response = allocate(OF_DRIVER, all, 2, Leniency.IGNORE_UNRELATED_POOLS);
        assertThat(devices(response)).containsExactly("gpu-0", "gpu-1", "gpu-2");
    }

    @Test
    void anIncompletePoolThatMayHaveMatchingDevicesIsNotIgnored() {
        var response =
                allocate(FAST, new AllocationCount.All(), 2, Leniency.IGNORE_UNRELATED_POOLS);
        assertThat(response.outcome()).isInstanceOf(AllocationOutcome.Failed.class);
    }

    private static AllocatorResponse allocate(
            String selector, AllocationCount count, int nicSlices, Leniency... leniencies) {
        var large =
                Map.<String, AttributeValue>of("model", new AttributeValue.StringValue("large"));
        var gpus =
                List.of(
                        Device.named("gpu-0"),
                        Device.named("gpu-1").withAttributes(large),
                        Device.named("gpu-2").withAttributes(large));
        var slices = new ArrayList<ResourceSlice>();
        slices.add(slice("gpu.example.com", 1, gpus));
        if (nicSlices > 1) {
            slices.add(slice("nic.example.com", nicSlices, List.of(Device.named("nic-0"))));
        }
        var allocationRequest =
                new AllocationRequest(
                        Set.of(AllocatorFeature.values()),
                        Samples.node("node-1"),
                        List.of(deviceClass(selector)),
                        slices,
                        new Holdings(Set.of(), Set.of(), Map.of()),
                        List.of(claim(count)));
        return new Allocator(Allocator.DEFAULT_BUDGET, Set.of(leniencies))
                .allocate(allocationRequest.toNodeRequest(DeviceOrder.FIRST), () -> "share");
    }

    private static ResourceSlice slice(String driver, int slices, List<Device> devices) {
        return new ResourceSlice(
                ObjectMeta.of(driver),
                new ResourceSliceSpec(
                        driver,
                        new ResourcePool("node-1", 1, slices),
                        new NodeScope.OneNode("node-1"),
                        devices,
                        List.of(),
                        Optional.empty(),
                        List.of()));
    }

    private static DeviceClass deviceClass(String selector) {
        return new DeviceClass(
                ObjectMeta.of("gpu"),
                new DeviceClassSpec(
                        List.of(new DeviceSelector.Cel(selector)), List.of(), Optional.empty()));
    }

    private static ResourceClaim claim(AllocationCount count) {
        var request =
                new DeviceRequest.Exactly(
                        "request", DeviceDemand.of("gpu", count), Optional.empty());
        return new ResourceClaim(
                ObjectMeta.of("default", "claim"),
                new ResourceClaimSpec(List.of(request), List.of(), List.of()),
                ResourceClaimStatus.EMPTY);
    }

    private static List<String> devices(AllocatorResponse response) {
        return response.outcome() instanceof AllocationOutcome.Allocated(var results, _)
                ? results.getFirst().devices().stream().map(one -> one.id().device()).toList()
                : List.of(response.outcome().toString());
    }
}
