package dev.berth.control.schedule;

import dev.berth.core.schedule.ExcludedDevices;
import dev.berth.core.schedule.PlacementDecider;
import dev.berth.core.schedule.SchedulingDecision;
import dev.berth.core.snapshot.ClusterSnapshot;
import dev.berth.model.api.claim.ResourceClaim;
import dev.berth.model.api.meta.Uid;
import dev.berth.model.api.pod.Pod;
import dev.berth.model.api.slice.DeviceId;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/// Excludes devices whose binding conditions failed for a pod or claim: for a limited time, and
/// only if other devices fit.
///
/// Deallocated devices are the first in order again, so that a device that always fails would be
/// chosen forever. A pod that fits only with such devices gets them anyway. A separate decider
/// keeps the cache of the usual one free of snapshots with excluded devices.
final class FailedDevices {

    /// How long a failure is remembered.
    static final Duration RETENTION = Duration.ofMinutes(10);

    /// Bound of remembered failures; the oldest are dropped first.
    private static final int MAX_REMEMBERED = 1_000;

    /// A failed device of a pod, or of a claim that other pods may use as well.
    private record Failure(Uid consumer, DeviceId device) {}

    private final PlacementDecider decider;

    /// Failures and their time, oldest first.
    private final Map<Failure, Instant> failures = new LinkedHashMap<>();

    FailedDevices(PlacementDecider decider) {
        this.decider = decider;
    }

    void add(Uid pod, ResourceClaim claim, List<DeviceId> devices, Instant now) {
        for (var consumer : List.of(pod, claim.metadata().uid())) {
            for (var device : devices) {
                var failure = new Failure(consumer, device);
                failures.remove(failure);
                failures.put(failure, now);
            }
        }
        while (failures.size() > MAX_REMEMBERED) {
            failures.remove(failures.keySet().iterator().next());
        }
    }

    /// A placement without the failed devices; empty when there is none, or nothing to exclude.
    ///
    /// @param claims the claims of the pod
    Optional<SchedulingDecision> decide(
            Pod pod, Collection<ResourceClaim> claims, ClusterSnapshot snapshot, Instant now) {
        failures.values().removeIf(then -> !then.plus(RETENTION).isAfter(now));
        var excluded = failures.isEmpty() ? Set.<DeviceId>of() : excluded(pod, claims);
        if (excluded.isEmpty()) {
            return Optional.empty();
        }
        return Optional.of(decider.decide(pod, ExcludedDevices.of(excluded, snapshot), now))
                .filter(SchedulingDecision.Placed.class::isInstance);
    }

    /// Empty when a claim is still allocated: its devices are not chosen again.
    private Set<DeviceId> excluded(Pod pod, Collection<ResourceClaim> claims) {
        var consumers = new ArrayList<Uid>(List.of(pod.metadata().uid()));
        for (var claim : claims) {
            if (claim.status().allocation().isPresent()) {
                return Set.of();
            }
            consumers.add(claim.metadata().uid());
        }
        var excluded = new LinkedHashSet<DeviceId>();
        for (var failure : failures.keySet()) {
            if (consumers.contains(failure.consumer)) {
                excluded.add(failure.device);
            }
        }
        return excluded;
    }
}
