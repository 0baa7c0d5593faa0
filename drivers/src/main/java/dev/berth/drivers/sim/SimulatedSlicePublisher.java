package dev.berth.drivers.sim;

import dev.berth.client.Cluster;
import dev.berth.client.RequestResult;
import dev.berth.core.publish.DesiredPool;
import dev.berth.core.publish.SliceReconciler;
import dev.berth.model.api.meta.OwnerReference;
import dev.berth.model.api.meta.Uid;
import dev.berth.model.api.slice.PoolId;
import dev.berth.node.slices.SliceWriter;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/// Publishes pools: reconciles the desired with the observed ResourceSlices.
final class SimulatedSlicePublisher {

    private final SliceWriter writer;
    private final NodeSlices observed;

    SimulatedSlicePublisher(Cluster cluster, NodeSlices observed) {
        this.writer = new SliceWriter(cluster);
        this.observed = observed;
    }

    /// Publishes the pools of a node; returns the first failure, if there is one.
    Optional<RequestResult> publish(String node, String uid, List<DesiredPool> pools) {
        var owner = OwnerReference.controller("v1", "Node", node, new Uid(uid));
        var names = pools.stream().map(DesiredPool::id).collect(Collectors.toSet());
        // Slices that users created for the node by hand are left alone.
        var current =
                observed.of(node).stream()
                        .filter(slice ->
                                names.contains(slice.poolId())
                                        || slice.metadata().ownerReferences().contains(owner))
                        .toList();
        return writer.write(new SliceReconciler(List.of(owner)).commands(pools, current), observed);
    }

    /// Publishes network-attached pools and removes obsolete ones.
    ///
    /// @param ours all network-attached pools that the simulator may have published
    Optional<RequestResult> publish(List<DesiredPool> pools, Set<PoolId> ours) {
        var current =
                observed.of("").stream().filter(slice -> ours.contains(slice.poolId())).toList();
        return writer.write(new SliceReconciler(List.of()).commands(pools, current), observed);
    }
}
