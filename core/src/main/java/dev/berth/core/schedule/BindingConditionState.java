package dev.berth.core.schedule;

import dev.berth.core.place.UnusableClaim;
import dev.berth.model.api.claim.AllocatedDevice;
import dev.berth.model.api.claim.ResourceClaim;
import dev.berth.model.api.meta.Condition;
import dev.berth.model.api.slice.DeviceId;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// State of the binding conditions of a claim's devices, which must be true before a pod is bound.
public sealed interface BindingConditionState {

    /// All binding conditions are true, or there are none.
    record Ready() implements BindingConditionState {}

    /// Binding conditions are not yet true.
    record Pending() implements BindingConditionState {}

    /// A binding failure condition is true, or the timeout expired; other devices may succeed.
    ///
    /// @param devices devices whose binding failed
    record Failed(String message, List<DeviceId> devices, UnusableClaim cause)
            implements BindingConditionState {
        public Failed {
            devices = List.copyOf(devices);
        }
    }

    static BindingConditionState of(ResourceClaim claim, Duration timeout, Instant now) {
        return of(claim, Optional.empty(), timeout, now);
    }

    /// The same for a binding that waits.
    ///
    /// @param waitingSince start of the wait, for claims without an allocation timestamp
    static BindingConditionState of(
            ResourceClaim claim, Optional<Instant> waitingSince, Duration timeout, Instant now) {
        var allocation = claim.status().allocation();
        if (allocation.isEmpty()) {
            return new Ready();
        }
        var pending = new ArrayList<AllocatedDevice>();
        for (var device : allocation.get().devices()) {
            if (device.bindingConditions().isEmpty()) {
                continue;
            }
            var conditions = conditions(claim, device);
            for (var failure : device.bindingFailureConditions()) {
                var met = find(conditions, failure);
                if (met.isPresent()) {
                    return new Failed(
                            "device binding failed: claim=%s, reason=%s, message=\"%s\""
                                    .formatted(
                                            claim.metadata().name(),
                                            met.get().reason(),
                                            met.get().message()),
                            List.of(device.id()),
                            new UnusableClaim.BindingFailed(device.id(), met.get()));
                }
            }
            if (!missing(device, conditions).isEmpty()) {
                pending.add(device);
            }
        }
        if (pending.isEmpty()) {
            return new Ready();
        }
        var start = allocation.get().allocationTimestamp().or(() -> waitingSince);
        return start.filter(t -> t.plus(timeout).isBefore(now)).isPresent()
                ? new Failed(
                        "device binding timeout: claim %s is not ready after %d s"
                                .formatted(claim.ref(), timeout.toSeconds()),
                        pending.stream().map(AllocatedDevice::id).toList(),
                        timedOut(claim, pending.getFirst(), timeout))
                : new Pending();
    }

    private static UnusableClaim timedOut(
            ResourceClaim claim, AllocatedDevice device, Duration timeout) {
        var missing = missing(device, conditions(claim, device));
        return new UnusableClaim.BindingTimedOut(device.id(), missing, timeout);
    }

    /// The binding conditions of a device that are not true.
    private static List<String> missing(AllocatedDevice device, List<Condition> conditions) {
        return device.bindingConditions().stream()
                .filter(type -> find(conditions, type).isEmpty())
                .toList();
    }

    /// True when a device of the claim has binding conditions, met or not.
    static boolean isRequired(ResourceClaim claim) {
        return claim.status().allocation().stream()
                .flatMap(allocation -> allocation.devices().stream())
                .anyMatch(device -> !device.bindingConditions().isEmpty());
    }

    // Shares of one device have the same binding conditions, so that share IDs are not compared.
    private static List<Condition> conditions(ResourceClaim claim, AllocatedDevice device) {
        return claim.status().devices().stream()
                .filter(status -> status.id().equals(device.id()))
                .findFirst()
                .map(status -> status.conditions())
                .orElse(List.of());
    }

    private static Optional<Condition> find(List<Condition> conditions, String type) {
        return conditions.stream().filter(c -> c.type().equals(type) && c.isTrue()).findFirst();
    }
}
