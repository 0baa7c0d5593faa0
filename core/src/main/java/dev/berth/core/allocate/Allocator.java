package dev.berth.core.allocate;

import dev.berth.core.inventory.NodePool;
import dev.berth.core.inventory.Pool;
import dev.berth.core.ledger.Holdings;
import dev.berth.model.api.DeviceClass;
import dev.berth.model.api.Node;
import dev.berth.model.api.ResourceClaim;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;

/// Finds devices for the claims of a pod on a node: the ones that Kubernetes would choose, or the
/// proof that there are none.
///
/// Keeps compiled expressions and what they said of devices, and may be shared by threads.
public final class Allocator {

    /// Enough for every question that has been seen; beyond it the answer is [Answer.Undecided].
    public static final long DEFAULT_BUDGET = 2_000_000;

    /// What devices have in common that are close to each other, closest first.
    private static final List<String> CLOSENESS =
            List.of("resource.kubernetes.io/pcieRoot", "resource.kubernetes.io/numaNode");

    private final Selections selections = new Selections(new Expressions());
    private final long budget;
    private final Set<Leniency> leniencies;

    /// An allocator that fails where Kubernetes fails.
    public Allocator(long budget) {
        this(budget, Set.of());
    }

    /// An allocator that is kinder than Kubernetes in some respects.
    public Allocator(long budget, Set<Leniency> leniencies) {
        this.budget = budget;
        this.leniencies = Set.copyOf(leniencies);
    }

    /// True when something may be tolerated for which Kubernetes would give up.
    public boolean isLenient() {
        return !leniencies.isEmpty();
    }

    /// Answers a question that comes with everything it needs, as Kubernetes would.
    public Answer answer(AllocationQuestion question, Supplier<String> shareIds) {
        return answer(question, SearchPolicy.KUBERNETES, shareIds);
    }

    /// Answers a question that comes with everything it needs.
    public Answer answer(
            AllocationQuestion question, SearchPolicy policy, Supplier<String> shareIds) {
        return reply(question, policy, shareIds).answer();
    }

    /// The same, with the errors that were tolerated.
    public Reply reply(
            AllocationQuestion question, SearchPolicy policy, Supplier<String> shareIds) {
        var rules = AllocatorFeature.rules(question.features());
        var pools = new ArrayList<NodePool>();
        for (var pool : Pool.all(question.slices(), rules)) {
            pool.seenFrom(question.node()).ifPresent(pools::add);
        }
        var classes = new LinkedHashMap<String, DeviceClass>();
        question.classes().forEach(c -> classes.put(c.metadata().name(), c));
        return reply(
                question.node(),
                pools,
                classes,
                question.features(),
                question.holdings(),
                question.claims(),
                policy,
                shareIds);
    }

    /// Answers for one node, as Kubernetes would.
    ///
    /// @param seen the pools that the node sees, in any order
    /// @param shareIds a fresh id a call, for shares of devices
    public Answer answer(
            Node node,
            List<NodePool> seen,
            Map<String, DeviceClass> classes,
            Set<AllocatorFeature> features,
            Holdings holdings,
            List<ResourceClaim> claims,
            Supplier<String> shareIds) {
        return answer(
                node, seen, classes, features, holdings, claims, SearchPolicy.KUBERNETES, shareIds);
    }

    /// Answers for one node with the allocation that a policy prefers.
    public Answer answer(
            Node node,
            List<NodePool> seen,
            Map<String, DeviceClass> classes,
            Set<AllocatorFeature> features,
            Holdings holdings,
            List<ResourceClaim> claims,
            SearchPolicy policy,
            Supplier<String> shareIds) {
        return reply(node, seen, classes, features, holdings, claims, policy, shareIds).answer();
    }

    /// The same, with the errors that were tolerated.
    public Reply reply(
            Node node,
            List<NodePool> seen,
            Map<String, DeviceClass> classes,
            Set<AllocatorFeature> features,
            Holdings holdings,
            List<ResourceClaim> claims,
            SearchPolicy policy,
            Supplier<String> shareIds) {
        for (var pool : seen) {
            if (pool.status() instanceof NodePool.Status.Malformed(var reason)) {
                return new Reply(new Answer.Failed(pool.id() + ": " + reason, false, 0), List.of());
            }
        }
        var tolerance = new Tolerance(leniencies);
        var attempt = new Attempt(classes, features, holdings, claims, shareIds, tolerance);
        if (policy == SearchPolicy.KUBERNETES && leniencies.isEmpty()) {
            var quick = quick(node, seen, attempt);
            if (quick.isPresent()) {
                return new Reply(quick.get(), List.of());
            }
        }
        var sharing = features.contains(AllocatorFeature.CONSUMABLE_CAPACITY);
        var arena = new Arena(node, seen, sharing);
        var answer =
                switch (policy) {
                    case KUBERNETES -> attempt(arena, attempt, Optional.empty());
                    case PACK ->
                            attempt(
                                    arena.inOrder(
                                            PackOrder.of(
                                                    arena, holdings, classes.values(), selections)),
                                    attempt,
                                    Optional.empty());
                    case ALIGNED -> aligned(arena, attempt);
                };
        return new Reply(answer, tolerance.tolerated());
    }

    /// What does not change between the attempts at one question.
    private record Attempt(
            Map<String, DeviceClass> classes,
            Set<AllocatorFeature> features,
            Holdings holdings,
            List<ResourceClaim> claims,
            Supplier<String> shareIds,
            Tolerance tolerance) {}

    /// The answer where it takes no search to find it.
    private Optional<Answer> quick(Node node, List<NodePool> seen, Attempt attempt) {
        var one =
                OneDevice.of(
                        node,
                        attempt.classes,
                        attempt.features,
                        attempt.holdings,
                        attempt.claims,
                        selections);
        if (one.isEmpty()) {
            return Optional.empty();
        }
        var usable = Arena.ordered(seen).stream().filter(NodePool::isUsable).toList();
        return switch (one.get().find(usable)) {
            case OneDevice.Finding.Found(var pool, var row) ->
                    Optional.of(
                            allocated(
                                    new Arena(node, List.of(pool), false),
                                    List.of(one.get().asSearched()),
                                    attempt,
                                    new Search.Finding.Found(
                                            List.of(new Search.Choice(0, 0, row)), new int[1]),
                                    1));
            case OneDevice.Finding.Nothing _ -> Optional.of(nothing(seen, 0));
            case OneDevice.Finding.Unclear _ -> Optional.empty();
        };
    }

    private static Answer allocated(
            Arena arena,
            List<SearchRequest> requests,
            Attempt attempt,
            Search.Finding.Found found,
            long steps) {
        var builder =
                new ResultBuilder(
                        arena, requests, attempt.classes, attempt.features, attempt.shareIds);
        return new Answer.Allocated(builder.results(attempt.claims, found), steps);
    }

    /// The closest that can be had; each attempt is a whole search, so none is missed.
    private Answer aligned(Arena arena, Attempt attempt) {
        for (var attribute : CLOSENESS) {
            var answer = attempt(arena, attempt, Optional.of(attribute));
            if (answer instanceof Answer.Allocated) {
                return answer;
            }
        }
        return attempt(arena, attempt, Optional.empty());
    }

    private Answer attempt(Arena arena, Attempt attempt, Optional<String> preferred) {
        try {
            var preparation =
                    new Preparation(
                            arena,
                            attempt.classes,
                            attempt.features,
                            selections,
                            attempt.holdings,
                            attempt.tolerance);
            for (var i = 0; i < attempt.claims.size(); i++) {
                preparation.add(i, attempt.claims.get(i));
            }
            preferred.ifPresent(preparation::prefer);
            var prepared = preparation.finish(attempt.claims.size());
            var search = new Search(arena, prepared.state(), prepared.requests(), budget);
            return switch (search.run()) {
                case Search.Finding.Found found ->
                        allocated(arena, prepared.requests(), attempt, found, search.steps());
                case Search.Finding.Nothing _ -> nothing(arena.pools(), search.steps());
                case Search.Finding.Fault(var message) ->
                        new Answer.Failed(message, false, search.steps());
                case Search.Finding.OutOfBudget _ -> new Answer.Undecided(search.steps());
            };
        } catch (Preparation.Refusal e) {
            return new Answer.Failed(e.text(), false, 0);
        } catch (CapacityBook.Uncountable e) {
            return new Answer.Failed(String.valueOf(e.getMessage()), true, 0);
        }
    }

    private static Answer nothing(List<NodePool> seen, long steps) {
        var invalid =
                seen.stream().anyMatch(pool -> pool.status() instanceof NodePool.Status.Invalid);
        return invalid
                ? new Answer.Failed("invalid resource pools were encountered", true, steps)
                : new Answer.DoesNotFit(steps);
    }
}
