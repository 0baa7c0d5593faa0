package dev.berth.control.schedule;

import dev.berth.core.schedule.BindingCycle;
import dev.berth.core.snapshot.ExtendedResourceClaims;
import dev.berth.model.api.claim.AllocationResult;
import dev.berth.model.api.claim.ResourceClaim;
import dev.berth.model.api.meta.ObjectRef;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;

/// The bindings in progress. Belongs to the scheduler's thread.
final class PodBindings {

    // In the order of decisions.
    private final Map<ObjectRef, BindingCycle> cycles = new LinkedHashMap<>();

    // The two indexes below are derived from the cycles and change in `put` only. A claim event
    // and a volume event must not visit hundreds of bindings that they do not concern.
    private final Map<ObjectRef, Set<ObjectRef>> podsByClaim = new HashMap<>();
    private final Set<ObjectRef> awaitingVolumes = new LinkedHashSet<>();

    /// Adds or replaces the binding of a pod; a binding in a final stage is removed.
    void put(BindingCycle cycle) {
        var pod = cycle.ref();
        if (cycle.stage().isFinal()) {
            cycles.remove(pod);
            for (var claim : cycle.claims()) {
                podsByClaim.computeIfPresent(claim, (_, pods) -> without(pods, pod));
            }
        } else if (cycles.put(pod, cycle) == null) {
            for (var claim : cycle.claims()) {
                podsByClaim.computeIfAbsent(claim, _ -> LinkedHashSet.newLinkedHashSet(1)).add(pod);
            }
        }
        if (cycle.stage().isAwaitingVolumes()) {
            awaitingVolumes.add(pod);
        } else {
            awaitingVolumes.remove(pod);
        }
    }

    @SuppressWarnings("NullAway") // Null removes an empty set from the map.
    private static Set<ObjectRef> without(Set<ObjectRef> pods, ObjectRef pod) {
        pods.remove(pod);
        return pods.isEmpty() ? null : pods;
    }

    int size() {
        return cycles.size();
    }

    boolean contains(ObjectRef pod) {
        return cycles.containsKey(pod);
    }

    Optional<BindingCycle> find(ObjectRef pod) {
        return Optional.ofNullable(cycles.get(pod));
    }

    /// All pods, in the order of decisions.
    List<ObjectRef> pods() {
        return List.copyOf(cycles.keySet());
    }

    /// The pods that wait for volumes.
    List<ObjectRef> awaitingVolumes() {
        return List.copyOf(awaitingVolumes);
    }

    int awaitingVolumesCount() {
        return awaitingVolumes.size();
    }

    /// The pods that use a claim by its name in their requests, in the order of decisions.
    List<ObjectRef> usersOf(ObjectRef claim) {
        return List.copyOf(podsByClaim.getOrDefault(claim, Set.of()));
    }

    /// The pods that use a stored claim. A claim for extended resources has a placeholder name in
    /// the request.
    List<ObjectRef> usersOf(ResourceClaim claim) {
        return usersOf(ExtendedResourceClaims.inMemoryOf(claim).orElse(claim.ref()));
    }

    boolean isBeingWritten(ObjectRef claim) {
        for (var pod : podsByClaim.getOrDefault(claim, Set.of())) {
            var cycle = cycles.get(pod);
            if (cycle != null && cycle.stage().isWriting(claim)) {
                return true;
            }
        }
        return false;
    }

    /// True when a binding wrote the current allocation of a claim, as opposed to an earlier
    /// attempt whose write succeeded late.
    boolean isOwnAllocation(ResourceClaim claim) {
        var requested = ExtendedResourceClaims.inMemoryOf(claim).orElse(claim.ref());
        var written = Optional.<AllocationResult>empty();
        for (var pod : podsByClaim.getOrDefault(requested, Set.of())) {
            // The last one counts: an earlier binding of the claim is being undone.
            var own = find(pod).flatMap(cycle -> cycle.allocation(requested));
            written = own.isPresent() ? own : written;
        }
        var devices = claim.status().allocation().map(AllocationResult::devices).orElse(List.of());
        return written.filter(own -> own.devices().equals(devices)).isPresent();
    }

    /// The sequence number of the oldest decision.
    OptionalLong oldestSequence() {
        for (var oldest : cycles.values()) {
            return OptionalLong.of(oldest.sequence());
        }
        return OptionalLong.empty();
    }
}
