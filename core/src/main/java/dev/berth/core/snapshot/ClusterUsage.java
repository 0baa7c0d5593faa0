package dev.berth.core.snapshot;

import dev.berth.core.inventory.PoolView;
import dev.berth.core.ledger.Holdings;
import dev.berth.core.ledger.Ledger;
import dev.berth.core.persistent.PersistentSortedMap;
import dev.berth.model.api.claim.ResourceClaim;
import dev.berth.model.api.meta.ObjectRef;
import dev.berth.model.api.pod.Pod;
import dev.berth.model.api.pod.PodPhase;
import dev.berth.model.api.slice.DeviceId;
import dev.berth.model.api.slice.PoolId;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Predicate;

/// The pods on each node, the devices that claims hold, and the volumes that pods use.
///
/// Immutable: placing a pod, or adding a pod or claim, returns a new value and leaves the old one
/// unchanged, so that several pods can be evaluated against one state. A change costs as much as
/// the node and the pools concerned.
public final class ClusterUsage {

    /// No pods and no claims.
    public static final ClusterUsage NONE =
            new ClusterUsage(
                    PersistentSortedMap.of(),
                    PersistentSortedMap.of(),
                    Ledger.EMPTY,
                    PodCounts.EMPTY,
                    VolumeClaimUsage.NONE);

    private final PersistentSortedMap<String, PodsOnNode> nodes;
    private final PersistentSortedMap<ObjectRef, String> nodesByPod;
    private final Ledger ledger;
    private final PodCounts podCounts;
    private final VolumeClaimUsage volumes;

    private ClusterUsage(
            PersistentSortedMap<String, PodsOnNode> nodes,
            PersistentSortedMap<ObjectRef, String> nodesByPod,
            Ledger ledger,
            PodCounts podCounts,
            VolumeClaimUsage volumes) {
        this.nodes = nodes;
        this.nodesByPod = nodesByPod;
        this.ledger = ledger;
        this.podCounts = podCounts;
        this.volumes = volumes;
    }

    /// The usage of a cluster.
    ///
    /// @param pods pods without a node and terminated pods use nothing
    public static ClusterUsage of(Collection<Pod> pods, Collection<ResourceClaim> claims) {
        var state = NONE;
        for (var pod : pods) {
            state = state.with(pod);
        }
        for (var claim : claims) {
            state = state.with(claim);
        }
        return state;
    }

    /// Adds or replaces a pod. A pod without a node and a terminated pod use nothing.
    public ClusterUsage with(Pod pod) {
        var node = pod.spec().nodeName();
        return node.isEmpty() || isTerminal(pod) ? withoutPod(pod.ref()) : with(pod, node);
    }

    private static boolean isTerminal(Pod pod) {
        return pod.status().phase() == PodPhase.Known.SUCCEEDED
                || pod.status().phase() == PodPhase.Known.FAILED;
    }

    /// Adds a pod to a node, regardless of the pod's own `nodeName` and phase.
    public ClusterUsage with(Pod pod, String node) {
        return with(pod, node, Map.of());
    }

    private ClusterUsage with(Pod pod, String node, Map<ObjectRef, String> newVolumes) {
        var rest = withoutPod(pod.ref());
        var onNode = rest.nodes.find(node).orElse(PodsOnNode.NONE).with(pod);
        return new ClusterUsage(
                rest.nodes.with(node, onNode),
                rest.nodesByPod.with(pod.ref(), node),
                ledger,
                rest.podCounts.with(node, pod),
                rest.volumes.with(VolumeClaims.refs(pod), newVolumes));
    }

    public ClusterUsage withoutPod(ObjectRef ref) {
        var node = nodesByPod.find(ref);
        if (node.isEmpty()) {
            return this;
        }
        var onNode = nodes.find(node.get()).orElse(PodsOnNode.NONE);
        var pod = onNode.pods().find(ref).orElseThrow();
        var rest = onNode.without(ref);
        return new ClusterUsage(
                rest.pods().isEmpty() ? nodes.without(node.get()) : nodes.with(node.get(), rest),
                nodesByPod.without(ref),
                ledger,
                podCounts.without(node.get(), pod),
                volumes.without(VolumeClaims.refs(pod)));
    }

    /// Adds or replaces a claim, allocated or not.
    public ClusterUsage with(ResourceClaim claim) {
        return with(ledger.with(claim));
    }

    public ClusterUsage withoutClaim(ObjectRef ref) {
        return with(ledger.without(ref));
    }

    private ClusterUsage with(Ledger newLedger) {
        return new ClusterUsage(nodes, nodesByPod, newLedger, podCounts, volumes);
    }

    /// The usage after a pod is placed.
    public ClusterUsage with(Placement placement) {
        var next = with(placement.podWithNodeResources(), placement.node(), placement.volumes());
        for (var claim : placement.claims()) {
            next = next.with(claim);
        }
        return next;
    }

    public Optional<ResourceClaim> claim(ObjectRef ref) {
        return ledger.claim(ref);
    }

    /// All claims, by name.
    public Collection<ResourceClaim> claims() {
        return ledger.claims();
    }

    /// The holders of devices by pool.
    public Ledger ledger() {
        return ledger;
    }

    /// The node of a pod that is placed and not terminated.
    public Optional<String> nodeOf(ObjectRef pod) {
        return nodesByPod.find(pod);
    }

    /// A pod that is placed and not terminated.
    public Optional<Pod> pod(ObjectRef ref) {
        return nodesByPod.find(ref).flatMap(nodes::find).flatMap(one -> one.pods().find(ref));
    }

    /// True when a pod on the node meets the condition.
    public boolean hasPod(String node, Predicate<Pod> condition) {
        return nodes.find(node)
                .filter(onNode -> onNode.pods().values().stream().anyMatch(condition))
                .isPresent();
    }

    /// True when a pod on any node meets the condition.
    public boolean hasPod(Predicate<Pod> condition) {
        return nodes.values().stream()
                .anyMatch(onNode -> onNode.pods().values().stream().anyMatch(condition));
    }

    public PodCounts podCounts() {
        return podCounts;
    }

    public VolumeClaimUsage volumes() {
        return volumes;
    }

    public NodeUsage nodeUsage(String node) {
        return nodes.find(node).map(PodsOnNode::usage).orElse(NodeUsage.NONE);
    }

    /// The devices and shares of these pools that are in use.
    public Holdings holdings(List<PoolView> seen) {
        var ids = new ArrayList<PoolId>(seen.size());
        for (var pool : seen) {
            ids.add(pool.id());
        }
        return ledger.holdings(ids);
    }

    /// The number of devices of these pools without a holder.
    public long freeDevices(List<PoolView> pools) {
        var held = holdings(pools);
        var shared = new HashSet<DeviceId>();
        held.shares().forEach(share -> shared.add(share.device()));
        var total = 0L;
        for (var pool : pools) {
            total += pool.size();
        }
        return total - held.exclusive().size() - shared.size();
    }

    /// The remaining value of each counter of a pool.
    public BigInteger[] countersLeft(PoolView pool) {
        return pool.countersLeft(ledger.poolHoldings(pool.id()).holdings().devicesOf(pool.id()));
    }

    /// Visits the nodes whose pods changed since an earlier state.
    public void nodeChangesSince(ClusterUsage before, Consumer<String> visit) {
        nodes.changesSince(before.nodes, visit);
    }

    /// Visits the pods that were placed, removed or replaced since an earlier state.
    public void podChangesSince(ClusterUsage before, Consumer<ObjectRef> visit) {
        nodes.changesSince(
                before.nodes,
                node -> {
                    var now = nodes.find(node).orElse(PodsOnNode.NONE);
                    var then = before.nodes.find(node).orElse(PodsOnNode.NONE);
                    now.pods().changesSince(then.pods(), visit);
                });
    }

    /// Visits the claims that were added, removed or replaced since an earlier state.
    public void claimChangesSince(ClusterUsage before, Consumer<ObjectRef> visit) {
        ledger.claimChangesSince(before.ledger, visit);
    }

    /// Visits the pools whose holders changed since an earlier state.
    public void poolChangesSince(ClusterUsage before, Consumer<PoolId> visit) {
        ledger.changesSince(before.ledger, visit);
    }
}
