package dev.berth.core.snapshot;

import dev.berth.core.inventory.Pool;
import dev.berth.core.persistent.PersistentSortedMap;
import dev.berth.model.api.claim.ConsumerReference;
import dev.berth.model.api.claim.DeviceClass;
import dev.berth.model.api.claim.ResourceClaim;
import dev.berth.model.api.claim.ResourceClaimStatus;
import dev.berth.model.api.meta.ObjectRef;
import dev.berth.model.api.meta.Uid;
import dev.berth.model.api.node.Node;
import dev.berth.model.api.pod.Pod;
import dev.berth.model.api.pod.PodClaimReferences;
import dev.berth.model.api.slice.PoolId;
import dev.berth.model.api.slice.ResourceSlice;
import dev.berth.model.api.taint.DeviceTaintRule;
import java.util.Collection;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/// Immutable snapshot of the cluster state that scheduling depends on. A change returns another
/// snapshot, which shares everything that did not change.
///
/// Assumed allocations are held from the moment of the decision, before the API server stores them.
/// Watch events do not release them meanwhile: an assumption ends when the watch confirms it, when
/// the claim or pod is deleted or recreated, or when it is forgotten.
public final class ClusterSnapshot {

    private final ClusterInventory inventory;
    private final ClusterUsage usage;
    private final PersistentSortedMap<ObjectRef, AssumedClaim> claims;
    private final PersistentSortedMap<ObjectRef, AssumedPod> pods;
    private final ClusterContext context;

    /// A claim with an assumed allocation, and the claim as last watched.
    private record AssumedClaim(Uid uid, Optional<ResourceClaim> watched) {}

    /// A pod with an assumed node, the pod as last watched, and the claims that it uses besides
    /// those allocated for it.
    private record AssumedPod(Pod watched, List<ObjectRef> used) {}

    private ClusterSnapshot(
            ClusterInventory inventory,
            ClusterUsage usage,
            PersistentSortedMap<ObjectRef, AssumedClaim> claims,
            PersistentSortedMap<ObjectRef, AssumedPod> pods,
            ClusterContext context) {
        this.inventory = inventory;
        this.usage = usage;
        this.claims = claims;
        this.pods = pods;
        this.context = context;
    }

    /// An empty cluster.
    ///
    /// @param rules which slices are usable; the same for all snapshots derived from this one
    public static ClusterSnapshot empty(Pool.Rules rules) {
        return of(ClusterInventory.none(rules), ClusterUsage.NONE);
    }

    /// A snapshot without assumptions.
    public static ClusterSnapshot of(ClusterInventory inventory, ClusterUsage usage) {
        return new ClusterSnapshot(
                inventory,
                usage,
                PersistentSortedMap.of(),
                PersistentSortedMap.of(),
                ClusterContext.UNKNOWN);
    }

    /// Replaces the usage, for plans: placements are not assumed, they are facts.
    public ClusterSnapshot with(ClusterUsage newUsage) {
        return new ClusterSnapshot(inventory, newUsage, claims, pods, context);
    }

    /// Replaces volumes, namespaces and pod groups.
    public ClusterSnapshot with(ClusterContext others) {
        return new ClusterSnapshot(inventory, usage, claims, pods, others);
    }

    public ClusterContext context() {
        return context;
    }

    public ClusterInventory inventory() {
        return inventory;
    }

    /// Pods on nodes and holders of devices, including assumed ones.
    public ClusterUsage usage() {
        return usage;
    }

    /// True when the node of a pod is assumed and not yet confirmed by the watch.
    public boolean isAssumed(ObjectRef pod) {
        return pods.find(pod).isPresent();
    }

    /// All pods with an assumed node.
    public Set<ObjectRef> assumed() {
        var all = new HashSet<ObjectRef>();
        pods.forEach((pod, _) -> all.add(pod));
        return all;
    }

    public ClusterSnapshot with(Node node) {
        return with(inventory.with(node));
    }

    public ClusterSnapshot withoutNode(String name) {
        return with(inventory.withoutNode(name));
    }

    public ClusterSnapshot with(ResourceSlice slice) {
        return with(inventory.with(slice));
    }

    /// Adds many slices and rebuilds each pool once, for initial lists.
    public ClusterSnapshot with(Collection<ResourceSlice> slices) {
        return with(inventory.with(slices));
    }

    public ClusterSnapshot withoutSlice(String name) {
        return with(inventory.withoutSlice(name));
    }

    public ClusterSnapshot with(DeviceClass deviceClass) {
        return with(inventory.with(deviceClass));
    }

    public ClusterSnapshot withoutClass(String name) {
        return with(inventory.withoutClass(name));
    }

    public ClusterSnapshot with(DeviceTaintRule rule) {
        return with(inventory.with(rule));
    }

    public ClusterSnapshot withoutTaintRule(String name) {
        return with(inventory.withoutTaintRule(name));
    }

    private ClusterSnapshot with(ClusterInventory newInventory) {
        return new ClusterSnapshot(newInventory, usage, claims, pods, context);
    }

    /// Applies a watched claim.
    public ClusterSnapshot with(ResourceClaim claim) {
        var assumed = claims.find(claim.ref());
        if (assumed.filter(a -> isOlder(claim, a.uid)).isPresent()) {
            var kept = new AssumedClaim(assumed.get().uid, Optional.of(claim));
            return new ClusterSnapshot(
                    inventory, usage, claims.with(claim.ref(), kept), pods, context);
        }
        return new ClusterSnapshot(
                inventory, usage.with(claim), claims.without(claim.ref()), pods, context);
    }

    private static boolean isOlder(ResourceClaim watched, Uid assumed) {
        return watched.metadata().uid().equals(assumed) && watched.status().allocation().isEmpty();
    }

    public ClusterSnapshot withoutClaim(ObjectRef ref) {
        return new ClusterSnapshot(
                inventory, usage.withoutClaim(ref), claims.without(ref), pods, context);
    }

    /// Applies a watched pod.
    public ClusterSnapshot with(Pod pod) {
        var assumed = pods.find(pod.ref());
        if (assumed.filter(a -> isOlder(pod, a.watched)).isPresent()) {
            var kept = new AssumedPod(pod, assumed.get().used);
            return new ClusterSnapshot(
                    inventory, usage, claims, pods.with(pod.ref(), kept), context);
        }
        return new ClusterSnapshot(
                inventory, usage.with(pod), claims, pods.without(pod.ref()), context);
    }

    private static boolean isOlder(Pod watched, Pod assumed) {
        return watched.metadata().uid().equals(assumed.metadata().uid())
                && watched.spec().nodeName().isEmpty();
    }

    public ClusterSnapshot withoutPod(ObjectRef ref) {
        return new ClusterSnapshot(
                inventory, usage.withoutPod(ref), claims, pods.without(ref), context);
    }

    /// Assumes a placement: the pod on its node and the allocations of its claims.
    public ClusterSnapshot assume(Placement placement) {
        var pod = placement.pod();
        var used = placement.reserved().stream().map(ResourceClaim::ref).toList();
        var newClaims = claims;
        for (var claim : placement.allocated()) {
            var watched =
                    claims.find(claim.ref())
                            .map(AssumedClaim::watched)
                            .orElseGet(() -> usage.claim(claim.ref()));
            var assumed = new AssumedClaim(claim.metadata().uid(), watched);
            newClaims = newClaims.with(claim.ref(), assumed);
        }
        return new ClusterSnapshot(
                inventory,
                usage.with(placement),
                newClaims,
                pods.with(pod.ref(), new AssumedPod(pod, used)),
                context);
    }

    /// Forgets the assumed node of a pod and its reservations of already allocated claims. Claims
    /// allocated for it are forgotten one by one with [#forgetClaim].
    public ClusterSnapshot forgetPod(ObjectRef ref) {
        var assumed = pods.find(ref);
        if (assumed.isEmpty()) {
            return this;
        }
        var pod = assumed.get().watched;
        var user = ConsumerReference.pod(ref.name(), pod.metadata().uid());
        var free = usage.with(pod);
        for (var used : assumed.get().used) {
            var claim = free.claim(used);
            free = claim.isPresent() ? free.with(unused(claim.get(), user)) : free;
        }
        return new ClusterSnapshot(inventory, free, claims, pods.without(ref), context);
    }

    private static ResourceClaim unused(ResourceClaim claim, ConsumerReference user) {
        var status = claim.status();
        var others = status.reservedFor().stream().filter(u -> !u.equals(user)).toList();
        return claim.withStatus(
                new ResourceClaimStatus(status.allocation(), others, status.devices()));
    }

    /// Forgets the assumed allocation of a claim.
    public ClusterSnapshot forgetClaim(ObjectRef ref) {
        var assumed = claims.find(ref);
        if (assumed.isEmpty()) {
            return this;
        }
        var free = usage.withoutClaim(ref);
        return new ClusterSnapshot(
                inventory,
                assumed.get().watched.map(free::with).orElse(free),
                claims.without(ref),
                pods,
                context);
    }

    /// The snapshot without some pods, for what-if evaluations: their resources are free, and so
    /// are the devices of claims that are reserved for no other pod or group. Costs in proportion
    /// to these pods.
    public ClusterSnapshot without(Collection<ObjectRef> holders) {
        var free = usage;
        var uids = new HashSet<Uid>();
        var held = new LinkedHashSet<ObjectRef>();
        for (var ref : holders) {
            var pod = usage.pod(ref);
            if (pod.isPresent()) {
                uids.add(pod.get().metadata().uid());
                held.addAll(PodClaimReferences.all(pod.get()));
                free = free.withoutPod(ref);
            }
        }
        for (var ref : held) {
            var claim = free.claim(ref).filter(one -> isHeldOnlyBy(one, uids));
            if (claim.isPresent()) {
                free = free.with(claim.get().withStatus(ResourceClaimStatus.EMPTY));
            }
        }
        return with(free);
    }

    private static boolean isHeldOnlyBy(ResourceClaim claim, Set<Uid> pods) {
        var users = claim.status().reservedFor();
        return !users.isEmpty() && users.stream().allMatch(user -> pods.contains(user.uid()));
    }

    /// The snapshot with some placements assumed, for what-if evaluations.
    public ClusterSnapshot assuming(Collection<Placement> placements) {
        var next = this;
        for (var placement : placements) {
            next = next.assume(placement);
        }
        return next;
    }

    /// The snapshot with more nodes and their slices, for what-if evaluations.
    public ClusterSnapshot withNodes(Collection<Node> nodes, Collection<ResourceSlice> slices) {
        var next = inventory;
        for (var node : nodes) {
            next = next.with(node);
        }
        return with(next.with(slices));
    }

    /// The nodes whose evaluation may have changed since an earlier snapshot, including deleted
    /// nodes. Costs in proportion to the changes between snapshots with a common history.
    public Set<String> changesSince(ClusterSnapshot before) {
        var changed = new TreeSet<String>();
        inventory.nodeChangesSince(before.inventory, changed::add);
        usage.nodeChangesSince(before.usage, changed::add);
        var pools = new TreeSet<PoolId>();
        inventory.poolChangesSince(before.inventory, pools::add);
        usage.poolChangesSince(before.usage, pools::add);
        for (var pool : pools) {
            if (!inventory.hasNodesAndPoolsOf(before.inventory)) {
                before.inventory
                        .pool(pool)
                        .ifPresent(p -> addViewers(p, before.inventory, changed));
            }
            inventory.pool(pool).ifPresent(p -> addViewers(p, inventory, changed));
        }
        return changed;
    }

    private static void addViewers(Pool pool, ClusterInventory inventory, Set<String> viewers) {
        if (pool.onlyNode().isPresent()) {
            viewers.add(pool.onlyNode().get());
            return;
        }
        for (var node : inventory.nodes()) {
            if (pool.viewFrom(node).isPresent()) {
                viewers.add(node.name());
            }
        }
    }
}
