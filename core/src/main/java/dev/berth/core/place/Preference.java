package dev.berth.core.place;

import dev.berth.core.allocate.SearchPolicy;
import dev.berth.core.inventory.Locality;
import dev.berth.core.inventory.NodeSelectors;
import dev.berth.model.api.AllocationResult;
import dev.berth.model.api.DeviceId;
import dev.berth.model.api.DeviceRequest;
import dev.berth.model.api.Node;
import dev.berth.model.api.NodeSelector;
import dev.berth.model.api.NodeTaintEffect;
import dev.berth.model.api.ResourceClaim;
import dev.berth.model.quantity.Quantity;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.ToLongFunction;

/// Which of several nodes that fit is best.
///
/// The weights are those of Kubernetes' defaults, for the scores that depend on what we model: free
/// CPU and memory, preferred nodes, taints to avoid, and early alternatives of requests. Where
/// Kubernetes tosses a coin, the first node by name is taken.
final class Preference {

    /// The score of the best; finer than Kubernetes', whose coin decides between near equals.
    private static final long FULL = 10_000;

    private static final long TAINT_WEIGHT = 3;
    private static final long AFFINITY_WEIGHT = 2;
    private static final long ALTERNATIVE_WEIGHT = 2;
    private static final long MAX_ALTERNATIVES = 8;

    private final Fleet fleet;
    private final Question question;
    private final Occupancy state;
    private final SearchPolicy policy;

    Preference(Fleet fleet, Question question, Occupancy state, SearchPolicy policy) {
        this.fleet = fleet;
        this.question = question;
        this.state = state;
        this.policy = policy;
    }

    Optional<Verdict.Fits> best(List<Verdict.Fits> fitting) {
        if (fitting.size() < 2) {
            return fitting.stream().findFirst();
        }
        var candidates =
                switch (policy) {
                    case KUBERNETES -> fitting;
                    case PACK -> least(fitting, this::freeDevices);
                    case ALIGNED -> least(fitting, this::spots);
                };
        var scores = scores(candidates);
        var best = 0;
        for (var i = 1; i < scores.length; i++) {
            if (scores[i] > scores[best]) {
                best = i;
            }
        }
        return Optional.of(candidates.get(best));
    }

    private static List<Verdict.Fits> least(
            List<Verdict.Fits> fitting, ToLongFunction<Verdict.Fits> cost) {
        var costs = fitting.stream().mapToLong(cost).toArray();
        var least = Long.MAX_VALUE;
        for (var one : costs) {
            least = Math.min(least, one);
        }
        var cheapest = new ArrayList<Verdict.Fits>();
        for (var i = 0; i < costs.length; i++) {
            if (costs[i] == least) {
                cheapest.add(fitting.get(i));
            }
        }
        return cheapest;
    }

    /// How many devices of the node nobody holds.
    private long freeDevices(Verdict.Fits fits) {
        var seen = fleet.pools(fits.node());
        var held = state.holdings(seen);
        var total = seen.stream().mapToLong(pool -> pool.size()).sum();
        var shared = new HashSet<DeviceId>();
        held.shares().forEach(share -> shared.add(share.device()));
        return total - held.exclusive().size() - shared.size();
    }

    /// Over how many places in the machine the devices are spread.
    private long spots(Verdict.Fits fits) {
        var roots = new HashSet<List<String>>();
        var numas = new HashSet<List<Long>>();
        for (var result : fits.results()) {
            for (var device : result.devices()) {
                for (var pool : fleet.pools(fits.node())) {
                    if (pool.id().equals(device.id().poolId())) {
                        pool.row(device.id().device())
                                .ifPresent(row -> {
                                    var locality = Locality.of(pool.attributes(row));
                                    roots.add(locality.pcieRoots());
                                    numas.add(locality.numaNodes());
                                });
                    }
                }
            }
        }
        return (long) numas.size() * fits.results().size() * FULL + roots.size();
    }

    private long[] scores(List<Verdict.Fits> fitting) {
        var sums = new long[fitting.size()];
        for (var i = 0; i < sums.length; i++) {
            sums[i] = room(fitting.get(i));
        }
        add(sums, fitting, TAINT_WEIGHT, true, this::taintsToAvoid);
        add(sums, fitting, AFFINITY_WEIGHT, false, this::liking);
        add(sums, fitting, ALTERNATIVE_WEIGHT, false, this::alternatives);
        return sums;
    }

    /// Adds a score, stretched so that the best node has the full score.
    private static void add(
            long[] sums,
            List<Verdict.Fits> fitting,
            long weight,
            boolean lessIsBetter,
            ToLongFunction<Verdict.Fits> score) {
        var raw = fitting.stream().mapToLong(score).toArray();
        var most = 0L;
        for (var one : raw) {
            most = Math.max(most, one);
        }
        for (var i = 0; i < raw.length && most > 0; i++) {
            var share = raw[i] * FULL / most;
            sums[i] += weight * (lessIsBetter ? FULL - share : share);
        }
    }

    private Node node(Verdict.Fits fits) {
        return fleet.node(fits.node()).orElseThrow();
    }

    /// The free share of CPU and memory, once the pod is there.
    private long room(Verdict.Fits fits) {
        var offered = NodeFilters.offered(node(fits));
        var used = state.use(fits.node()).assumed();
        var asked = Requests.forScore(question.pod());
        var sum = 0L;
        for (var name : List.of("cpu", "memory")) {
            sum += room(name, offered, used, asked);
        }
        return sum / 2;
    }

    private static long room(
            String name,
            Map<String, Quantity> offered,
            Map<String, Quantity> used,
            Map<String, Quantity> asked) {
        var total = offered.getOrDefault(name, Quantity.ZERO).milliRoundedUp();
        var taken =
                used.getOrDefault(name, Quantity.ZERO)
                        .plus(asked.getOrDefault(name, Quantity.ZERO))
                        .milliRoundedUp();
        return total == 0 || taken > total
                ? 0
                : Math.round((total - taken) * (double) FULL / total);
    }

    private long taintsToAvoid(Verdict.Fits fits) {
        return node(fits).spec().taints().stream()
                .filter(taint -> taint.effect() == NodeTaintEffect.Known.PREFER_NO_SCHEDULE)
                .filter(taint -> !NodeFilters.tolerates(question.pod().spec().tolerations(), taint))
                .count();
    }

    private long liking(Verdict.Fits fits) {
        var node = node(fits);
        return question.pod().spec().affinity().stream()
                .flatMap(affinity -> affinity.nodeAffinity().stream())
                .flatMap(affinity -> affinity.preferred().stream())
                .filter(wish -> NodeSelectors.matches(new NodeSelector(List.of(wish.term())), node))
                .mapToLong(wish -> wish.weight())
                .sum();
    }

    private long alternatives(Verdict.Fits fits) {
        var sum = 0L;
        for (var given : question.given(fits)) {
            sum += alternatives(given.claim(), given.result());
        }
        for (var claim : question.allocated()) {
            sum += alternatives(claim, claim.status().allocation().orElseThrow());
        }
        return sum;
    }

    private static long alternatives(ResourceClaim claim, AllocationResult result) {
        var sum = 0L;
        for (var request : claim.spec().requests()) {
            if (request instanceof DeviceRequest.FirstAvailable(var name, var all)) {
                for (var i = 0; i < all.size(); i++) {
                    var full = name + "/" + all.get(i).name();
                    if (result.devices().stream().anyMatch(d -> d.request().equals(full))) {
                        sum += MAX_ALTERNATIVES - i;
                    }
                }
            }
        }
        return sum;
    }
}
