package dev.berth.core.lifecycle;

import dev.berth.model.api.ConsumerReference;
import dev.berth.model.api.ObjectMeta;
import dev.berth.model.api.Pod;
import dev.berth.model.api.ResourceClaim;
import dev.berth.model.api.ResourceClaimStatus;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;

/// Gives claims back when nobody uses them any more.
///
/// One step at a time: what it returns is done, and the claim as it is then is asked about again. A
/// claim loses its devices when the last of its users goes, so one that was given devices but never
/// reserved keeps them.
public final class ClaimRelease {

    /// Keeps a claim from going while it holds devices.
    public static final String FINALIZER = "resource.kubernetes.io/delete-protection";

    private ClaimRelease() {}

    /// What is known of the pod that owns a claim.
    public sealed interface Owner {

        /// No pod, or nobody knows: garbage collection will tell.
        record Unknown() implements Owner {}

        record Known(Pod pod) implements Owner {}
    }

    /// The next thing to do.
    ///
    /// @param isGone whether a user will not use the claim again
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
        if (isProtected && claim.status().allocation().isEmpty() && mayForget(claim, owner)) {
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

    /// A scheduler protects a claim before it gives it devices: between the two steps it looks like
    /// one that was given back. So only a claim that is going or has outlived its pod is taken for
    /// that here; the step after a release is [#afterRelease].
    private static boolean mayForget(ResourceClaim claim, Owner owner) {
        return claim.metadata().isDeleting() || isOutlived(claim, owner);
    }

    /// What follows the release of the last user: the claim as the server answered it.
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
                                        || PodClaimPhase.isDone(pod))
                        .isPresent();
    }

    private static ResourceClaim unprotected(ResourceClaim claim) {
        var old = claim.metadata();
        var metadata =
                new ObjectMeta(
                        old.name(),
                        old.generateName(),
                        old.namespace(),
                        old.uid(),
                        old.resourceVersion(),
                        old.generation(),
                        old.creationTimestamp(),
                        old.deletionTimestamp(),
                        old.deletionGracePeriodSeconds(),
                        old.labels(),
                        old.annotations(),
                        old.ownerReferences(),
                        old.finalizers().stream().filter(one -> !one.equals(FINALIZER)).toList(),
                        old.managedFields());
        return new ResourceClaim(metadata, claim.spec(), claim.status());
    }

    /// The reservation for a pod that somebody put on a node past the scheduler: only of a claim
    /// that has devices and belongs to the pod or to nobody.
    public static Optional<ClaimCommand> reservation(Pod pod, ResourceClaim claim, boolean isMade) {
        var uid = pod.metadata().uid();
        if (pod.spec().nodeName().isEmpty()
                || PodClaimPhase.isDone(pod)
                || claim.metadata().isDeleting()
                || claim.status().allocation().isEmpty()
                || claim.isReservedFor(pod)
                || (isMade && !ClaimOwner.of(pod).owns(claim))) {
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
