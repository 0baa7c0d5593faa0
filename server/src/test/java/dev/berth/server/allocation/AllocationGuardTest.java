package dev.berth.server.allocation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.berth.server.store.Entry;
import dev.berth.server.store.MemoryStore;
import dev.berth.server.store.Store;
import dev.berth.server.store.StoreException;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// Rejected allocations, and reservations of failed writes.
class AllocationGuardTest {

    private static final String GPU = "{pool: p, device: gpu}";
    private static final String NIC = "{name: nic, generation: 1, resourceSliceCount: 1}";
    private static final String NIC_DEVICES =
            """
            devices:
            - {name: eth, allowMultipleAllocations: true, capacity: {bandwidth: {value: 100G}}}
            - {name: plain, capacity: {bandwidth: {value: 100G}}}
            """;
    private static final String PARTS = "{name: parts, generation: 1, resourceSliceCount: 2}";
    private static final String COUNTERS =
            "sharedCounters: [{name: gpu, counters: {memory: {value: 40Gi}}}]";
    private static final String PARTITIONS =
            """
            devices:
            - name: whole
              consumesCounters: [{counterSet: gpu, counters: {memory: {value: 40Gi}}}]
            - name: half-0
              consumesCounters: [{counterSet: gpu, counters: {memory: {value: 20Gi}}}]
            - name: half-1
              consumesCounters: [{counterSet: gpu, counters: {memory: {value: 20Gi}}}]
            """;

    private Store store = new MemoryStore();
    private GuardedClaims claims = new GuardedClaims(store);

    @BeforeEach
    void start() {
        store = new MemoryStore();
        claims = new GuardedClaims(store);
    }

    @AfterEach
    void stop() {
        store.close();
    }

    private static String share(String device, String id, String amount) {
        return "{pool: nic, device: %s, shareID: 's%s', consumedCapacity: {bandwidth: %s}}"
                .formatted(device, id, amount);
    }

    private static String part(String device) {
        return "{pool: parts, device: %s}".formatted(device);
    }

    @Test
    void losingWriterDoesNotReleaseTheDeviceOfTheWinner() {
        var read = claims.create("x");
        assertThat(claims.allocate(read, GPU)).isEmpty();

        assertThat(claims.allocate(read, GPU)).contains("Conflict");

        assertThat(claims.allocate("y", GPU).orElseThrow())
                .contains("device d/p/gpu is allocated to claim default/x");
    }

    @Test
    void writerThatLosesDuringTheWriteDoesNotReleaseTheDevice() {
        var read = claims.create("x");

        var loser =
                claims.write(
                        read,
                        new String[] {GPU},
                        value -> {
                            assertThat(claims.allocate(read, GPU)).isEmpty();
                            return store.update(read.key(), read.revision(), value);
                        });

        assertThat(loser).contains("Conflict");
        assertThat(claims.allocate("y", GPU)).isPresent();
    }

    @Test
    void deviceIsReservedDuringTheWrite() {
        var read = claims.create("x");

        claims.write(
                read,
                new String[] {GPU},
                value -> {
                    assertThat(claims.allocate("y", GPU).orElseThrow()).contains("default/x");
                    return store.update(read.key(), read.revision(), value);
                });

        assertThat(claims.allocate("y", GPU)).isPresent();
    }

    @Test
    void deviceDeallocatedBeforeTheWriterReturnsIsFree() {
        var read = claims.create("x");

        claims.write(
                read,
                new String[] {GPU},
                value -> {
                    var write = store.update(read.key(), read.revision(), value);
                    claims.deallocate("x");
                    assertThat(claims.allocate("y", GPU)).isEmpty();
                    return write;
                });

        assertThat(claims.allocate("x", GPU).orElseThrow()).contains("default/y");
    }

    @Test
    void deletionAndDeallocationReleaseDevices() {
        claims.allocate("x", GPU);
        claims.deallocate("x");
        assertThat(claims.allocate("y", GPU)).isEmpty();
        claims.delete("y");
        assertThat(claims.allocate("x", GPU)).isEmpty();
    }

    @Test
    void writeOfUnknownOutcomeKeepsItsReservationUntilTheClaimChanges() {
        var read = claims.create("x");
        fail(read);

        assertThat(claims.allocate("y", GPU).orElseThrow()).contains("default/x");
        claims.allocate("x", "{pool: p, device: other}");

        assertThat(claims.allocate("y", GPU)).isEmpty();
    }

    @Test
    void reservationOfUnknownOutcomeExpires() {
        fail(claims.create("x"));

        claims.pass(Duration.ofMinutes(1));

        assertThat(claims.allocate("y", GPU)).isEmpty();
    }

    private void fail(Entry claim) {
        assertThatThrownBy(() ->
                        claims.write(
                                claim,
                                new String[] {GPU},
                                _ -> {
                                    throw new StoreException("no answer in time");
                                }))
                .isInstanceOf(StoreException.class);
    }

    @Test
    void sameDeviceTwiceInOneClaimIsRejected() {
        assertThat(claims.allocate("x", GPU, GPU)).isPresent();
        assertThat(claims.allocate("x", GPU)).isEmpty();
    }

    @Test
    void adminAccessNeitherHoldsNorRequiresFreeDevices() {
        var admin = "{pool: p, device: gpu, adminAccess: true}";
        assertThat(claims.allocate("x", admin)).isEmpty();
        assertThat(claims.allocate("y", GPU)).isEmpty();
        assertThat(claims.allocate("z", admin)).isEmpty();
    }

    @Test
    void sharesMayNotExceedTheCapacityOfTheirDevice() {
        claims.publish("nic", NIC, NIC_DEVICES);
        assertThat(claims.allocate("a", share("eth", "1", "40G"))).isEmpty();
        assertThat(claims.allocate("b", share("eth", "2", "40G"))).isEmpty();
        assertThat(claims.allocate("c", share("eth", "3", "40G")).orElseThrow())
                .contains(
                        "device d/nic/eth has 100G of capacity bandwidth, of which 80G is consumed;"
                                + " 40G more does not fit");
        assertThat(claims.check("c", share("eth", "3", "20G"))).isEmpty();
        assertThat(claims.allocate("c", share("eth", "3", "20G"))).isEmpty();
        claims.deallocate("a");
        assertThat(claims.allocate("d", share("eth", "4", "40001M"))).isPresent();
        assertThat(claims.allocate("d", share("eth", "4", "40000M"))).isEmpty();
    }

    @Test
    void negativeAmountAddsNoCapacity() {
        claims.publish("nic", NIC, NIC_DEVICES);
        assertThat(claims.allocate("a", share("eth", "1", "-100G"))).isEmpty();
        assertThat(claims.allocate("b", share("eth", "2", "101G"))).isPresent();
    }

    @Test
    void sharesRequireMultipleAllocationsAndDistinctIds() {
        claims.publish("nic", NIC, NIC_DEVICES);
        assertThat(claims.allocate("a", share("plain", "1", "1G")).orElseThrow())
                .contains("does not allow multiple allocations");
        assertThat(claims.allocate("a", share("eth", "1", "1G"))).isEmpty();
        assertThat(claims.allocate("b", share("eth", "1", "1G")).orElseThrow())
                .contains("share s1 of device d/nic/eth is allocated to claim default/a");
    }

    @Test
    void deviceIsAllocatedExclusivelyOrInShares() {
        assertThat(claims.allocate("a", share("eth", "1", "1G"))).isEmpty();
        assertThat(claims.allocate("b", "{pool: nic, device: eth}").orElseThrow())
                .contains("default/a");
        claims.deallocate("a");
        assertThat(claims.allocate("b", "{pool: nic, device: eth}")).isEmpty();
        assertThat(claims.allocate("a", share("eth", "1", "1G")).orElseThrow())
                .contains("default/b exclusively");
    }

    @Test
    void devicesMayNotExceedTheSharedCountersOfTheirPool() {
        claims.publish("counters", PARTS, COUNTERS);
        claims.publish("parts", PARTS, PARTITIONS);
        assertThat(claims.allocate("a", part("half-0"))).isEmpty();
        assertThat(claims.allocate("b", part("whole")).orElseThrow())
                .contains(
                        "device d/parts/whole consumes 42949672960 of counter gpu/memory, of which"
                                + " 21474836480 is left");
        assertThat(claims.allocate("b", part("half-1"))).isEmpty();
        claims.delete("a");
        claims.deallocate("b");
        assertThat(claims.allocate("c", part("whole"))).isEmpty();
        assertThat(claims.allocate("a", part("half-0"))).isPresent();
    }

    @Test
    void devicesOfOneClaimAreAddedUp() {
        claims.publish("counters", PARTS, COUNTERS);
        claims.publish("parts", PARTS, PARTITIONS);
        assertThat(claims.allocate("a", part("half-0"), part("whole"))).isPresent();
        assertThat(claims.allocate("b", part("whole"))).isEmpty();
    }

    @Test
    void countersAndCapacitiesAreNotCheckedWhereSlicesAreIncomplete() {
        claims.publish("parts", PARTS, PARTITIONS);
        claims.publish("nic", NIC, NIC_DEVICES);
        claims.withdraw("nic");
        assertThat(claims.allocate("a", part("whole"), share("eth", "1", "90G"))).isEmpty();
        assertThat(claims.allocate("b", part("half-0"), share("eth", "2", "90G"))).isEmpty();
        claims.publish("counters", PARTS, COUNTERS);
        claims.publish("nic", NIC, NIC_DEVICES);
        assertThat(claims.allocate("c", part("half-1"))).isPresent();
        assertThat(claims.allocate("c", share("eth", "3", "1G"))).isPresent();
        claims.deallocate("a");
        assertThat(claims.allocate("c", share("eth", "3", "10G"))).isEmpty();
    }

    @Test
    void slicesOfSeveralGenerationsAreNotChecked() {
        claims.publish("nic", NIC, NIC_DEVICES);
        assertThat(claims.allocate("a", share("eth", "1", "90G"))).isEmpty();
        claims.publish("next", "{name: nic, generation: 2, resourceSliceCount: 1}", NIC_DEVICES);
        assertThat(claims.allocate("b", share("eth", "2", "90G"))).isEmpty();
        claims.withdraw("nic");
        assertThat(claims.allocate("c", share("eth", "3", "90G"))).isPresent();
    }

    @Test
    void restartedServerKnowsStoredAllocations() {
        claims.publish("nic", NIC, NIC_DEVICES);
        claims.allocate("a", share("eth", "1", "60G"), GPU);
        claims = new GuardedClaims(store);
        assertThat(claims.allocate("b", GPU)).isPresent();
        assertThat(claims.allocate("b", share("eth", "2", "60G"))).isPresent();
        assertThat(claims.allocate("b", share("eth", "2", "40G"))).isEmpty();
    }

    @Test
    void compactedChangesAreRecoveredByListing() {
        claims.publish("nic", NIC, NIC_DEVICES);
        claims.allocate("a", GPU);
        claims.deallocate("a");
        claims.allocate("b", share("eth", "1", "60G"));
        store.compact(store.revision());
        assertThat(claims.allocate("c", GPU)).isEmpty();
        claims.delete("b");
        store.compact(store.revision());
        assertThat(claims.allocate("d", share("eth", "1", "60G"))).isEmpty();
        assertThat(claims.allocate("e", GPU)).isPresent();
    }
}
