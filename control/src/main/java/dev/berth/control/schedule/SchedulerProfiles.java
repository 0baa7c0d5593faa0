package dev.berth.control.schedule;

import dev.berth.core.allocate.Allocator;
import dev.berth.core.allocate.AllocatorStatistics;
import dev.berth.core.place.ClaimResolver;
import dev.berth.core.place.PlacementFeatures;
import dev.berth.core.place.PlacementPolicy;
import dev.berth.core.place.PluginTimer;
import dev.berth.core.place.PreFilterResult;
import dev.berth.core.schedule.BindingCycle;
import dev.berth.core.schedule.PlacementDecider;
import dev.berth.core.schedule.SchedulingDecision;
import dev.berth.core.snapshot.ClusterSnapshot;
import dev.berth.model.api.claim.ResourceClaim;
import dev.berth.model.api.pod.Pod;
import dev.berth.model.api.slice.DeviceId;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// The deciders of a scheduler's profiles, by `schedulerName`. Belongs to the scheduler's thread.
final class SchedulerProfiles {

    private final ClaimResolver claimResolver;
    private final Map<String, PlacementDecider> deciders = new HashMap<>();

    /// Empty for the policy of Kubernetes, which chooses failed devices again.
    private final Map<String, FailedDevices> failedDevices = new HashMap<>();

    private final List<Allocator> allocators = new ArrayList<>();

    SchedulerProfiles(
            SchedulerOptions options, ClaimResolver claimResolver, PluginTimer pluginTimer) {
        this.claimResolver = claimResolver;
        for (var profile : options.profiles()) {
            var placement =
                    new PlacementDecider.Options(
                            PlacementFeatures.of(options.gates()),
                            profile.policy(),
                            options.bindingTimeout(),
                            SchedulerOptions.groupsOwnClaims(options.gates()),
                            options.shareIds());
            deciders.put(profile.schedulerName(), decider(placement, pluginTimer));
            if (!profile.policy().equals(PlacementPolicy.KUBERNETES)) {
                failedDevices.put(
                        profile.schedulerName(),
                        new FailedDevices(decider(placement, pluginTimer)));
            }
        }
    }

    private PlacementDecider decider(PlacementDecider.Options placement, PluginTimer pluginTimer) {
        var allocator = new Allocator(Allocator.DEFAULT_BUDGET);
        allocators.add(allocator);
        return new PlacementDecider(placement, allocator, pluginTimer);
    }

    /// The work of the allocators of all profiles so far. Callable by any thread.
    List<AllocatorStatistics> allocatorStatistics() {
        return allocators.stream().map(Allocator::statistics).toList();
    }

    /// True when this scheduler is responsible for a pod.
    boolean contains(Pod pod) {
        return deciders.containsKey(pod.spec().schedulerName());
    }

    /// Decides about a pod of a profile; without devices that failed for the pod before, if it fits
    /// without them.
    SchedulingDecision decide(Pod pod, ClusterSnapshot snapshot, Instant now) {
        var decider = deciders.get(pod.spec().schedulerName());
        if (decider == null) {
            throw new IllegalArgumentException("no profile for pod " + pod.ref());
        }
        return withoutFailedDevices(pod, snapshot, now)
                .orElseGet(() -> decider.decide(pod, snapshot, now));
    }

    private Optional<SchedulingDecision> withoutFailedDevices(
            Pod pod, ClusterSnapshot snapshot, Instant now) {
        var known = failedDevices.get(pod.spec().schedulerName());
        return known != null
                        && claimResolver.resolve(pod) instanceof PreFilterResult.Ready(var request)
                ? known.decide(pod, request.claims(), snapshot, now)
                : Optional.empty();
    }

    /// Remembers devices whose binding conditions failed.
    void devicesFailed(
            BindingCycle cycle, ResourceClaim claim, List<DeviceId> devices, Instant now) {
        var known = failedDevices.get(cycle.pod().spec().schedulerName());
        if (known != null) {
            known.add(cycle.uid(), claim, devices, now);
        }
    }
}
