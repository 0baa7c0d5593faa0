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

/// A pod in the binding pipeline. Belongs to the scheduler's thread.
final class PodBinding {

    final Pod pod;
    final SchedulingDecision.Placed placed;

    /// The number of allocations of other schedulers seen at the time of the decision.
    final long sequence;

    /// The writes of its claims.
    final List<ClaimWriter.Result.Written> written = new ArrayList<>();

    /// The claim created for its extended resources.
    Optional<ResourceClaim> extendedClaim = Optional.empty();

    /// Whether the wait for binding conditions has been reported.
    boolean isWaitReported;

    /// Whether the watch has shown the created claim.
    boolean isExtendedClaimSeen;

    /// Whether the pod was deleted.
    boolean isCancelled;

    private Optional<Instant> waitingSince = Optional.empty();

    PodBinding(Pod pod, SchedulingDecision.Placed placed, long sequence) {
        this.pod = pod;
        this.placed = placed;
        this.sequence = sequence;
    }

    /// Starts the wait for watches after the claims are written; keeps an earlier start.
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

    /// True for a created claim that the watch has not shown yet.
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

    /// True when the binding is of this pod and not of an earlier one with the same name.
    boolean isOf(Pod other) {
        return other.metadata().uid().equals(uid());
    }

    String node() {
        return placed.fits().node();
    }

    /// The event of a bound pod.
    EventSink.Event scheduledEvent() {
        return EventSink.Event.normal(
                "Scheduled", "Binding", "Successfully assigned %s to %s".formatted(ref(), node()));
    }

    /// The event of a pod that waits for binding conditions.
    EventSink.Event bindingConditionsPendingEvent() {
        return EventSink.Event.normal(
                "BindingConditionsPending",
                "Scheduling",
                "waiting for binding conditions for device on node " + node());
    }

    /// The `nodeAllocatableResourceClaimStatuses` of the pod. The API has no entry for the claim of
    /// extended resources.
    List<NodeAllocatableClaimStatus> nodeResources() {
        return placed.fits().nodeResources().stream()
                .filter(one ->
                        !isExtended(new ObjectRef(ref().namespace(), one.resourceClaimName())))
                .toList();
    }

    /// The consumer for which a claim is reserved.
    ConsumerReference consumer(ObjectRef claim) {
        return placed.request().consumer(claim);
    }

    /// The claims that this binding allocates, by their names in the request.
    Set<ObjectRef> toAllocate() {
        var refs = new HashSet<ObjectRef>();
        placed.request().toAllocate().forEach(claim -> refs.add(claim.ref()));
        return refs;
    }

    boolean isExtended(ObjectRef claim) {
        return placed.extended().filter(extended -> extended.ref().equals(claim)).isPresent();
    }

    /// The allocation of the claim for extended resources, which is the last one.
    Optional<AllocationResult> extendedResult() {
        return placed.extended().map(_ -> placed.fits().allocations().getLast().result());
    }

    /// The claims of the pod that exist in the API server.
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
