package dev.berth.bench;

import dev.berth.bench.SingleNodePool.Listing;
import dev.berth.core.allocate.AllocationRequest;
import dev.berth.model.api.Device;
import dev.berth.model.api.ResourceClaim;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.IntFunction;
import java.util.stream.Stream;

/// Questions about one node on which a search that only tries and gives back takes seconds to
/// years.
///
/// A claim can have 32 devices, which bounds how large some of them get.
final class HardAllocations {

    /// A question of some size, and whether it has an answer.
    record Hard(String name, int size, boolean fits, AllocationRequest question) {
        @Override
        public String toString() {
            return name + "/" + size;
        }
    }

    private record Family(
            boolean fits, IntFunction<AllocationRequest> question, List<Integer> sizes) {}

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

    /// The question of a name such as `A/8`.
    static Hard named(String name) {
        return all().filter(hard -> hard.toString().equals(name)).findFirst().orElseThrow();
    }

    private static Stream<Hard> ofFamily(String name, Family family) {
        var questions = new ArrayList<Hard>();
        for (var size : family.sizes) {
            questions.add(new Hard(name, size, family.fits, family.question.apply(size)));
        }
        return questions.stream();
    }

    /// As many GPUs as NICs, of which all but one pair share a root; pair after pair is wanted.
    static AllocationRequest a(int n) {
        return SingleNodePool.of(almostPaired(n)).question(interleavedPairs(n));
    }

    /// The same, with all GPUs wanted before all NICs.
    static AllocationRequest b(int n) {
        return SingleNodePool.of(almostPaired(n)).question(pairsGpusFirst(n));
    }

    /// One pair more than `n`, of which two are broken by a busy half, and `n - 1` wanted.
    static AllocationRequest d(int n) {
        return SingleNodePool.of(paired(n + 1))
                .withBusy("nic-0", "gpu-" + n)
                .question(pairsGpusFirst(n - 1));
    }

    /// Pairs of which two are broken by a busy half, and one more wanted than are left.
    static AllocationRequest e(int n) {
        return SingleNodePool.of(paired(n))
                .withBusy("nic-0", "gpu-" + (n - 1))
                .question(interleavedPairs(n - 1));
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
        var wishes = new ClaimBuilder();
        for (var i = 0; i < pairs; i++) {
            wishes.want("gpu" + i, "gpu", 1).want("nic" + i, "nic", 1);
        }
        return matched(wishes, pairs);
    }

    private static List<ResourceClaim> pairsGpusFirst(int pairs) {
        var wishes = new ClaimBuilder();
        for (var i = 0; i < pairs; i++) {
            wishes.want("gpu" + i, "gpu", 1);
        }
        for (var i = 0; i < pairs; i++) {
            wishes.want("nic" + i, "nic", 1);
        }
        return matched(wishes, pairs);
    }

    private static List<ResourceClaim> matched(ClaimBuilder wishes, int pairs) {
        for (var i = 0; i < pairs; i++) {
            wishes.inOneGroup("gpu" + i, "nic" + i);
        }
        return wishes.only();
    }

    /// One more than there are.
    static AllocationRequest f(int n) {
        return SingleNodePool.of(SingleNodePool.alike("gpu", n))
                .question(new ClaimBuilder().want("many", "gpu", n + 1).only());
    }

    /// One more of a group than any group has.
    static AllocationRequest g(int n) {
        return SingleNodePool.of(groupsOf(n))
                .question(new ClaimBuilder().want("many", "gpu", n + 1).inOneGroup().only());
    }

    /// The same, one by one.
    static AllocationRequest g2(int n) {
        return SingleNodePool.of(groupsOf(n))
                .question(new ClaimBuilder().wantSingles("gpu", n + 1).inOneGroup().only());
    }

    private static List<Device> groupsOf(int n) {
        var devices = new ArrayList<Device>();
        for (var i = 0; i < 100; i++) {
            devices.add(SingleNodePool.device("gpu-" + i, "gpu", "group-" + i / n));
        }
        return devices;
    }

    /// Two partitions fit on a GPU, and one more is wanted.
    static AllocationRequest h(int n) {
        return SingleNodePool.partitioned(n, Listing.BY_GPU)
                .question(new ClaimBuilder().want("thirds", "3g", 2 * n + 1).only());
    }

    /// Seven small partitions must share a GPU, for all others are wanted whole.
    static AllocationRequest i(int n) {
        return SingleNodePool.partitioned(n, Listing.BY_PROFILE).question(sevenSmallRestWhole(n));
    }

    /// The same, where trying in order happens to be right.
    static AllocationRequest j(int n) {
        return SingleNodePool.partitioned(n, Listing.BY_GPU).question(sevenSmallRestWhole(n));
    }

    private static List<ResourceClaim> sevenSmallRestWhole(int n) {
        return new ClaimBuilder().want("small", "1g", 7).want("whole", "7g", n - 1).only();
    }

    /// Many ways to serve all requests but the last, which cannot be served.
    static AllocationRequest k(int n) {
        var wishes = new ClaimBuilder();
        for (var i = 0; i < n; i++) {
            wishes.wantOneOf("any-" + i, "gpu", 8);
        }
        return SingleNodePool.of(SingleNodePool.alike("gpu", SLOTS))
                .question(wishes.want("last", "none", 1).only());
    }

    /// The same without alternatives.
    static AllocationRequest l(int n) {
        return SingleNodePool.of(SingleNodePool.alike("gpu", Math.max(n, SLOTS)))
                .question(new ClaimBuilder().wantSingles("gpu", n).want("last", "none", 1).only());
    }

    /// The same, a claim each.
    static AllocationRequest m(int n) {
        var claims = new ArrayList<ResourceClaim>();
        for (var i = 0; i < n; i++) {
            claims.add(new ClaimBuilder().want("one", "gpu", 1).claim("claim-" + i));
        }
        claims.add(new ClaimBuilder().want("last", "none", 1).claim("last"));
        return SingleNodePool.of(SingleNodePool.alike("gpu", Math.max(n, SLOTS))).question(claims);
    }

    /// The same with twice the devices.
    static AllocationRequest n(int n) {
        return SingleNodePool.of(SingleNodePool.alike("gpu", 2 * SLOTS))
                .question(new ClaimBuilder().wantSingles("gpu", n).want("last", "none", 1).only());
    }

    /// A 4g and a 3g fill a GPU, if the 3g, which comes first, does not take the place of the 4g.
    static AllocationRequest pairs(int gpus) {
        return partitions(gpus, new ClaimBuilder().want("c", "3g", gpus).want("d", "4g", gpus));
    }

    /// Two 1g, a 2g and a 3g fill a GPU to the last slice.
    static AllocationRequest full(int gpus) {
        return partitions(
                gpus,
                new ClaimBuilder()
                        .want("a", "1g", 2 * gpus)
                        .want("b", "2g", gpus)
                        .want("c", "3g", gpus));
    }

    /// Two 3g fill all GPUs but half of one, into which the 1g must go.
    static AllocationRequest corner(int gpus) {
        return partitions(
                gpus, new ClaimBuilder().want("a", "1g", 4).want("c", "3g", 2 * gpus - 1));
    }

    /// A 1g, a 2g and a 4g take all computing of a GPU.
    static AllocationRequest rising(int gpus) {
        return partitions(
                gpus,
                new ClaimBuilder()
                        .want("a", "1g", gpus)
                        .want("b", "2g", gpus)
                        .want("d", "4g", gpus));
    }

    /// Half of the GPUs have a 4g and room for one 2g, the others for three; one more is wanted,
    /// though memory and computing would do if they could be moved between GPUs.
    static AllocationRequest odd(int gpus) {
        var halves = gpus / 2;
        return partitions(
                gpus,
                new ClaimBuilder()
                        .want("b", "2g", 3 * gpus - 2 * halves + 1)
                        .want("d", "4g", halves));
    }

    /// Beside a 4g there is room for one 2g, and one more is wanted; again the sums would do.
    static AllocationRequest crowded(int gpus) {
        return partitions(
                gpus,
                new ClaimBuilder()
                        .want("a", "1g", gpus - 2)
                        .want("b", "2g", gpus + 1)
                        .want("d", "4g", gpus));
    }

    private static AllocationRequest partitions(int gpus, ClaimBuilder wishes) {
        return SingleNodePool.partitioned(gpus, Listing.BY_PROFILE).question(wishes.only());
    }
}
