package dev.berth.core.schedule;

import dev.berth.core.allocate.rule.AllocatorFeature;
import dev.berth.core.inventory.Pool;
import dev.berth.core.place.ClaimUnusable;
import dev.berth.core.place.UnusableClaim;
import dev.berth.core.snapshot.ClusterInventory;
import dev.berth.core.snapshot.ClusterUsage;
import dev.berth.core.taint.Taints;
import dev.berth.model.api.claim.AllocatedDevice;
import dev.berth.model.api.claim.ResourceClaim;
import dev.berth.model.api.meta.ObjectRef;
import dev.berth.model.api.pod.Pod;
import dev.berth.model.api.taint.DeviceTaint;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;

/// Finds out why a pod cannot use allocated claims on any node: binding failed, devices were
/// tainted or allocated twice, or the reservation limit is reached. Kubernetes lets new pods
/// reserve tainted devices; the API documentation says otherwise, and this code follows the
/// documentation.
///
/// @param inventory contains the pools of all devices of these claims
/// @param isAssumed whether the node of a pod is assumed only
/// @param bindingTimeout timeout of binding conditions
public record ClaimInspection(
        ClusterInventory inventory,
        ClusterUsage usage,
        Predicate<ObjectRef> isAssumed,
        Set<AllocatorFeature> features,
        Duration bindingTimeout,
        Instant now) {

    /// Default timeout of binding conditions.
    public static final Duration DEFAULT_BINDING_TIMEOUT = Duration.ofMinutes(10);

    /// Limit of `reservedFor` in the API.
    private static final int MAX_USERS = 256;

    /// The unusable claims of a pod, those at the reservation limit first.
    ///
    /// @param allocated claims with an allocation
    public List<ClaimUnusable> of(Pod pod, List<ResourceClaim> allocated) {
        if (allocated.isEmpty()) {
            return List.of();
        }
        var full = new ArrayList<ClaimUnusable>();
        var others = new ArrayList<ClaimUnusable>();
        for (var claim : allocated) {
            var isUser = claim.isReservedFor(pod);
            if (!isUser && claim.status().reservedFor().size() >= MAX_USERS) {
                full.add(
                        new ClaimUnusable(
                                claim.ref(), new UnusableClaim.ReservationsFull(MAX_USERS)));
            }
            problem(claim, isUser)
                    .map(problem -> new ClaimUnusable(claim.ref(), problem))
                    .ifPresent(others::add);
        }
        full.addAll(others);
        return full;
    }

    /// Why a claim is unusable, regardless of the reservation limit.
    ///
    /// @param isUser whether the claim is reserved for the pod
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
