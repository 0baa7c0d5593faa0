package dev.berth.core.allocate;

import dev.berth.core.allocate.rule.AllocatorFeature;
import dev.berth.core.inventory.PoolView;
import dev.berth.core.ledger.Holdings;
import dev.berth.model.api.claim.DeviceClass;
import dev.berth.model.api.claim.ResourceClaim;
import dev.berth.model.api.node.Node;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/// A request to allocate devices to the claims of one pod on one node, from the pools that the node
/// can access.
///
/// Collections are not copied, since one request is made per pod and node; they must not change.
///
/// @param pools pools with devices that are accessible from the node, in any order
/// @param order devices to prefer among all that fit
/// @param ranking the order of devices for [DeviceOrder#PACKED]; empty for the order by the largest
///   devices that remain
/// @param reusesResults whether results of earlier searches on equal devices may be reused
public record NodeAllocationRequest(
        Node node,
        List<PoolView> pools,
        Map<String, DeviceClass> classes,
        Set<AllocatorFeature> features,
        Holdings holdings,
        List<ResourceClaim> claims,
        DeviceOrder order,
        Optional<DeviceRanking> ranking,
        boolean reusesResults) {

    // Searches of a pod on many nodes are recognised by the identity of their claims.
    public NodeAllocationRequest {
        claims = List.copyOf(claims);
    }

    /// A request without a ranking of devices.
    public NodeAllocationRequest(
            Node node,
            List<PoolView> pools,
            Map<String, DeviceClass> classes,
            Set<AllocatorFeature> features,
            Holdings holdings,
            List<ResourceClaim> claims,
            DeviceOrder order,
            boolean reusesResults) {
        this(
                node,
                pools,
                classes,
                features,
                holdings,
                claims,
                order,
                Optional.empty(),
                reusesResults);
    }

    NodeAllocationRequest withoutReuse() {
        return new NodeAllocationRequest(
                node, pools, classes, features, holdings, claims, order, ranking, false);
    }
}
