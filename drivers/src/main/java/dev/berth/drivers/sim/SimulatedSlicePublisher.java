package dev.berth.drivers.sim;

import dev.berth.client.Cluster;
import dev.berth.client.RequestResult;
import dev.berth.core.publish.DesiredPool;
import dev.berth.core.publish.SliceReconciler;
import dev.berth.model.api.OwnerReference;
import dev.berth.model.api.PoolId;
import dev.berth.model.api.Uid;
import dev.berth.node.slices.SliceWriter;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/// Publishes pools: finds out what has to be written, and writes it.
final class SimulatedSlicePublisher {

    private final SliceWriter writer;
    private final ObservedSlices seen;

    SimulatedSlicePublisher(Cluster cluster, ObservedSlices seen) {
        this.writer = new SliceWriter(cluster);
        this.seen = seen;
    }

    /// Publishes the pools of a node; the first outcome that is not success, if there is one.
    Optional<RequestResult> publish(String node, String uid, List<DesiredPool> pools) {
        var owner = OwnerReference.controller("v1", "Node", node, new Uid(uid));
        var names = pools.stream().map(DesiredPool::id).collect(Collectors.toSet());
        // What others have published for the node by hand is none of our business.
        var current =
                seen.of(node).stream()
                        .filter(slice ->
                                names.contains(slice.poolId())
                                        || slice.metadata().ownerReferences().contains(owner))
                        .toList();
        return writer.write(new SliceReconciler(List.of(owner)).commands(pools, current), seen);
    }

    /// Publishes the pools that belong to no node, and removes those that are not wanted any more.
    ///
    /// @param ours all pools without a node that the simulator may have published
    Optional<RequestResult> publish(List<DesiredPool> pools, Set<PoolId> ours) {
        var current = seen.of("").stream().filter(slice -> ours.contains(slice.poolId())).toList();
        return writer.write(new SliceReconciler(List.of()).commands(pools, current), seen);
    }
}
