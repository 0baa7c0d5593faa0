package dev.berth.core.schedule;

import dev.berth.core.allocate.Allocator;
import dev.berth.core.allocate.AllocatorFeature;
import dev.berth.core.inventory.NodeSelectorMatcher;
import dev.berth.core.place.ExtendedResources;
import dev.berth.core.place.NodeFit;
import dev.berth.core.place.NodeRanking;
import dev.berth.core.place.PlacementRequest;
import dev.berth.core.place.PodPlacer;
import dev.berth.core.place.Rejection;
import dev.berth.core.place.UnusableClaim;
import dev.berth.core.snapshot.ClusterSnapshot;
import dev.berth.core.snapshot.FitCache;
import dev.berth.core.snapshot.NodeFits;
import dev.berth.model.api.Pod;
import dev.berth.model.api.ResourceClaim;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Supplier;

/// Decides where pods go, one after the other.
///
/// A fault on one node rules that node out and no other.
public final class PlacementDecider {

    /// What decisions depend on besides the cluster.
    ///
    /// @param bindingPatience how long devices may take to be attached
    /// @param groupsOwnClaims whether pods may use what was made for their pod group
    /// @param shareIds a fresh id a call, for shares of devices
    public record Rules(
            Set<AllocatorFeature> features,
            NodePolicy policy,
            Duration bindingPatience,
            boolean groupsOwnClaims,
            Supplier<String> shareIds) {
        public Rules {
            features = Set.copyOf(features);
        }
    }

    private final Rules rules;
    private final Allocator allocator;
    private final FitCache judge;
    private final NodeSample sample = new NodeSample();
    private final FreeDevices freeDevices = new FreeDevices();
    private final DeviceBackedNodes offers = new DeviceBackedNodes();

    public PlacementDecider(Rules rules, Allocator allocator) {
        this.rules = rules;
        this.allocator = allocator;
        this.judge =
                new FitCache(allocator, rules.features, rules.policy.devices(), rules.shareIds);
    }

    /// What is to become of a pod.
    public SchedulingDecision decide(Pod pod, ClusterSnapshot snapshot, Instant now) {
        var lookup =
                new ClaimLookup(
                        snapshot.occupancy()::claim,
                        snapshot.surroundings().groups()::find,
                        rules.groupsOwnClaims);
        return switch (lookup.of(pod)) {
            case ClaimLookup.Result.Missing(var reason) -> new SchedulingDecision.Blocked(reason);
            case ClaimLookup.Result.Found found -> decide(question(pod, found), snapshot, now);
        };
    }

    private static PlacementRequest question(Pod pod, ClaimLookup.Result.Found found) {
        var allocated = new ArrayList<ResourceClaim>();
        var wanted = new ArrayList<ResourceClaim>();
        for (var claim : found.claims()) {
            (claim.status().allocation().isPresent() ? allocated : wanted).add(claim);
        }
        return new PlacementRequest(pod, allocated, wanted, found.ofGroup());
    }

    private SchedulingDecision decide(
            PlacementRequest question, ClusterSnapshot snapshot, Instant now) {
        var nodes = snapshot.fleet().size();
        var volumes = snapshot.surroundings().volumeProblem(question.pod(), snapshot.occupancy());
        if (volumes.isPresent()) {
            var message = FitErrorSummary.message(nodes, volumes.get());
            return new SchedulingDecision.Unplaced(
                    question, message, Set.of(WaitReason.VOLUME), List.of());
        }
        var unusable = inspection(snapshot, now).of(question.pod(), question.allocated());
        var refusal =
                unusable.stream()
                        .filter(reason -> reason.trouble() instanceof UnusableClaim.Full)
                        .map(Rejection::text)
                        .findFirst()
                        .or(() ->
                                ClaimChecks.refusal(question, snapshot.fleet().classes().keySet()));
        if (refusal.isPresent()) {
            var causes = Set.of(WaitReason.DEVICES, WaitReason.CLAIM);
            var message = FitErrorSummary.message(nodes, refusal.get());
            return new SchedulingDecision.Unplaced(question, message, causes, List.of());
        }
        if (unusable.isEmpty()) {
            return place(question, snapshot);
        }
        var message = FitErrorSummary.message(nodes, nodes + " " + unusable.getFirst().text());
        return new SchedulingDecision.Unplaced(
                question,
                message,
                Set.of(WaitReason.DEVICES),
                ClaimChecks.idle(question.pod(), claims(question, unusable), snapshot));
    }

    private ClaimInspection inspection(ClusterSnapshot snapshot, Instant now) {
        return new ClaimInspection(
                snapshot.fleet(),
                snapshot.occupancy(),
                snapshot::isAssumed,
                rules.features,
                rules.bindingPatience,
                now);
    }

    private static List<ResourceClaim> claims(
            PlacementRequest question, List<Rejection.ClaimUnusable> unusable) {
        return question.allocated().stream()
                .filter(claim -> unusable.stream().anyMatch(one -> one.claim().equals(claim.ref())))
                .toList();
    }

    private SchedulingDecision place(PlacementRequest question, ClusterSnapshot snapshot) {
        var variants = variants(question, snapshot);
        return variants.size() == 1
                ? place(question, variants.getFirst(), snapshot)
                : place(question, variants, snapshot);
    }

    private SchedulingDecision place(
            PlacementRequest question, Variant variant, ClusterSnapshot snapshot) {
        var there = atItsDevices(variant, snapshot);
        if (there.isPresent()) {
            return there.get();
        }
        var judgement = judge.judge(variant.question, snapshot);
        var fits = best(judgement, snapshot).flatMap(best -> judge.fresh(judgement, best));
        if (fits.isPresent()) {
            return new SchedulingDecision.Placed(variant.question, fits.get(), variant.extended);
        }
        var tallies = new FitErrorSummary();
        judgement.forEachRefusal(tallies::add);
        return unplaced(question, tallies, judgement.size(), snapshot);
    }

    private Optional<NodeFit.Fits> best(NodeFits judgement, ClusterSnapshot snapshot) {
        var question = judgement.question();
        return countsFreeDevices(question)
                ? judgement.highest(
                        narrowed(
                                question,
                                judgement.fittingFrom(0),
                                one -> one.node().name(),
                                judgement::given,
                                snapshot))
                : judgement.best(sample.of(judgement));
    }

    /// Whether the policy looks at how many devices of nodes are free. It is nothing to pods that
    /// need none.
    private boolean countsFreeDevices(PlacementRequest question) {
        return switch (rules.policy) {
            case KUBERNETES, ALIGNED -> false;
            case PACK, SPREAD -> !question.wanted().isEmpty();
        };
    }

    /// Of the nodes that fit, those among which the usual score decides.
    private <T> List<T> narrowed(
            PlacementRequest question,
            List<T> fitting,
            Function<T, String> name,
            Function<T, List<NodeFit.Given>> given,
            ClusterSnapshot snapshot) {
        var sign = rules.policy == NodePolicy.SPREAD ? -1 : 1;
        var extreme =
                NodeRanking.least(
                        NodeRanking.earliest(question, fitting, given),
                        one -> sign * freeDevices.of(one, name.apply(one), snapshot));
        return sample.of(extreme, _ -> true);
    }

    private SchedulingDecision place(
            PlacementRequest question, List<Variant> variants, ClusterSnapshot snapshot) {
        var judgements = new ArrayList<NodeFits>();
        variants.forEach(variant -> judgements.add(judge.judge(variant.question, snapshot)));
        var verdicts = verdicts(variants, judgements, snapshot);
        var best = best(variants, verdicts, snapshot);
        for (var i = 0; i < variants.size() && best.isPresent(); i++) {
            var variant = variants.get(i);
            if (variant.covers(best.get().node())) {
                var fits = judge.fresh(judgements.get(i), best.get());
                if (fits.isPresent()) {
                    return new SchedulingDecision.Placed(
                            variant.question, fits.get(), variant.extended);
                }
            }
        }
        var tallies = new FitErrorSummary();
        for (var verdict : verdicts) {
            if (verdict instanceof NodeFit.Unfit(_, var reason)) {
                tallies.add(reason);
            }
        }
        return unplaced(question, tallies, verdicts.size(), snapshot);
    }

    /// A pod that has devices on one node already goes there, if it fits; other nodes need not be
    /// asked.
    private Optional<SchedulingDecision> atItsDevices(Variant variant, ClusterSnapshot snapshot) {
        for (var claim : variant.question.allocated()) {
            var only =
                    claim.status()
                            .allocation()
                            .flatMap(got -> got.nodeSelector())
                            .flatMap(NodeSelectorMatcher::onlyNode)
                            .flatMap(snapshot.fleet()::node);
            if (only.isPresent()) {
                var hearing = placer(snapshot).hear(variant.question, snapshot.occupancy());
                return hearing.judge(only.get()) instanceof NodeFit.Fits fits
                        ? Optional.of(
                                new SchedulingDecision.Placed(
                                        variant.question, fits, variant.extended))
                        : Optional.empty();
            }
        }
        return Optional.empty();
    }

    /// The question as some of the nodes see it: pods may ask for resources that are devices on one
    /// node and something else on another.
    ///
    /// @param nodes empty for all
    private record Variant(
            PlacementRequest question,
            Optional<SchedulingDecision.Extended> extended,
            Set<String> nodes) {

        private boolean covers(String node) {
            return nodes.isEmpty() || nodes.contains(node);
        }
    }

    private List<Variant> variants(PlacementRequest question, ClusterSnapshot snapshot) {
        var asked = snapshot.fleet().extended().of(question.pod()).keySet();
        if (asked.isEmpty()) {
            return List.of(new Variant(question, Optional.empty(), Set.of()));
        }
        var nodes = offers.byDevices(asked, snapshot.fleet());
        if (nodes.isEmpty()) {
            return List.of(new Variant(question, Optional.empty(), Set.of()));
        }
        var variants = new ArrayList<Variant>();
        nodes.forEach((names, where) ->
                variants.add(
                        variant(
                                question,
                                names,
                                nodes.size() == 1 ? Set.of() : where,
                                snapshot.fleet().extended())));
        return variants;
    }

    private static Variant variant(
            PlacementRequest question,
            Set<String> asDevices,
            Set<String> nodes,
            ExtendedResources resources) {
        if (asDevices.isEmpty()) {
            return new Variant(question, Optional.empty(), nodes);
        }
        var pod = question.pod();
        var wanted = new ArrayList<>(question.wanted());
        var extended =
                resources
                        .claim(pod, asDevices)
                        .map(wish -> {
                            var claim = ExtendedResourceClaims.inMemory(pod, wish.claim().spec());
                            wanted.add(claim);
                            return new SchedulingDecision.Extended(claim.ref(), wish.mappings());
                        });
        var changed = question.with(ExtendedResourceRewrite.without(pod, asDevices), wanted);
        return new Variant(changed, extended, nodes);
    }

    private static List<NodeFit> verdicts(
            List<Variant> variants, List<NodeFits> judgements, ClusterSnapshot snapshot) {
        var verdicts = new ArrayList<NodeFit>();
        for (var node : snapshot.fleet().nodes()) {
            for (var i = 0; i < variants.size(); i++) {
                if (variants.get(i).covers(node.name())) {
                    judgements.get(i).verdict(node.name()).ifPresent(verdicts::add);
                }
            }
        }
        return verdicts;
    }

    private Optional<NodeFit.Fits> best(
            List<Variant> variants, List<NodeFit> verdicts, ClusterSnapshot snapshot) {
        // Nodes are compared by what they have to give: the most that any of them is asked for.
        var question =
                variants.stream()
                        .map(Variant::question)
                        .max(Comparator.comparingInt(one -> one.wanted().size()))
                        .orElseThrow();
        var candidates =
                countsFreeDevices(question)
                        ? narrowed(
                                question,
                                fitting(verdicts),
                                NodeFit.Fits::node,
                                NodeFit.Fits::given,
                                snapshot)
                        : sample.of(verdicts, NodeFit.Fits.class::isInstance);
        return placer(snapshot)
                .choose(
                        variants.getFirst().question,
                        List.copyOf(candidates),
                        snapshot.occupancy());
    }

    private static List<NodeFit.Fits> fitting(List<NodeFit> verdicts) {
        var fitting = new ArrayList<NodeFit.Fits>();
        for (var verdict : verdicts) {
            if (verdict instanceof NodeFit.Fits fits) {
                fitting.add(fits);
            }
        }
        return fitting;
    }

    private PodPlacer placer(ClusterSnapshot snapshot) {
        return new PodPlacer(
                snapshot.fleet(),
                snapshot.surroundings(),
                allocator,
                rules.features,
                rules.policy.devices(),
                rules.shareIds);
    }

    private static SchedulingDecision unplaced(
            PlacementRequest question,
            FitErrorSummary tallies,
            int nodes,
            ClusterSnapshot snapshot) {
        var elsewhere =
                question.allocated().stream()
                        .filter(claim -> tallies.elsewhere().contains(claim.ref()))
                        .toList();
        return new SchedulingDecision.Unplaced(
                question,
                tallies.message(nodes),
                tallies.causes(),
                ClaimChecks.idle(question.pod(), elsewhere, snapshot));
    }
}
