package dev.berth.core.place;

import dev.berth.core.place.pack.NodeFreeCapacity;
import dev.berth.model.api.claim.AllocationResult;
import dev.berth.model.api.node.Node;
import java.util.List;
import java.util.Optional;

/// The part of an evaluation that depends on one node only: filters of scope NODE, device
/// allocation, ranks and node-scoped scores. It is valid until the node, its pods or its pools
/// change, also for other pods with the same cache key.
public sealed interface NodeScopedFit {

    Node node();

    /// A filter of scope NODE or device allocation rejects the node.
    ///
    /// @param position the position of the filter in the list, the number of filters for device
    ///   allocation
    record Rejected(Node node, int position, Rejection rejection) implements NodeScopedFit {}

    /// Only filters of scope CLUSTER or the node resources of devices can still reject the node.
    ///
    /// @param results allocations, one per claim to allocate
    /// @param shares node-allocatable resources of all claims; empty when there are none
    /// @param ranks costs of the node under the policy apart from packing costs, the most important
    ///   first
    /// @param score the sum of the node-scoped scores
    /// @param free the free capacity of the node, if the policy packs
    record Candidate(
            Node node,
            List<AllocationResult> results,
            List<NodeAllocatableShare> shares,
            List<Long> ranks,
            long score,
            Optional<NodeFreeCapacity> free)
            implements NodeScopedFit {
        public Candidate {
            results = List.copyOf(results);
            shares = List.copyOf(shares);
            ranks = List.copyOf(ranks);
        }
    }
}
