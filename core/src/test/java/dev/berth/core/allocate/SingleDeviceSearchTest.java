package dev.berth.core.allocate;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.core.allocate.rule.AllocatorFeature;
import dev.berth.core.ledger.Holdings;
import dev.berth.core.testkit.random.RandomAllocation;
import dev.berth.model.api.claim.AllocationCount;
import dev.berth.model.api.claim.DeviceDemand;
import dev.berth.model.api.claim.DeviceRequest;
import dev.berth.model.api.claim.ResourceClaim;
import dev.berth.model.api.claim.ResourceClaimSpec;
import dev.berth.model.api.claim.ResourceClaimStatus;
import dev.berth.model.api.claim.ShareId;
import dev.berth.model.api.meta.ObjectMeta;
import dev.berth.model.api.slice.CounterSet;
import dev.berth.model.api.slice.Device;
import dev.berth.model.api.slice.DeviceCapacity;
import dev.berth.model.api.slice.DeviceCounterConsumption;
import dev.berth.model.api.slice.DeviceId;
import dev.berth.model.api.slice.ResourceSlice;
import dev.berth.model.quantity.Quantity;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

/// The fast path for single devices must give the same result as the full search, which an
/// additional empty claim enforces.
class SingleDeviceSearchTest {

    private static final int REQUESTS = Integer.getInteger("berth.shortcut.questions", 10_000);

    private final Allocator allocator = new Allocator(Allocator.DEFAULT_BUDGET);

    @Test
    void fastPathFindsTheSameDeviceAsTheSearch() {
        var allocated = 0;
        for (var seed = 0; seed < REQUESTS; seed++) {
            var allocationRequest = RandomAllocation.of(seed);
            for (var demand : demands(allocationRequest)) {
                var claim = claim("claim", List.of(one(demand)));
                var shortCut = outcome(allocator, withClaims(allocationRequest, claim));
                var nothing = claim("nothing", List.of());
                var searched = outcome(allocator, withClaims(allocationRequest, claim, nothing));
                assertThat(comparable(shortCut))
                        .as("seed %d", seed)
                        .isEqualTo(comparable(searched));
                allocated += shortCut instanceof AllocationOutcome.Allocated ? 1 : 0;
            }
        }
        assertThat(allocated).isGreaterThan(REQUESTS / 4);
    }

    @Test
    void overdrawnPoolAdmitsNoDeviceWithCounters() {
        var devices =
                List.of(
                        consuming("a", "board-1"),
                        consuming("b", "board-1"),
                        consuming("c", "board-0"));
        var counters =
                List.of(
                        new CounterSet("board-0", Map.of("slices", Quantity.of(2))),
                        new CounterSet("board-1", Map.of("slices", Quantity.of(1))));
        var held = new Holdings(Set.of(id("a"), id("b")), Set.of(), Map.of());
        assertBothFindNothing(Samples.slices(devices, counters), held);
    }

    @Test
    void consumedCapacityCountsAfterADeviceBecomesExclusive() {
        var memory = new DeviceCapacity(Quantity.parse("8Gi"), Optional.empty());
        var device = Device.named("a").withCapacity(Map.of("memory", memory));
        var held =
                new Holdings(
                        Set.of(),
                        Set.of(new ShareId(id("a"), "share")),
                        Map.of(id("a"), Map.of("memory", Quantity.parse("1Gi"))));
        assertBothFindNothing(Samples.slices(List.of(device), List.of(unused())), held);
    }

    private static CounterSet unused() {
        return new CounterSet("unused", Map.of("slices", Quantity.of(1)));
    }

    private static Device consuming(String name, String set) {
        return Device.named(name)
                .withConsumesCounters(
                        List.of(
                                new DeviceCounterConsumption(
                                        set, Map.of("slices", Quantity.of(1)), List.of())));
    }

    private static DeviceId id(String device) {
        return new DeviceId(Samples.DRIVER, "node-1", device);
    }

    private void assertBothFindNothing(List<ResourceSlice> slices, Holdings held) {
        var claim = Samples.claim("any", 1);
        var base =
                new AllocationRequest(
                        Set.of(AllocatorFeature.values()),
                        Samples.node("node-1"),
                        List.of(Samples.anyClass("any")),
                        slices,
                        held,
                        List.of(claim));
        var nothing = claim("nothing", List.of());
        assertThat(outcome(allocator, base)).isInstanceOf(AllocationOutcome.DoesNotFit.class);
        assertThat(outcome(allocator, withClaims(base, claim, nothing)))
                .isInstanceOf(AllocationOutcome.DoesNotFit.class);
        var free =
                new AllocationRequest(
                        base.features(),
                        base.node(),
                        base.classes(),
                        slices,
                        Holdings.NONE,
                        base.claims());
        assertThat(outcome(allocator, free)).isInstanceOf(AllocationOutcome.Allocated.class);
    }

    private static AllocationOutcome outcome(Allocator allocator, AllocationRequest request) {
        return allocator
                .allocate(request.toNodeRequest(DeviceOrder.FIRST), () -> "share")
                .outcome();
    }

    private static List<DeviceDemand> demands(AllocationRequest allocationRequest) {
        var demands = new ArrayList<DeviceDemand>();
        for (var claim : allocationRequest.claims()) {
            for (var request : claim.spec().requests()) {
                if (request instanceof DeviceRequest.Exactly exactly) {
                    demands.add(exactly.demand());
                }
            }
        }
        return demands;
    }

    private static DeviceRequest one(DeviceDemand demand) {
        return new DeviceRequest.Exactly(
                "request",
                new DeviceDemand(
                        demand.deviceClassName(),
                        demand.selectors(),
                        new AllocationCount.ExactCount(1),
                        demand.tolerations(),
                        Optional.empty(),
                        List.of()),
                Optional.empty());
    }

    private static ResourceClaim claim(String name, List<DeviceRequest> requests) {
        return new ResourceClaim(
                ObjectMeta.of("default", name),
                new ResourceClaimSpec(requests, List.of(), List.of()),
                ResourceClaimStatus.EMPTY);
    }

    private static AllocationRequest withClaims(AllocationRequest base, ResourceClaim... claims) {
        return new AllocationRequest(
                base.features(),
                base.node(),
                base.classes(),
                base.slices(),
                base.holdings(),
                List.of(claims));
    }

    private static String comparable(AllocationOutcome outcome) {
        return switch (outcome) {
            case AllocationOutcome.Allocated(var results, _) -> results.getFirst().toString();
            case AllocationOutcome.DoesNotFit _ -> "does not fit";
            case AllocationOutcome.Failed(var message, var nodeLocal, _) ->
                    nodeLocal + " " + message;
            case AllocationOutcome.Undecided _ -> "undecided";
        };
    }
}
