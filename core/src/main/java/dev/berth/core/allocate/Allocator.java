package dev.berth.core.allocate;

import dev.berth.core.inventory.Interner;
import dev.berth.core.inventory.NodePool;
import dev.berth.core.inventory.Pool;
import dev.berth.core.inventory.SliceTable;
import dev.berth.core.ledger.Holdings;
import dev.berth.model.api.DeviceClass;
import dev.berth.model.api.Node;
import dev.berth.model.api.PoolId;
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

    public Allocator(long budget) {
        this.budget = budget;
    }

    /// Answers a question that comes with everything it needs, as Kubernetes would.
    public Answer answer(AllocationQuestion question, Supplier<String> shareIds) {
        return answer(question, SearchPolicy.KUBERNETES, shareIds);
    }

    /// Answers a question that comes with everything it needs.
    public Answer answer(
            AllocationQuestion question, SearchPolicy policy, Supplier<String> shareIds) {
        var interner = new Interner();
        var slices = new LinkedHashMap<PoolId, List<SliceTable>>();
        for (var slice : question.slices()) {
            slices.computeIfAbsent(slice.poolId(), _ -> new ArrayList<>())
                    .add(SliceTable.of(slice, interner));
        }
        var rules =
                new Pool.Rules(
                        question.features().contains(AllocatorFeature.PARTITIONABLE_DEVICES),
                        question.features().contains(AllocatorFeature.COMPATIBILITY_GROUPS));
        var pools = new ArrayList<NodePool>();
        slices.forEach((id, ofPool) ->
                Pool.of(id, ofPool, rules, interner)
                        .seenFrom(question.node())
                        .ifPresent(pools::add));
        var classes = new LinkedHashMap<String, DeviceClass>();
        question.classes().forEach(c -> classes.put(c.metadata().name(), c));
        return answer(
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
        for (var pool : seen) {
            if (pool.status() instanceof NodePool.Status.Malformed(var reason)) {
                return new Answer.Failed(pool.id() + ": " + reason, false, 0);
            }
        }
        var sharing = features.contains(AllocatorFeature.CONSUMABLE_CAPACITY);
        var arena = new Arena(node, seen, sharing);
        var attempt = new Attempt(classes, features, holdings, claims, shareIds);
        return switch (policy) {
            case KUBERNETES -> attempt(arena, attempt, Optional.empty());
            case PACK ->
                    attempt(
                            arena.inOrder(PackOrder.of(arena, holdings)),
                            attempt,
                            Optional.empty());
            case ALIGNED -> aligned(arena, attempt);
        };
    }

    /// What does not change between the attempts at one question.
    private record Attempt(
            Map<String, DeviceClass> classes,
            Set<AllocatorFeature> features,
            Holdings holdings,
            List<ResourceClaim> claims,
            Supplier<String> shareIds) {}

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
                            arena, attempt.classes, attempt.features, selections, attempt.holdings);
            for (var i = 0; i < attempt.claims.size(); i++) {
                preparation.add(i, attempt.claims.get(i));
            }
            preferred.ifPresent(preparation::prefer);
            var prepared = preparation.finish(attempt.claims.size());
            var search = new Search(arena, prepared.state(), prepared.requests(), budget);
            return switch (search.run()) {
                case Search.Finding.Found found ->
                        new Answer.Allocated(
                                new ResultBuilder(
                                                arena,
                                                prepared.requests(),
                                                attempt.classes,
                                                attempt.features,
                                                attempt.shareIds)
                                        .results(attempt.claims, found),
                                search.steps());
                case Search.Finding.Nothing _ -> nothing(arena, search.steps());
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

    private static Answer nothing(Arena arena, long steps) {
        var invalid =
                arena.pools().stream()
                        .anyMatch(pool -> pool.status() instanceof NodePool.Status.Invalid);
        return invalid
                ? new Answer.Failed("invalid resource pools were encountered", true, steps)
                : new Answer.DoesNotFit(steps);
    }
}
