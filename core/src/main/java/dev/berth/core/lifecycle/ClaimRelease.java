package dev.berth.core.lifecycle;

import dev.berth.model.api.claim.ConsumerReference;
import dev.berth.model.api.claim.ResourceClaim;
import dev.berth.model.api.claim.ResourceClaimStatus;
import dev.berth.model.api.pod.Pod;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;

/// Decides when claims are deallocated and deleted.
///
/// It returns one step at a time; after that write it is called again with the new claim. A claim
/// is deallocated when its last consumer is removed, so a claim that was allocated but never
/// reserved stays allocated.
public final class ClaimRelease {

    /// The finalizer of allocated claims.
    public static final String FINALIZER = "resource.kubernetes.io/delete-protection";

    private ClaimRelease() {}

    /// The pod that owns a claim.
    public sealed interface Owner {

        /// Not owned by a pod, or the pod is not cached: left to garbage collection.
        record Unknown() implements Owner {}

        record Known(Pod pod) implements Owner {}
    }

    /// The next step for a claim.
    ///
    /// @param isGone whether a consumer will not use the claim any more
    public static Optional<ClaimCommand> next(
            ResourceClaim claim, Predicate<ConsumerReference> isGone, Owner owner) {
        var remaining = new ArrayList<ConsumerReference>();
        for (var user : claim.status().reservedFor()) {
            if (!isGone.test(user)) {
                remaining.add(user);
            }
        }
        var isProtected = claim.metadata().finalizers().contains(FINALIZER);
        if (remaining.size() < claim.status().reservedFor().size()) {
            var released = released(claim, remaining, isProtected);
            return Optional.of(new ClaimCommand.WriteStatus(claim.withStatus(released)));
        }
        if (!remaining.isEmpty()) {
            return Optional.empty();
        }
        if (isProtected && claim.status().allocation().isEmpty() && mayUnprotect(claim, owner)) {
            return Optional.of(new ClaimCommand.Write(unprotected(claim)));
        }
        if (isProtected && claim.metadata().isDeleting()) {
            return Optional.of(
                    new ClaimCommand.WriteStatus(claim.withStatus(ResourceClaimStatus.EMPTY)));
        }
        return !claim.metadata().isDeleting() && isOutlived(claim, owner)
                ? Optional.of(new ClaimCommand.Delete(claim))
                : Optional.empty();
    }

    private static ResourceClaimStatus released(
            ResourceClaim claim, List<ConsumerReference> remaining, boolean isProtected) {
        var status = claim.status();
        return remaining.isEmpty() && isProtected
                ? ResourceClaimStatus.EMPTY
                : new ResourceClaimStatus(status.allocation(), remaining, status.devices());
    }

    /// A scheduler adds the finalizer before it allocates: between the two writes the claim looks
    /// like a deallocated one. So only a claim that is being deleted or has outlived its pod counts
    /// as deallocated here; the step after a release is [#afterRelease].
    private static boolean mayUnprotect(ResourceClaim claim, Owner owner) {
        return claim.metadata().isDeleting() || isOutlived(claim, owner);
    }

    /// The step after the last reservation was removed.
    ///
    /// @param claim as returned by the server
    public static Optional<ClaimCommand> afterRelease(ResourceClaim claim) {
        return claim.status().allocation().isEmpty()
                        && claim.status().reservedFor().isEmpty()
                        && claim.metadata().finalizers().contains(FINALIZER)
                ? Optional.of(new ClaimCommand.Write(unprotected(claim)))
                : Optional.empty();
    }

    private static boolean isOutlived(ResourceClaim claim, Owner owner) {
        return owner instanceof Owner.Known(var pod)
                && claim.metadata()
                        .controller()
                        .filter(reference -> reference.kind().equals("Pod"))
                        .filter(reference ->
                                !reference.uid().equals(pod.metadata().uid())
                                        || PodClaimPhase.isDoneWithClaims(pod))
                        .isPresent();
    }

    private static ResourceClaim unprotected(ResourceClaim claim) {
        var finalizers = claim.metadata().finalizers();
        var metadata =
                claim.metadata()
                        .withFinalizers(
                                finalizers.stream().filter(one -> !one.equals(FINALIZER)).toList());
        return new ResourceClaim(metadata, claim.spec(), claim.status());
    }

    /// The reservation for a pod that was bound without the scheduler: only of an allocated claim
    /// that belongs to the pod or has no owner.
    public static Optional<ClaimCommand> reservation(
            Pod pod, ResourceClaim claim, boolean isFromTemplate) {
        var uid = pod.metadata().uid();
        if (pod.spec().nodeName().isEmpty()
                || PodClaimPhase.isDoneWithClaims(pod)
                || claim.metadata().isDeleting()
                || claim.status().allocation().isEmpty()
                || claim.isReservedFor(pod)
                || (isFromTemplate && !ClaimOwner.of(pod).owns(claim))) {
            return Optional.empty();
        }
        var users = new ArrayList<>(claim.status().reservedFor());
        users.add(ConsumerReference.pod(pod.metadata().name(), uid));
        var status =
                new ResourceClaimStatus(
                        claim.status().allocation(), users, claim.status().devices());
        return Optional.of(new ClaimCommand.WriteStatus(claim.withStatus(status)));
    }
}
