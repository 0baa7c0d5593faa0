package dev.berth.core.schedule;

import dev.berth.core.persistent.PersistentSortedMap;
import dev.berth.core.snapshot.ClusterVolumes;
import dev.berth.model.api.claim.AllocatedDevice;
import dev.berth.model.api.claim.ResourceClaim;
import dev.berth.model.api.meta.ObjectRef;
import dev.berth.model.api.node.Node;
import dev.berth.model.api.slice.ResourceSlice;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Predicate;

/// The cluster as far as a binding depends on it, at the time of an event.
///
/// @param foreign allocations of other schedulers since the decision about the pod
/// @param slices slices by name
public record BindingFacts(
        Instant now,
        Claims claims,
        List<ForeignAllocation> foreign,
        ClusterVolumes volumes,
        Function<String, Optional<Node>> nodes,
        PersistentSortedMap<String, ResourceSlice> slices) {

    /// Lookups of claims by name.
    ///
    /// @param watched the claim as last watched, without assumptions
    /// @param latest the last write that the watch has not shown yet, otherwise the watched claim
    /// @param unseen the last write that the watch has not shown yet
    /// @param beingWritten whether a binding writes the claim at present
    public record Claims(
            Function<ObjectRef, Optional<ResourceClaim>> watched,
            Function<ObjectRef, Optional<ResourceClaim>> latest,
            Function<ObjectRef, Optional<BindingWrites.Write>> unseen,
            Predicate<ObjectRef> beingWritten) {}

    /// An allocation written by another scheduler.
    ///
    /// @param sequence the number in the order of arrival
    /// @param isExact true when the version is that of the allocating write; a list shows only a
    ///   later version
    public record ForeignAllocation(
            long sequence,
            ObjectRef claim,
            long version,
            boolean isExact,
            List<AllocatedDevice> devices) {
        public ForeignAllocation {
            devices = List.copyOf(devices);
        }
    }

    Optional<ResourceClaim> watched(ObjectRef claim) {
        return claims.watched.apply(claim);
    }

    Optional<ResourceClaim> latest(ObjectRef claim) {
        return claims.latest.apply(claim);
    }

    boolean isBeingWritten(ObjectRef claim) {
        return claims.beingWritten.test(claim);
    }
}
