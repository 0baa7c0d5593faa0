package dev.berth.core.schedule;

import dev.berth.model.api.claim.AllocationResult;
import dev.berth.model.api.claim.ConsumerReference;
import dev.berth.model.api.claim.ResourceClaim;
import dev.berth.model.api.meta.ObjectRef;
import dev.berth.model.api.meta.Uid;
import dev.berth.model.api.pod.NodeAllocatableClaimStatus;
import dev.berth.model.api.pod.Pod;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/// The binding of one pod: the decision about the pod, and the stage that its binding has reached.
///
/// @param attempt number of the binding. A late answer to an earlier binding of the pod has another
///   number.
/// @param sequence number of allocations of other schedulers seen at the time of the decision
public record BindingCycle(
        long attempt,
        Pod pod,
        SchedulingDecision.Placed placed,
        long sequence,
        BindingStage stage) {

    public ObjectRef ref() {
        return pod.ref();
    }

    public Uid uid() {
        return pod.metadata().uid();
    }

    /// True when the binding is of this pod and not of an earlier one with the same name.
    public boolean isOf(Pod other) {
        return other.metadata().uid().equals(uid());
    }

    public BindingCycle at(BindingStage next) {
        return new BindingCycle(attempt, pod, placed, sequence, next);
    }

    /// All claims of the pod by their names in the request.
    public List<ObjectRef> claims() {
        var refs = new ArrayList<ObjectRef>();
        placed.request().allocated().forEach(claim -> refs.add(claim.ref()));
        placed.request().toAllocate().forEach(claim -> refs.add(claim.ref()));
        return refs;
    }

    /// The allocation that this binding writes to a claim.
    public Optional<AllocationResult> allocation(ObjectRef claim) {
        for (var allocation : placed.fits().allocations()) {
            if (allocation.ref().equals(claim)) {
                return Optional.of(allocation.result());
            }
        }
        return Optional.empty();
    }

    String node() {
        return placed.fits().node();
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

    /// True for the placeholder name of the claim for extended resources.
    boolean isExtended(ObjectRef claim) {
        return placed.extended().filter(one -> one.claim().ref().equals(claim)).isPresent();
    }

    /// The claims of the pod that exist in the API server.
    List<ObjectRef> stored(BindingWrites writes) {
        var refs = new ArrayList<ObjectRef>();
        for (var ref : claims()) {
            if (isExtended(ref)) {
                writes.extendedClaim().map(ResourceClaim::ref).ifPresent(refs::add);
            } else {
                refs.add(ref);
            }
        }
        return refs;
    }

    /// The `nodeAllocatableResourceClaimStatuses` of the pod. The API has no entry for the claim of
    /// extended resources.
    List<NodeAllocatableClaimStatus> nodeResources() {
        return placed.fits().nodeResources().stream()
                .filter(one ->
                        !isExtended(new ObjectRef(ref().namespace(), one.resourceClaimName())))
                .toList();
    }
}
