package dev.berth.core.explain;

import dev.berth.model.api.meta.ObjectRef;
import dev.berth.model.api.slice.DeviceId;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/// The checks of a request in order, with the devices that each one removes from those that passed
/// the checks before.
///
/// @param published number of published devices
public record RequestSteps(ObjectRef claim, String request, int published, List<Step> steps) {

    /// Bound on the names of removed devices.
    private static final int MAX_DEVICES = 20;

    public RequestSteps {
        steps = List.copyOf(steps);
    }

    /// The result of one check.
    ///
    /// @param removed number of devices that fail this check and no earlier one
    /// @param remaining number of devices that pass this check and all earlier ones
    /// @param devices the removed devices, at most twenty
    public record Step(DeviceCheck check, int removed, int remaining, List<DeviceId> devices) {
        public Step {
            devices = List.copyOf(devices);
        }
    }

    public static RequestSteps of(
            RequestAlternative alternative,
            Map<DeviceId, DeviceObstacles.DeviceFit> fits,
            ExplainInputs inputs) {
        var used = new HashSet<ObjectRef>();
        for (var holder : inputs.holders()) {
            if (!holder.status().reservedFor().isEmpty()) {
                used.add(holder.ref());
            }
        }
        var removed = new EnumMap<DeviceCheck, List<DeviceId>>(DeviceCheck.class);
        fits.forEach((device, fit) -> {
            if (!fit.isFree()) {
                removed.computeIfAbsent(first(fit, used), _ -> new ArrayList<>()).add(device);
            }
        });
        var steps = new ArrayList<Step>();
        var remaining = fits.size();
        for (var check : DeviceCheck.values()) {
            var devices = removed.getOrDefault(check, List.of());
            remaining -= devices.size();
            steps.add(
                    new Step(
                            check,
                            devices.size(),
                            remaining,
                            devices.stream().sorted().limit(MAX_DEVICES).toList()));
        }
        return new RequestSteps(alternative.claim(), alternative.name(), fits.size(), steps);
    }

    /// The first check that a device fails.
    private static DeviceCheck first(DeviceObstacles.DeviceFit fit, Set<ObjectRef> used) {
        return fit.occurrences().stream()
                .map(one ->
                        DeviceCheck.of(
                                one.obstacle(), one.holders().stream().anyMatch(used::contains)))
                .min(DeviceCheck::compareTo)
                .orElseThrow();
    }
}
