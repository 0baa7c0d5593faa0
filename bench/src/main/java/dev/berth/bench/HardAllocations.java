package dev.berth.bench;

import dev.berth.bench.SingleNodePool.Listing;
import dev.berth.core.allocate.AllocationRequest;
import dev.berth.model.api.claim.ResourceClaim;
import dev.berth.model.api.slice.Device;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.IntFunction;
import java.util.stream.Stream;

/// Allocation requests on one node for which a search by plain backtracking takes seconds to years.
///
/// A claim can have at most 32 devices, which bounds the size of some.
final class HardAllocations {

    /// An allocation request with its size and whether it has a solution.
    record Hard(String name, int size, boolean fits, AllocationRequest request) {
        @Override
        public String toString() {
            return name + "/" + size;
        }
    }

    private record Family(
            boolean fits, IntFunction<AllocationRequest> request, List<Integer> sizes) {}

    private static final int SLOTS = 8;

    private static final Map<String, Family> FAMILIES =
            Map.ofEntries(
                    Map.entry("A", new Family(false, HardAllocations::a, List.of(8, 16))),
                    Map.entry("B", new Family(false, HardAllocations::b, List.of(8, 16))),
                    Map.entry("D", new Family(true, HardAllocations::d, List.of(8, 16))),
                    Map.entry("E", new Family(false, HardAllocations::e, List.of(8, 16))),
                    Map.entry("F", new Family(false, HardAllocations::f, List.of(26, 31))),
                    Map.entry("G", new Family(false, HardAllocations::g, List.of(20, 31))),
                    Map.entry("G2", new Family(false, HardAllocations::g2, List.of(8, 16))),
                    Map.entry("H", new Family(false, HardAllocations::h, List.of(10, 15))),
                    Map.entry("I", new Family(true, HardAllocations::i, List.of(6, 12))),
                    Map.entry("J", new Family(true, HardAllocations::j, List.of(8, 16))),
                    Map.entry("K", new Family(false, HardAllocations::k, List.of(5, 10))),
                    Map.entry("L", new Family(false, HardAllocations::l, List.of(8, 16))),
                    Map.entry("M", new Family(false, HardAllocations::m, List.of(8, 16))),
                    Map.entry("N", new Family(false, HardAllocations::n, List.of(7, 14))),
                    Map.entry("pairs", new Family(true, HardAllocations::pairs, List.of(2, 4, 8))),
                    Map.entry("full", new Family(true, HardAllocations::full, List.of(2, 4, 8))),
                    Map.entry(
                            "corner", new Family(true, HardAllocations::corner, List.of(2, 4, 8))),
                    Map.entry(
                            "rising", new Family(true, HardAllocations::rising, List.of(2, 4, 8))),
                    Map.entry("odd", new Family(false, HardAllocations::odd, List.of(2, 4, 8))),
                    Map.entry(
                            "crowded",
                            new Family(false, HardAllocations::crowded, List.of(2, 4, 8))),
                    Map.entry(
                            "claims", new Family(true, HarderAllocations::claims, List.of(8, 16))),
                    Map.entry(
                            "together",
                            new Family(false, HarderAllocations::together, List.of(8, 16))),
                    Map.entry("nested", new Family(true, HarderAllocations::nested, List.of(3, 6))),
                    Map.entry(
                            "nested+1",
                            new Family(false, HarderAllocations::nestedTooMany, List.of(3, 6))),
                    Map.entry("bins", new Family(false, HarderAllocations::bins, List.of(7, 14))),
                    Map.entry(
                            "pigeons",
                            new Family(false, HarderAllocations::pigeons, List.of(15, 31))),
                    Map.entry(
                            "spoiled",
                            new Family(true, HarderAllocations::spoiled, List.of(8, 16))),
                    Map.entry(
                            "lists", new Family(true, HarderAllocations::lists, List.of(16, 32))));

    private HardAllocations() {}

    static Stream<Hard> all() {
        return FAMILIES.entrySet().stream()
                .sorted(Map.Entry.comparingByKey())
                .flatMap(entry -> ofFamily(entry.getKey(), entry.getValue()));
    }

    /// The request with a name such as `A/8`.
    static Hard named(String name) {
        return all().filter(hard -> hard.toString().equals(name)).findFirst().orElseThrow();
    }

    private static Stream<Hard> ofFamily(String name, Family family) {
        var requests = new ArrayList<Hard>();
        for (var size : family.sizes) {
            requests.add(new Hard(name, size, family.fits, family.request.apply(size)));
        }
        return requests.stream();
    }

    /// As many GPUs as NICs, of which all but one pair share a PCIe root; pairs are requested one
    /// after the other.
    static AllocationRequest a(int n) {
        return SingleNodePool.of(almostPaired(n)).request(interleavedPairs(n));
    }

    /// Like `a`, with all GPUs requested before all NICs.
    static AllocationRequest b(int n) {
        return SingleNodePool.of(almostPaired(n)).request(pairsGpusFirst(n));
    }

    /// `n + 1` pairs, two of them with one allocated device; `n - 1` pairs are requested.
    static AllocationRequest d(int n) {
        return SingleNodePool.of(paired(n + 1))
                .withBusy("nic-0", "gpu-" + n)
                .request(pairsGpusFirst(n - 1));
    }

    /// Pairs, two of them with one allocated device; one pair more than available is requested.
    static AllocationRequest e(int n) {
        return SingleNodePool.of(paired(n))
                .withBusy("nic-0", "gpu-" + (n - 1))
                .request(interleavedPairs(n - 1));
    }

    private static List<Device> paired(int pairs) {
        var devices = new ArrayList<Device>();
        for (var i = 0; i < pairs; i++) {
            devices.add(SingleNodePool.device("gpu-" + i, "gpu", "root-" + i));
        }
        for (var i = 0; i < pairs; i++) {
            devices.add(SingleNodePool.device("nic-" + i, "nic", "root-" + i));
        }
        return devices;
    }

    private static List<Device> almostPaired(int pairs) {
        var devices = new ArrayList<>(paired(pairs));
        devices.set(2 * pairs - 1, SingleNodePool.device("nic-" + (pairs - 1), "nic", "elsewhere"));
        return devices;
    }

    private static List<ResourceClaim> interleavedPairs(int pairs) {
        var claim = new ClaimBuilder();
        for (var i = 0; i < pairs; i++) {
            claim.request("gpu" + i, "gpu", 1).request("nic" + i, "nic", 1);
        }
        return matched(claim, pairs);
    }

    private static List<ResourceClaim> pairsGpusFirst(int pairs) {
        var claim = new ClaimBuilder();
        for (var i = 0; i < pairs; i++) {
            claim.request("gpu" + i, "gpu", 1);
        }
        for (var i = 0; i < pairs; i++) {
            claim.request("nic" + i, "nic", 1);
        }
        return matched(claim, pairs);
    }

    private static List<ResourceClaim> matched(ClaimBuilder claim, int pairs) {
        for (var i = 0; i < pairs; i++) {
            claim.inOneGroup("gpu" + i, "nic" + i);
        }
        return claim.only();
    }

    /// Requests one device more than available.
    static AllocationRequest f(int n) {
        return SingleNodePool.of(SingleNodePool.equal("gpu", n))
                .request(new ClaimBuilder().request("many", "gpu", n + 1).only());
    }

    /// Requests one device of a group more than any group has.
    static AllocationRequest g(int n) {
        return SingleNodePool.of(groupsOf(n))
                .request(new ClaimBuilder().request("many", "gpu", n + 1).inOneGroup().only());
    }

    /// Like `g`, with a request for each device.
    static AllocationRequest g2(int n) {
        return SingleNodePool.of(groupsOf(n))
                .request(new ClaimBuilder().requestSingles("gpu", n + 1).inOneGroup().only());
    }

    private static List<Device> groupsOf(int n) {
        var devices = new ArrayList<Device>();
        for (var i = 0; i < 100; i++) {
            devices.add(SingleNodePool.device("gpu-" + i, "gpu", "group-" + i / n));
        }
        return devices;
    }

    /// Two partitions fit on a GPU; one more is requested.
    static AllocationRequest h(int n) {
        return SingleNodePool.partitioned(n, Listing.BY_GPU)
                .request(new ClaimBuilder().request("thirds", "3g", 2 * n + 1).only());
    }

    /// Seven small partitions must share a GPU, since all other GPUs are requested whole.
    static AllocationRequest i(int n) {
        return SingleNodePool.partitioned(n, Listing.BY_PROFILE).request(sevenSmallRestWhole(n));
    }

    /// Like `i`, where the search order happens to be right.
    static AllocationRequest j(int n) {
        return SingleNodePool.partitioned(n, Listing.BY_GPU).request(sevenSmallRestWhole(n));
    }

    private static List<ResourceClaim> sevenSmallRestWhole(int n) {
        return new ClaimBuilder().request("small", "1g", 7).request("whole", "7g", n - 1).only();
    }

    /// All requests but the last can be served in many ways; the last one cannot be served.
    static AllocationRequest k(int n) {
        var claim = new ClaimBuilder();
        for (var i = 0; i < n; i++) {
            claim.requestOneOf("any-" + i, "gpu", 8);
        }
        return SingleNodePool.of(SingleNodePool.equal("gpu", SLOTS))
                .request(claim.request("last", "none", 1).only());
    }

    /// Like `k`, without alternatives.
    static AllocationRequest l(int n) {
        return SingleNodePool.of(SingleNodePool.equal("gpu", Math.max(n, SLOTS)))
                .request(
                        new ClaimBuilder()
                                .requestSingles("gpu", n)
                                .request("last", "none", 1)
                                .only());
    }

    /// Like `l`, with a claim for each request.
    static AllocationRequest m(int n) {
        var claims = new ArrayList<ResourceClaim>();
        for (var i = 0; i < n; i++) {
            claims.add(new ClaimBuilder().request("one", "gpu", 1).claim("claim-" + i));
        }
        claims.add(new ClaimBuilder().request("last", "none", 1).claim("last"));
        return SingleNodePool.of(SingleNodePool.equal("gpu", Math.max(n, SLOTS))).request(claims);
    }

    /// Like `l`, with twice the devices.
    static AllocationRequest n(int n) {
        return SingleNodePool.of(SingleNodePool.equal("gpu", 2 * SLOTS))
                .request(
                        new ClaimBuilder()
                                .requestSingles("gpu", n)
                                .request("last", "none", 1)
                                .only());
    }

    /// A 4g and a 3g fill a GPU, unless the 3g, which comes first, takes the position of the 4g.
    static AllocationRequest pairs(int gpus) {
        return partitions(
                gpus, new ClaimBuilder().request("c", "3g", gpus).request("d", "4g", gpus));
    }

    /// Two 1g, a 2g and a 3g fill a GPU to the last slice.
    static AllocationRequest full(int gpus) {
        return partitions(
                gpus,
                new ClaimBuilder()
                        .request("a", "1g", 2 * gpus)
                        .request("b", "2g", gpus)
                        .request("c", "3g", gpus));
    }

    /// 3g partitions fill all GPUs but half of one, which the 1g partitions need.
    static AllocationRequest corner(int gpus) {
        return partitions(
                gpus, new ClaimBuilder().request("a", "1g", 4).request("c", "3g", 2 * gpus - 1));
    }

    /// A 1g, a 2g and a 4g consume all compute slices of a GPU.
    static AllocationRequest rising(int gpus) {
        return partitions(
                gpus,
                new ClaimBuilder()
                        .request("a", "1g", gpus)
                        .request("b", "2g", gpus)
                        .request("d", "4g", gpus));
    }

    /// Half of the GPUs can hold a 4g and one 2g, the others three 2g; one more is requested,
    /// although the sums of memory and compute over all GPUs would suffice.
    static AllocationRequest odd(int gpus) {
        var halves = gpus / 2;
        return partitions(
                gpus,
                new ClaimBuilder()
                        .request("b", "2g", 3 * gpus - 2 * halves + 1)
                        .request("d", "4g", halves));
    }

    /// A GPU with a 4g has space for one 2g, and one more is requested, although the sums over all
    /// GPUs would suffice.
    static AllocationRequest crowded(int gpus) {
        return partitions(
                gpus,
                new ClaimBuilder()
                        .request("a", "1g", gpus - 2)
                        .request("b", "2g", gpus + 1)
                        .request("d", "4g", gpus));
    }

    private static AllocationRequest partitions(int gpus, ClaimBuilder claim) {
        return SingleNodePool.partitioned(gpus, Listing.BY_PROFILE).request(claim.only());
    }
}
