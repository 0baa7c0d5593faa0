package dev.berth.core.allocate;

import dev.berth.core.allocate.rule.AllocatorFeature;
import dev.berth.core.inventory.Pool;
import dev.berth.core.inventory.PoolView;
import dev.berth.core.ledger.Holdings;
import dev.berth.model.api.claim.DeviceClass;
import dev.berth.model.api.claim.ResourceClaim;
import dev.berth.model.api.node.Node;
import dev.berth.model.api.slice.ResourceSlice;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Set;

/// A self-contained request to allocate devices on one node to the claims of one pod.
///
/// The slices carry all device taints, including those of DeviceTaintRules.
public record AllocationRequest(
        Set<AllocatorFeature> features,
        Node node,
        List<DeviceClass> classes,
        List<ResourceSlice> slices,
        Holdings holdings,
        List<ResourceClaim> claims) {

    public AllocationRequest {
        features = Set.copyOf(features);
        classes = List.copyOf(classes);
        slices = List.copyOf(slices);
        claims = List.copyOf(claims);
    }

    /// The same request with the pools that the node can access. Results are not reused, so that
    /// the steps of the search are those of this request.
    public NodeAllocationRequest toNodeRequest(DeviceOrder order) {
        var pools = new ArrayList<PoolView>();
        for (var pool : Pool.all(slices, AllocatorFeature.rules(features))) {
            pool.viewFrom(node).ifPresent(pools::add);
        }
        var classesByName = new LinkedHashMap<String, DeviceClass>();
        classes.forEach(c -> classesByName.put(c.metadata().name(), c));
        return new NodeAllocationRequest(
                node, pools, classesByName, features, holdings, claims, order, false);
    }
}
