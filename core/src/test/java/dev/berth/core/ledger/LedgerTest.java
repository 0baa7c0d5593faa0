package dev.berth.core.ledger;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.model.api.claim.AllocatedDevice;
import dev.berth.model.api.claim.AllocationResult;
import dev.berth.model.api.claim.ConsumerReference;
import dev.berth.model.api.claim.ResourceClaim;
import dev.berth.model.api.claim.ResourceClaimSpec;
import dev.berth.model.api.claim.ResourceClaimStatus;
import dev.berth.model.api.meta.ObjectMeta;
import dev.berth.model.api.meta.ObjectRef;
import dev.berth.model.api.meta.Uid;
import dev.berth.model.api.slice.DeviceId;
import dev.berth.model.api.slice.PoolId;
import dev.berth.model.quantity.Quantity;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

class LedgerTest {

    private static final PoolId A = new PoolId("gpu.example.com", "a");
    private static final PoolId B = new PoolId("gpu.example.com", "b");

    @Test
    void holdingsAreKeptByPool() {
        var ledger =
                Ledger.EMPTY
                        .with(claim("one", alone(A, "gpu-0"), alone(B, "gpu-0")))
                        .with(claim("two", alone(A, "gpu-1")));
        assertThat(ledger.poolHoldings(A).holdings().exclusive())
                .containsExactlyInAnyOrder(id(A, "gpu-0"), id(A, "gpu-1"));
        assertThat(ledger.poolHoldings(B).holdings().exclusive()).containsExactly(id(B, "gpu-0"));
        assertThat(ledger.holdings(List.of(A, B))).isEqualTo(Holdings.of(ledger.claims()));
    }

    @Test
    void devicesAreReleasedWhenTheClaimIsDeallocatedOrDeleted() {
        var ledger = Ledger.EMPTY.with(claim("one", alone(A, "gpu-0")));
        assertThat(ledger.with(claim("one")).holdings(List.of(A))).isEqualTo(Holdings.NONE);
        assertThat(ledger.without(ref("one")).holdings(List.of(A))).isEqualTo(Holdings.NONE);
        assertThat(ledger.without(ref("one")).claims()).isEmpty();
    }

    @Test
    void sharesOfOneDeviceAddUp() {
        var ledger =
                Ledger.EMPTY
                        .with(claim("one", share(A, "gpu-0", "s1", "1Gi")))
                        .with(claim("two", share(A, "gpu-0", "s2", "2Gi")));
        var device = id(A, "gpu-0");
        assertThat(ledger.poolHoldings(A).holdings().consumed())
                .isEqualTo(Map.of(device, Map.of("memory", Quantity.parse("3Gi"))));
        assertThat(ledger.without(ref("one")).poolHoldings(A).holdings().consumed())
                .isEqualTo(Map.of(device, Map.of("memory", Quantity.parse("2Gi"))));
        assertThat(ledger.poolHoldings(A).holdersOf(device))
                .containsExactly(ref("one"), ref("two"));
    }

    @Test
    void adminAccessIsListedAsHolderButHoldsNoDevice() {
        var ledger = Ledger.EMPTY.with(claim("one", administered(A, "gpu-0")));
        assertThat(ledger.poolHoldings(A).holdings()).isEqualTo(Holdings.NONE);
        assertThat(ledger.poolHoldings(A).holdersOf(id(A, "gpu-0"))).containsExactly(ref("one"));
    }

    @Test
    void onlyPoolsWithAllocatedOrReleasedDevicesChange() {
        var before = Ledger.EMPTY.with(claim("one", alone(A, "gpu-0"), alone(B, "gpu-0")));
        var after = before.with(claim("one", alone(A, "gpu-0"), alone(B, "gpu-1")));
        assertThat(changes(before, after)).isEqualTo(Set.of(B));
        var user = ConsumerReference.pod("pod", Uid.NONE);
        var claim = before.claim(ref("one")).orElseThrow();
        var reserved =
                claim.withStatus(
                        new ResourceClaimStatus(
                                claim.status().allocation(), List.of(user), List.of()));
        assertThat(changes(before, before.with(reserved))).isEmpty();
    }

    private static Set<PoolId> changes(Ledger before, Ledger after) {
        var changed = new ArrayList<PoolId>();
        after.changesSince(before, changed::add);
        return Set.copyOf(changed);
    }

    private static ObjectRef ref(String name) {
        return new ObjectRef("default", name);
    }

    private static DeviceId id(PoolId pool, String device) {
        return new DeviceId(pool.driver(), pool.pool(), device);
    }

    private static AllocatedDevice alone(PoolId pool, String device) {
        return device(pool, device, Optional.empty(), Optional.empty(), Map.of());
    }

    private static AllocatedDevice administered(PoolId pool, String device) {
        return device(pool, device, Optional.of(true), Optional.empty(), Map.of());
    }

    private static AllocatedDevice share(PoolId pool, String device, String id, String memory) {
        return device(
                pool,
                device,
                Optional.empty(),
                Optional.of(id),
                Map.of("memory", Quantity.parse(memory)));
    }

    private static AllocatedDevice device(
            PoolId pool,
            String device,
            Optional<Boolean> admin,
            Optional<String> share,
            Map<String, Quantity> consumed) {
        return new AllocatedDevice(
                "request",
                id(pool, device),
                admin,
                List.of(),
                List.of(),
                List.of(),
                share,
                consumed,
                List.of());
    }

    private static ResourceClaim claim(String name, AllocatedDevice... devices) {
        Optional<AllocationResult> allocation =
                devices.length == 0
                        ? Optional.empty()
                        : Optional.of(
                                new AllocationResult(
                                        List.of(devices),
                                        List.of(),
                                        Optional.empty(),
                                        Optional.empty()));
        return new ResourceClaim(
                ObjectMeta.of("default", name),
                new ResourceClaimSpec(List.of(), List.of(), List.of()),
                new ResourceClaimStatus(allocation, List.of(), List.of()));
    }
}
