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
    final long order;

    /// What has been written of its claims.
    final List<ClaimWriter.Result.Written> written = new ArrayList<>();

    /// The claim that was made for its extended resources.
    Optional<ResourceClaim> made = Optional.empty();

    /// Whether people have been told that it waits for devices to be attached.
    boolean isToldToWait;

    /// Whether a watch has shown the claim that was made.
    boolean isMadeSeen;

    /// Whether the pod has gone, so that nothing should come of it.
    boolean isCancelled;

    private Optional<Instant> waitsSince = Optional.empty();

    PodBinding(Pod pod, SchedulingDecision.Placed placed, long order) {
        this.pod = pod;
        this.placed = placed;
        this.order = order;
    }

    /// Its claims are written and it only waits for what watches bring, from now if not before.
    void waitFrom(Instant now) {
        waitsSince = waitsSince.or(() -> Optional.of(now));
    }

    void waitNoMore() {
        waitsSince = Optional.empty();
    }

    boolean isWaiting() {
        return waitsSince.isPresent();
    }

    Instant waitsSince() {
        return waitsSince.orElseThrow();
    }

    /// Whether a claim may exist though no watch has ever shown it.
    boolean isYetToBeSeen(ObjectRef claim) {
        return !isMadeSeen && made.filter(own -> own.ref().equals(claim)).isPresent();
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
    EventSink.Note arrival() {
        return EventSink.Note.normal(
                "Scheduled", "Binding", "Successfully assigned %s to %s".formatted(ref(), node()));
    }

    /// What people are told when the pod has to wait for devices to be attached.
    EventSink.Note pause() {
        return EventSink.Note.normal(
                "BindingConditionsPending",
                "Scheduling",
                "waiting for binding conditions for device on node " + node());
    }

    /// What the pod's status is to say of resources that its devices take. The API has no place for
    /// the claim of extended resources.
    List<NodeAllocatableClaimStatus> taken() {
        return placed.fits().taken().stream()
                .filter(one ->
                        !isExtended(new ObjectRef(ref().namespace(), one.resourceClaimName())))
                .toList();
    }

    /// For whom a claim is reserved.
    ConsumerReference user(ObjectRef claim) {
        return placed.question().user(claim);
    }

    /// The claims that get their devices through it, by the names that the question knows.
    Set<ObjectRef> wanted() {
        var refs = new HashSet<ObjectRef>();
        placed.question().wanted().forEach(claim -> refs.add(claim.ref()));
        return refs;
    }

    boolean isExtended(ObjectRef claim) {
        return placed.extended().filter(extended -> extended.ref().equals(claim)).isPresent();
    }

    /// What the claim for its extended resources gets, which is the last that it wants.
    Optional<AllocationResult> extendedResult() {
        return placed.extended().map(_ -> placed.fits().given().getLast().result());
    }

    /// All claims of the pod that are stored, as far as they are.
    List<ObjectRef> stored() {
        var refs = new ArrayList<ObjectRef>();
        placed.question().allocated().forEach(claim -> refs.add(claim.ref()));
        for (var claim : placed.question().wanted()) {
            if (isExtended(claim.ref())) {
                made.ifPresent(real -> refs.add(real.ref()));
            } else {
                refs.add(claim.ref());
            }
        }
        return refs;
    }
}
