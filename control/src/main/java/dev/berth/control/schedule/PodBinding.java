package dev.berth.control.schedule;

import dev.berth.core.schedule.SchedulingDecision;
import dev.berth.model.api.AllocationResult;
import dev.berth.model.api.ConsumerReference;
import dev.berth.model.api.NodeAllocatableClaimStatus;
import dev.berth.model.api.ObjectRef;
import dev.berth.model.api.Pod;
import dev.berth.model.api.ResourceClaim;
import dev.berth.model.api.Uid;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/// A pod on its way to a node. Belongs to the scheduler's thread.
final class PodBinding {

    final Pod pod;
    final SchedulingDecision.Placed placed;

    /// How many grants of others had been seen when it was decided.
    final long sequence;

    /// What has been written of its claims.
    final List<ClaimWriter.Result.Written> written = new ArrayList<>();

    /// The claim that was made for its extended resources.
    Optional<ResourceClaim> extendedClaim = Optional.empty();

    /// Whether people have been told that it waits for devices to be attached.
    boolean isWaitReported;

    /// Whether a watch has shown the claim that was made.
    boolean isExtendedClaimSeen;

    /// Whether the pod has gone, so that nothing should come of it.
    boolean isCancelled;

    private Optional<Instant> waitingSince = Optional.empty();

    PodBinding(Pod pod, SchedulingDecision.Placed placed, long sequence) {
        this.pod = pod;
        this.placed = placed;
        this.sequence = sequence;
    }

    /// Its claims are written and it only waits for what watches bring, from now if not before.
    void startWaiting(Instant now) {
        waitingSince = waitingSince.or(() -> Optional.of(now));
    }

    void endWait() {
        waitingSince = Optional.empty();
    }

    boolean isWaiting() {
        return waitingSince.isPresent();
    }

    Instant waitingSince() {
        return waitingSince.orElseThrow();
    }

    /// Whether a claim may exist though no watch has ever shown it.
    boolean mayBeUnseen(ObjectRef claim) {
        return !isExtendedClaimSeen
                && extendedClaim.filter(own -> own.ref().equals(claim)).isPresent();
    }

    ObjectRef ref() {
        return pod.ref();
    }

    Uid uid() {
        return pod.metadata().uid();
    }

    /// Whether it is of this pod, and not of another that had its name.
    boolean isOf(Pod other) {
        return other.metadata().uid().equals(uid());
    }

    String node() {
        return placed.fits().node();
    }

    /// What people are told when the pod is on its node.
    EventSink.Event scheduledEvent() {
        return EventSink.Event.normal(
                "Scheduled", "Binding", "Successfully assigned %s to %s".formatted(ref(), node()));
    }

    /// What people are told when the pod has to wait for devices to be attached.
    EventSink.Event bindingConditionsPendingEvent() {
        return EventSink.Event.normal(
                "BindingConditionsPending",
                "Scheduling",
                "waiting for binding conditions for device on node " + node());
    }

    /// What the pod's status is to say of resources that its devices take. The API has no place for
    /// the claim of extended resources.
    List<NodeAllocatableClaimStatus> nodeResources() {
        return placed.fits().nodeResources().stream()
                .filter(one ->
                        !isExtended(new ObjectRef(ref().namespace(), one.resourceClaimName())))
                .toList();
    }

    /// For whom a claim is reserved.
    ConsumerReference consumer(ObjectRef claim) {
        return placed.request().consumer(claim);
    }

    /// The claims that get their devices through it, by the names that the question knows.
    Set<ObjectRef> toAllocate() {
        var refs = new HashSet<ObjectRef>();
        placed.request().toAllocate().forEach(claim -> refs.add(claim.ref()));
        return refs;
    }

    boolean isExtended(ObjectRef claim) {
        return placed.extended().filter(extended -> extended.ref().equals(claim)).isPresent();
    }

    /// What the claim for its extended resources gets, which is the last that it wants.
    Optional<AllocationResult> extendedResult() {
        return placed.extended().map(_ -> placed.fits().allocations().getLast().result());
    }

    /// All claims of the pod that are stored, as far as they are.
    List<ObjectRef> stored() {
        var refs = new ArrayList<ObjectRef>();
        placed.request().allocated().forEach(claim -> refs.add(claim.ref()));
        for (var claim : placed.request().toAllocate()) {
            if (isExtended(claim.ref())) {
                extendedClaim.ifPresent(real -> refs.add(real.ref()));
            } else {
                refs.add(claim.ref());
            }
        }
        return refs;
    }
}
