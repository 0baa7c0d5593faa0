package dev.berth.core.place;

import dev.berth.core.allocate.SearchPolicy;
import dev.berth.core.inventory.Locality;
import dev.berth.core.inventory.NodeSelectors;
import dev.berth.model.api.AllocationResult;
import dev.berth.model.api.DeviceId;
import dev.berth.model.api.DeviceRequest;
import dev.berth.model.api.Node;
import dev.berth.model.api.NodeSelector;
import dev.berth.model.api.NodeTaint;
import dev.berth.model.api.NodeTaintEffect;
import dev.berth.model.api.ResourceClaim;
import dev.berth.model.quantity.Quantity;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.ToLongFunction;

/// Which of several nodes that fit is best.
///
/// The weights are those of Kubernetes' defaults, for the scores that depend on what we model: free
/// CPU and memory and their balance, preferred nodes and neighbours, an even spread, taints to
/// avoid, and early alternatives of requests. Where Kubernetes tosses a coin, the first node by
/// name is taken.
final class Preference {

    /// The score of the best; finer than Kubernetes', whose coin decides between near equals.
    private static final long FULL = 10_000;

    private static final long TAINT_WEIGHT = 3;
    private static final long AFFINITY_WEIGHT = 2;
    private static final long SPREAD_WEIGHT = 2;
    private static final long COMPANY_WEIGHT = 2;
    private static final long ALTERNATIVE_WEIGHT = 2;
    private static final long MAX_ALTERNATIVES = 8;

    private final Fleet fleet;
    private final Namespaces namespaces;
    private final Question question;
    private final Occupancy state;
    private final SearchPolicy policy;

    Preference(
            Fleet fleet,
            Namespaces namespaces,
            Question question,
            Occupancy state,
            SearchPolicy policy) {
        this.fleet = fleet;
        this.namespaces = namespaces;
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
        var scores = scores(candidates.stream().map(this::candidate).toList());
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
        for (var given : fits.given()) {
            for (var device : given.result().devices()) {
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
        return (long) numas.size() * fits.given().size() * FULL + roots.size();
    }

    private record Candidate(Verdict.Fits fits, Node node) {}

    private Candidate candidate(Verdict.Fits fits) {
        return new Candidate(fits, fleet.node(fits.node()).orElseThrow());
    }

    private long[] scores(List<Candidate> fitting) {
        var sums = new long[fitting.size()];
        var forScore = Requests.forScore(question.pod(), List.of());
        var asked = Requests.of(question.pod());
        for (var i = 0; i < sums.length; i++) {
            sums[i] = room(fitting.get(i), forScore) + balance(fitting.get(i), asked);
        }
        add(sums, fitting, TAINT_WEIGHT, true, this::taintsToAvoid);
        if (question.pod().spec().affinity().isPresent()) {
            add(sums, fitting, AFFINITY_WEIGHT, false, this::liking);
        }
        addSpread(sums, fitting);
        addCompany(sums, fitting);
        if (hasAlternatives(question.wanted()) || hasAlternatives(question.allocated())) {
            add(sums, fitting, ALTERNATIVE_WEIGHT, false, this::alternatives);
        }
        return sums;
    }

    private static boolean hasAlternatives(List<ResourceClaim> claims) {
        return claims.stream()
                .flatMap(claim -> claim.spec().requests().stream())
                .anyMatch(DeviceRequest.FirstAvailable.class::isInstance);
    }

    private void addSpread(long[] sums, List<Candidate> fitting) {
        var nodes = fitting.stream().map(Candidate::node).toList();
        var wish = new SpreadWish(question.pod(), state.crowd(), fleet, nodes);
        if (wish.isNone()) {
            return;
        }
        var crowding = nodes.stream().map(wish::crowding).toList();
        var all = crowding.stream().flatMapToLong(OptionalLong::stream).summaryStatistics();
        for (var i = 0; i < sums.length; i++) {
            if (crowding.get(i).isPresent()) {
                var lead = all.getMax() + all.getMin() - crowding.get(i).getAsLong();
                sums[i] += SPREAD_WEIGHT * (all.getMax() == 0 ? FULL : lead * FULL / all.getMax());
            }
        }
    }

    private void addCompany(long[] sums, List<Candidate> fitting) {
        var look = PodLook.of(question.pod());
        var wish = new CompanyWish(look, state.crowd(), fleet, namespaces);
        var liking = fitting.stream().mapToLong(one -> wish.liking(one.node)).toArray();
        var all = Arrays.stream(liking).summaryStatistics();
        var range = all.getMax() - all.getMin();
        for (var i = 0; i < sums.length && range > 0; i++) {
            sums[i] += COMPANY_WEIGHT * ((liking[i] - all.getMin()) * FULL / range);
        }
    }

    /// Adds a score, stretched so that the best node has the full score.
    private static void add(
            long[] sums,
            List<Candidate> fitting,
            long weight,
            boolean lessIsBetter,
            ToLongFunction<Candidate> score) {
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

    /// The free share of CPU and memory, once the pod is there.
    private long room(Candidate candidate, Map<String, Quantity> asked) {
        var offered = NodeFilters.offered(candidate.node);
        var used = state.use(candidate.node.name()).assumed();
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
        var taken = taken(name, used, asked);
        return total == 0 || taken > total
                ? 0
                : Math.round((total - taken) * (double) FULL / total);
    }

    /// How evenly CPU and memory are used, once the pod is there; the same everywhere for a pod
    /// that asks for neither.
    private long balance(Candidate candidate, Map<String, Quantity> asked) {
        if (!asked.containsKey("cpu") && !asked.containsKey("memory")) {
            return 0;
        }
        var offered = NodeFilters.offered(candidate.node);
        var used = state.use(candidate.node.name()).requested();
        var apart = share("cpu", offered, used, asked) - share("memory", offered, used, asked);
        return Math.round((1 - Math.abs(apart) / 2) * FULL);
    }

    private static double share(
            String name,
            Map<String, Quantity> offered,
            Map<String, Quantity> used,
            Map<String, Quantity> asked) {
        var total = offered.getOrDefault(name, Quantity.ZERO).milliRoundedUp();
        return total == 0 ? 0 : Math.min(1, (double) taken(name, used, asked) / total);
    }

    private static long taken(
            String name, Map<String, Quantity> used, Map<String, Quantity> asked) {
        return used.getOrDefault(name, Quantity.ZERO)
                .plus(asked.getOrDefault(name, Quantity.ZERO))
                .milliRoundedUp();
    }

    private long taintsToAvoid(Candidate candidate) {
        var taints = candidate.node.spec().taints();
        return taints.isEmpty() ? 0 : taintsToAvoid(taints);
    }

    private long taintsToAvoid(List<NodeTaint> taints) {
        return taints.stream()
                .filter(taint -> taint.effect() == NodeTaintEffect.Known.PREFER_NO_SCHEDULE)
                .filter(taint -> !NodeFilters.tolerates(question.pod().spec().tolerations(), taint))
                .count();
    }

    private long liking(Candidate candidate) {
        var node = candidate.node;
        return question.pod().spec().affinity().stream()
                .flatMap(affinity -> affinity.nodeAffinity().stream())
                .flatMap(affinity -> affinity.preferred().stream())
                .filter(wish -> NodeSelectors.matches(new NodeSelector(List.of(wish.term())), node))
                .mapToLong(wish -> wish.weight())
                .sum();
    }

    private long alternatives(Candidate candidate) {
        var sum = 0L;
        for (var given : candidate.fits.given()) {
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
