package dev.berth.core.place;

import dev.berth.core.inventory.NodePool;
import dev.berth.core.ledger.Holdings;
import dev.berth.model.api.ConsumerReference;
import dev.berth.model.api.ObjectRef;
import dev.berth.model.api.Pod;
import dev.berth.model.api.PodPhase;
import dev.berth.model.api.PoolId;
import dev.berth.model.api.ResourceClaim;
import dev.berth.model.api.ResourceClaimStatus;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BiConsumer;

/// Who is where and holds what. Placing a pod gives a new occupancy and leaves the old one be, so
/// that several pods can be judged against one state.
public final class Occupancy {

    /// The claims that hold something of one pool.
    private record PoolUse(List<ResourceClaim> holders, long changes) {
        static final PoolUse NONE = new PoolUse(List.of(), 0);

        PoolUse with(ResourceClaim claim) {
            var all = new ArrayList<>(holders);
            all.add(claim);
            return new PoolUse(List.copyOf(all), changes + 1);
        }
    }

    private final Map<String, NodeUse> nodes;
    private final Map<PoolId, PoolUse> pools;
    private final Map<ObjectRef, ResourceClaim> claims;

    private Occupancy(
            Map<String, NodeUse> nodes,
            Map<PoolId, PoolUse> pools,
            Map<ObjectRef, ResourceClaim> claims) {
        this.nodes = nodes;
        this.pools = pools;
        this.claims = claims;
    }

    /// The state of a cluster.
    ///
    /// @param pods those without a node, and those that have ended, take nothing
    public static Occupancy of(Collection<Pod> pods, Collection<ResourceClaim> claims) {
        var nodes = new HashMap<String, NodeUse>();
        for (var pod : pods) {
            if (!pod.spec().nodeName().isEmpty() && !hasEnded(pod)) {
                addPod(nodes, pod.spec().nodeName(), pod);
            }
        }
        var pools = new HashMap<PoolId, PoolUse>();
        var byRef = new HashMap<ObjectRef, ResourceClaim>();
        for (var claim : claims) {
            byRef.put(claim.ref(), claim);
            addHolder(pools, claim);
        }
        return new Occupancy(nodes, pools, byRef);
    }

    private static boolean hasEnded(Pod pod) {
        return pod.status().phase() == PodPhase.Known.SUCCEEDED
                || pod.status().phase() == PodPhase.Known.FAILED;
    }

    private static void addPod(Map<String, NodeUse> nodes, String node, Pod pod) {
        nodes.put(node, nodes.getOrDefault(node, NodeUse.NONE).with(pod));
    }

    private static void addHolder(Map<PoolId, PoolUse> pools, ResourceClaim claim) {
        var touched = new HashSet<PoolId>();
        claim.status()
                .allocation()
                .ifPresent(got -> got.devices().forEach(d -> touched.add(d.id().poolId())));
        touched.forEach(
                pool -> pools.put(pool, pools.getOrDefault(pool, PoolUse.NONE).with(claim)));
    }

    /// The state once the pod of a question has gone where it fits.
    public Occupancy with(Question question, Verdict.Fits fits) {
        var pod = question.pod();
        var newNodes = new HashMap<>(nodes);
        addPod(newNodes, fits.node(), pod);
        var newPools = new HashMap<>(pools);
        var newClaims = new HashMap<>(claims);
        var user = ConsumerReference.pod(pod.metadata().name(), pod.metadata().uid());
        question.given(fits)
                .forEach(given -> {
                    var status =
                            new ResourceClaimStatus(
                                    Optional.of(given.result()),
                                    List.of(user),
                                    given.claim().status().devices());
                    var held = given.claim().withStatus(status);
                    newClaims.put(held.ref(), held);
                    addHolder(newPools, held);
                });
        question.allocated().forEach(claim -> newClaims.put(claim.ref(), used(claim, user)));
        return new Occupancy(newNodes, newPools, newClaims);
    }

    private static ResourceClaim used(ResourceClaim claim, ConsumerReference user) {
        var status = claim.status();
        if (status.reservedFor().contains(user)) {
            return claim;
        }
        var users = new ArrayList<>(status.reservedFor());
        users.add(user);
        return claim.withStatus(
                new ResourceClaimStatus(status.allocation(), users, status.devices()));
    }

    public Optional<ResourceClaim> claim(ObjectRef ref) {
        return Optional.ofNullable(claims.get(ref));
    }

    public Collection<ResourceClaim> claims() {
        return claims.values();
    }

    NodeUse use(String node) {
        return nodes.getOrDefault(node, NodeUse.NONE);
    }

    /// What is taken of these pools. Only grows while pods are placed.
    Holdings holdings(List<NodePool> seen) {
        var holders = new HashSet<ObjectRef>();
        var found = new ArrayList<ResourceClaim>();
        forEachUse(
                seen,
                (_, use) ->
                        use.holders.forEach(claim -> {
                            if (holders.add(claim.ref())) {
                                found.add(claim);
                            }
                        }));
        return found.isEmpty() ? Holdings.NONE : Holdings.of(found);
    }

    /// A number that changes whenever something changes that a node can tell.
    long stamp(String node, List<NodePool> seen) {
        var sum = new long[] {use(node).changes()};
        forEachUse(seen, (_, use) -> sum[0] += use.changes);
        return sum[0];
    }

    private void forEachUse(List<NodePool> seen, BiConsumer<PoolId, PoolUse> visit) {
        for (var pool : seen) {
            var use = pools.get(pool.id());
            if (use != null) {
                visit.accept(pool.id(), use);
            }
        }
    }
}
