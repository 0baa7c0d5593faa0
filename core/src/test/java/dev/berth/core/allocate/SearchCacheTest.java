package dev.berth.core.allocate;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.core.allocate.rule.AllocatorFeature;
import dev.berth.core.ledger.Holdings;
import dev.berth.core.snapshot.ClusterSnapshot;
import dev.berth.core.testkit.random.RandomAllocation;
import dev.berth.model.api.claim.ResourceClaim;
import dev.berth.model.api.claim.ShareId;
import dev.berth.model.api.meta.ObjectMeta;
import dev.berth.model.api.node.Node;
import dev.berth.model.api.slice.DeviceId;
import dev.berth.model.api.slice.NodeScope;
import dev.berth.model.api.slice.ResourcePool;
import dev.berth.model.api.slice.ResourceSlice;
import dev.berth.model.api.slice.ResourceSliceSpec;
import dev.berth.model.api.slice.SliceScope;
import dev.berth.model.quantity.Quantity;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import org.junit.jupiter.api.Test;

/// Cached search results on equal nodes must equal the result of a search.
class SearchCacheTest {

    private static final int REQUESTS = Integer.getInteger("berth.precedent.questions", 10_000);

    private final Allocator allocator = new Allocator(Allocator.DEFAULT_BUDGET);

    @Test
    void cachedResultOnAnEqualNodeEqualsASearch() {
        var allocated = 0;
        for (var seed = 0; seed < REQUESTS; seed++) {
            var allocationRequest = RandomAllocation.of(seed);
            var alike = renamed(allocationRequest, seed % 2 == 0);
            var first = ClusterSnapshot.empty(AllocatorFeature.rules(allocationRequest.features()));
            first = first.with(allocationRequest.node()).with(allocationRequest.slices());
            // Derived from the first, so that equal values are the same object, as in a cluster.
            var second = first;
            for (var slice : allocationRequest.slices()) {
                second = second.withoutSlice(slice.metadata().name());
            }
            second = second.with(alike.node()).with(alike.slices());
            assertAnswer(seed, allocationRequest, first);
            allocated +=
                    assertAnswer(seed, alike, second) instanceof AllocationOutcome.Allocated
                            ? 1
                            : 0;
        }
        assertThat(allocated).isGreaterThan(REQUESTS / 4);
    }

    private AllocationOutcome assertAnswer(
            long seed, AllocationRequest allocationRequest, ClusterSnapshot snapshot) {
        var classes = snapshot;
        for (var one : allocationRequest.classes()) {
            classes = classes.with(one);
        }
        var reusing =
                new NodeAllocationRequest(
                        allocationRequest.node(),
                        classes.inventory().pools(allocationRequest.node().name()),
                        classes.inventory().classes(),
                        allocationRequest.features(),
                        allocationRequest.holdings(),
                        allocationRequest.claims(),
                        DeviceOrder.FIRST,
                        true);
        var outcome = allocator.allocate(reusing, () -> "share").outcome();
        var alone = allocationRequest.toNodeRequest(DeviceOrder.FIRST);
        var searched = allocator.allocate(alone, () -> "share").outcome();
        assertThat(outcome.toString()).as("seed %d", seed).isEqualTo(searched.toString());
        return outcome;
    }

    /// The same request on another node, with pools in the same or reverse order.
    private static AllocationRequest renamed(
            AllocationRequest allocationRequest, boolean reversed) {
        var node = allocationRequest.node();
        return new AllocationRequest(
                allocationRequest.features(),
                new Node(
                        ObjectMeta.of("alike").withLabels(node.metadata().labels()),
                        node.spec(),
                        node.status()),
                allocationRequest.classes(),
                allocationRequest.slices().stream()
                        .map(slice -> renamed(slice, node, reversed))
                        .toList(),
                renamed(allocationRequest.holdings(), reversed),
                allocationRequest.claims().stream().map(SearchCacheTest::renamed).toList());
    }

    private static ResourceSlice renamed(ResourceSlice slice, Node node, boolean reversed) {
        var spec = slice.spec();
        var pool = spec.pool();
        var ofNode = new NodeScope.OneNode(node.name());
        SliceScope scope =
                spec.scope().equals(ofNode) ? new NodeScope.OneNode("alike") : spec.scope();
        return new ResourceSlice(
                ObjectMeta.of("alike-" + slice.metadata().name()),
                new ResourceSliceSpec(
                        spec.driver(),
                        new ResourcePool(
                                renamed(pool.name(), reversed),
                                pool.generation(),
                                pool.resourceSliceCount()),
                        scope,
                        spec.devices(),
                        spec.sharedCounters(),
                        spec.partitionTypeAttribute(),
                        spec.skipNodeOperations()));
    }

    private static Holdings renamed(Holdings holdings, boolean reversed) {
        var exclusive = new HashSet<DeviceId>();
        holdings.exclusive().forEach(id -> exclusive.add(renamed(id, reversed)));
        var shares = new HashSet<ShareId>();
        for (var share : holdings.shares()) {
            shares.add(new ShareId(renamed(share.device(), reversed), "other-" + share.share()));
        }
        var consumed = new HashMap<DeviceId, Map<String, Quantity>>();
        holdings.consumed().forEach((id, sums) -> consumed.put(renamed(id, reversed), sums));
        return new Holdings(exclusive, shares, consumed);
    }

    private static DeviceId renamed(DeviceId id, boolean reversed) {
        return new DeviceId(id.driver(), renamed(id.pool(), reversed), id.device());
    }

    private static String renamed(String pool, boolean reversed) {
        var last = pool.charAt(pool.length() - 1);
        return "alike-" + (reversed ? (char) ('a' + 'z' - last) : last);
    }

    private static ResourceClaim renamed(ResourceClaim claim) {
        var name = "alike-" + claim.metadata().name();
        return new ResourceClaim(
                ObjectMeta.of(claim.metadata().namespace(), name), claim.spec(), claim.status());
    }
}
