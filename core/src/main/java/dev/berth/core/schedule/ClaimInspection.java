package dev.berth.core.schedule;

import dev.berth.core.allocate.AllocatorFeature;
import dev.berth.core.inventory.Pool;
import dev.berth.core.place.ClusterInventory;
import dev.berth.core.place.ClusterUsage;
import dev.berth.core.place.Rejection;
import dev.berth.core.place.UnusableClaim;
import dev.berth.core.taint.Taints;
import dev.berth.model.api.AllocatedDevice;
import dev.berth.model.api.DeviceTaint;
import dev.berth.model.api.ObjectRef;
import dev.berth.model.api.Pod;
import dev.berth.model.api.ResourceClaim;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;

/// Looks at claims that have devices, and says why a pod may not begin to use them on any node:
/// they could not be attached, have been tainted since, were given to others as well, or have as
/// many users as they may. Kubernetes lets new pods reserve tainted devices; its API says
/// otherwise, and so do we.
///
/// @param fleet with the pools of all devices of these claims
/// @param isAssumed whether a pod is on its node only as far as somebody assumes
/// @param bindingPatience how long devices may take to be attached
public record ClaimInspection(
        ClusterInventory inventory,
        ClusterUsage usage,
        Predicate<ObjectRef> isAssumed,
        Set<AllocatorFeature> features,
        Duration bindingTimeout,
        Instant now) {

    /// How long devices may take to be attached when nobody says otherwise.
    public static final Duration DEFAULT_BINDING_TIMEOUT = Duration.ofMinutes(10);

    /// How many users one claim may have.
    private static final int MAX_USERS = 256;

    /// What is wrong with the claims of a pod, those first that have users enough.
    ///
    /// @param allocated claims that have devices
    public List<Rejection.ClaimUnusable> of(Pod pod, List<ResourceClaim> allocated) {
        if (allocated.isEmpty()) {
            return List.of();
        }
        var full = new ArrayList<Rejection.ClaimUnusable>();
        var others = new ArrayList<Rejection.ClaimUnusable>();
        for (var claim : allocated) {
            var isUser = claim.isReservedFor(pod);
            if (!isUser && claim.status().reservedFor().size() >= MAX_USERS) {
                full.add(
                        new Rejection.ClaimUnusable(
                                claim.ref(), new UnusableClaim.ReservationsFull(MAX_USERS)));
            }
            problem(claim, isUser)
                    .map(problem -> new Rejection.ClaimUnusable(claim.ref(), problem))
                    .ifPresent(others::add);
        }
        full.addAll(others);
        return full;
    }

    /// What is wrong with a claim, however many use it.
    ///
    /// @param isUser whether the claim is reserved for who asks
    public Optional<UnusableClaim> problem(ResourceClaim claim, boolean isUser) {
        return BindingConditionState.of(claim, bindingTimeout, now)
                        instanceof BindingConditionState.Failed(_, _, var problem)
                ? Optional.of(problem)
                : DuplicateAllocations.problem(claim, this)
                        .or(() -> isUser ? Optional.empty() : tainted(claim));
    }

    private Optional<UnusableClaim> tainted(ResourceClaim claim) {
        if (!features.contains(AllocatorFeature.DEVICE_TAINTS)) {
            return Optional.empty();
        }
        return claim.status().allocation().stream()
                .flatMap(allocation -> allocation.devices().stream())
                .filter(device -> !device.isAdmin())
                .flatMap(device -> tainted(device).stream())
                .findFirst();
    }

    private Optional<UnusableClaim> tainted(AllocatedDevice device) {
        var id = device.id();
        var taints =
                inventory
                        .pool(id.poolId())
                        .map(pool -> taints(pool, id.device()))
                        .orElse(List.of());
        return Taints.untolerated(taints, device.tolerations())
                .map(taint -> new UnusableClaim.Tainted(id, taint));
    }

    private static List<DeviceTaint> taints(Pool pool, String device) {
        for (var table : pool.slices()) {
            for (var row = 0; row < table.size(); row++) {
                if (table.deviceName(row).equals(device)) {
                    return table.traits(row).taints();
                }
            }
        }
        return List.of();
    }
}
