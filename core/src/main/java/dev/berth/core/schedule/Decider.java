package dev.berth.core.schedule;

import dev.berth.core.allocate.Allocator;
import dev.berth.core.allocate.AllocatorFeature;
import dev.berth.core.inventory.NodeSelectors;
import dev.berth.core.place.ClaimTrouble;
import dev.berth.core.place.ExtendedResources;
import dev.berth.core.place.Narrowing;
import dev.berth.core.place.Placer;
import dev.berth.core.place.Question;
import dev.berth.core.place.Reason;
import dev.berth.core.place.Verdict;
import dev.berth.core.snapshot.Judge;
import dev.berth.core.snapshot.Judgement;
import dev.berth.core.snapshot.Snapshot;
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
public final class Decider {

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
    private final Judge judge;
    private final NodeSample sample = new NodeSample();
    private final FreeDevices freeDevices = new FreeDevices();
    private final NodeOffers offers = new NodeOffers();

    public Decider(Rules rules, Allocator allocator) {
        this.rules = rules;
        this.allocator = allocator;
        this.judge = new Judge(allocator, rules.features, rules.policy.devices(), rules.shareIds);
    }

    /// What is to become of a pod.
    public Decision decide(Pod pod, Snapshot snapshot, Instant now) {
        var lookup =
                new ClaimLookup(
                        snapshot.occupancy()::claim,
                        snapshot.surroundings().groups()::find,
                        rules.groupsOwnClaims);
        return switch (lookup.of(pod)) {
            case ClaimLookup.Result.Missing(var reason) -> new Decision.Blocked(reason);
            case ClaimLookup.Result.Found found -> decide(question(pod, found), snapshot, now);
        };
    }

    private static Question question(Pod pod, ClaimLookup.Result.Found found) {
        var allocated = new ArrayList<ResourceClaim>();
        var wanted = new ArrayList<ResourceClaim>();
        for (var claim : found.claims()) {
            (claim.status().allocation().isPresent() ? allocated : wanted).add(claim);
        }
        return new Question(pod, allocated, wanted, found.ofGroup());
    }

    private Decision decide(Question question, Snapshot snapshot, Instant now) {
        var nodes = snapshot.fleet().size();
        var volumes = snapshot.surroundings().volumeProblem(question.pod(), snapshot.occupancy());
        if (volumes.isPresent()) {
            var message = Tallies.message(nodes, volumes.get());
            return new Decision.Unplaced(question, message, Set.of(Cause.VOLUME), List.of());
        }
        var unusable = inspection(snapshot, now).of(question.pod(), question.allocated());
        var refusal =
                unusable.stream()
                        .filter(reason -> reason.trouble() instanceof ClaimTrouble.Full)
                        .map(Reason::text)
                        .findFirst()
                        .or(() ->
                                ClaimChecks.refusal(question, snapshot.fleet().classes().keySet()));
        if (refusal.isPresent()) {
            var causes = Set.of(Cause.DEVICES, Cause.CLAIM);
            var message = Tallies.message(nodes, refusal.get());
            return new Decision.Unplaced(question, message, causes, List.of());
        }
        if (unusable.isEmpty()) {
            return place(question, snapshot);
        }
        var message = Tallies.message(nodes, nodes + " " + unusable.getFirst().text());
        return new Decision.Unplaced(
                question,
                message,
                Set.of(Cause.DEVICES),
                ClaimChecks.idle(question.pod(), claims(question, unusable), snapshot));
    }

    private ClaimInspection inspection(Snapshot snapshot, Instant now) {
        return new ClaimInspection(
                snapshot.fleet(),
                snapshot.occupancy(),
                snapshot::isAssumed,
                rules.features,
                rules.bindingPatience,
                now);
    }

    private static List<ResourceClaim> claims(
            Question question, List<Reason.ClaimUnusable> unusable) {
        return question.allocated().stream()
                .filter(claim -> unusable.stream().anyMatch(one -> one.claim().equals(claim.ref())))
                .toList();
    }

    private Decision place(Question question, Snapshot snapshot) {
        var variants = variants(question, snapshot);
        return variants.size() == 1
                ? place(question, variants.getFirst(), snapshot)
                : place(question, variants, snapshot);
    }

    private Decision place(Question question, Variant variant, Snapshot snapshot) {
        var there = atItsDevices(variant, snapshot);
        if (there.isPresent()) {
            return there.get();
        }
        var judgement = judge.judge(variant.question, snapshot);
        var fits = best(judgement, snapshot).flatMap(best -> judge.fresh(judgement, best));
        if (fits.isPresent()) {
            return new Decision.Placed(variant.question, fits.get(), variant.extended);
        }
        var tallies = new Tallies();
        judgement.forEachRefusal(tallies::add);
        return unplaced(question, tallies, judgement.size(), snapshot);
    }

    private Optional<Verdict.Fits> best(Judgement judgement, Snapshot snapshot) {
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
    private boolean countsFreeDevices(Question question) {
        return switch (rules.policy) {
            case KUBERNETES, ALIGNED -> false;
            case PACK, SPREAD -> !question.wanted().isEmpty();
        };
    }

    /// Of the nodes that fit, those among which the usual score decides.
    private <T> List<T> narrowed(
            Question question,
            List<T> fitting,
            Function<T, String> name,
            Function<T, List<Verdict.Given>> given,
            Snapshot snapshot) {
        var sign = rules.policy == NodePolicy.SPREAD ? -1 : 1;
        var extreme =
                Narrowing.least(
                        Narrowing.earliest(question, fitting, given),
                        one -> sign * freeDevices.of(one, name.apply(one), snapshot));
        return sample.of(extreme, _ -> true);
    }

    private Decision place(Question question, List<Variant> variants, Snapshot snapshot) {
        var judgements = new ArrayList<Judgement>();
        variants.forEach(variant -> judgements.add(judge.judge(variant.question, snapshot)));
        var verdicts = verdicts(variants, judgements, snapshot);
        var best = best(variants, verdicts, snapshot);
        for (var i = 0; i < variants.size() && best.isPresent(); i++) {
            var variant = variants.get(i);
            if (variant.covers(best.get().node())) {
                var fits = judge.fresh(judgements.get(i), best.get());
                if (fits.isPresent()) {
                    return new Decision.Placed(variant.question, fits.get(), variant.extended);
                }
            }
        }
        var tallies = new Tallies();
        for (var verdict : verdicts) {
            if (verdict instanceof Verdict.Unfit(_, var reason)) {
                tallies.add(reason);
            }
        }
        return unplaced(question, tallies, verdicts.size(), snapshot);
    }

    /// A pod that has devices on one node already goes there, if it fits; other nodes need not be
    /// asked.
    private Optional<Decision> atItsDevices(Variant variant, Snapshot snapshot) {
        for (var claim : variant.question.allocated()) {
            var only =
                    claim.status()
                            .allocation()
                            .flatMap(got -> got.nodeSelector())
                            .flatMap(NodeSelectors::onlyNode)
                            .flatMap(snapshot.fleet()::node);
            if (only.isPresent()) {
                var hearing = placer(snapshot).hear(variant.question, snapshot.occupancy());
                return hearing.judge(only.get()) instanceof Verdict.Fits fits
                        ? Optional.of(new Decision.Placed(variant.question, fits, variant.extended))
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
            Question question, Optional<Decision.Extended> extended, Set<String> nodes) {

        private boolean covers(String node) {
            return nodes.isEmpty() || nodes.contains(node);
        }
    }

    private List<Variant> variants(Question question, Snapshot snapshot) {
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
            Question question,
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
                            var claim = ExtendedClaims.inMemory(pod, wish.claim().spec());
                            wanted.add(claim);
                            return new Decision.Extended(claim.ref(), wish.mappings());
                        });
        var changed = question.with(Delegation.without(pod, asDevices), wanted);
        return new Variant(changed, extended, nodes);
    }

    private static List<Verdict> verdicts(
            List<Variant> variants, List<Judgement> judgements, Snapshot snapshot) {
        var verdicts = new ArrayList<Verdict>();
        for (var node : snapshot.fleet().nodes()) {
            for (var i = 0; i < variants.size(); i++) {
                if (variants.get(i).covers(node.name())) {
                    judgements.get(i).verdict(node.name()).ifPresent(verdicts::add);
                }
            }
        }
        return verdicts;
    }

    private Optional<Verdict.Fits> best(
            List<Variant> variants, List<Verdict> verdicts, Snapshot snapshot) {
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
                                Verdict.Fits::node,
                                Verdict.Fits::given,
                                snapshot)
                        : sample.of(verdicts, Verdict.Fits.class::isInstance);
        return placer(snapshot)
                .choose(
                        variants.getFirst().question,
                        List.copyOf(candidates),
                        snapshot.occupancy());
    }

    private static List<Verdict.Fits> fitting(List<Verdict> verdicts) {
        var fitting = new ArrayList<Verdict.Fits>();
        for (var verdict : verdicts) {
            if (verdict instanceof Verdict.Fits fits) {
                fitting.add(fits);
            }
        }
        return fitting;
    }

    private Placer placer(Snapshot snapshot) {
        return new Placer(
                snapshot.fleet(),
                snapshot.surroundings(),
                allocator,
                rules.features,
                rules.policy.devices(),
                rules.shareIds);
    }

    private static Decision unplaced(
            Question question, Tallies tallies, int nodes, Snapshot snapshot) {
        var elsewhere =
                question.allocated().stream()
                        .filter(claim -> tallies.elsewhere().contains(claim.ref()))
                        .toList();
        return new Decision.Unplaced(
                question,
                tallies.message(nodes),
                tallies.causes(),
                ClaimChecks.idle(question.pod(), elsewhere, snapshot));
    }
}
