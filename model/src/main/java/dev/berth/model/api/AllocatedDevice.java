package dev.berth.model.api;

import dev.berth.model.quantity.Quantity;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// One device that was allocated, for `request` or `request/alternative`.
public record AllocatedDevice(
        String request,
        DeviceId id,
        Optional<Boolean> adminAccess,
        List<DeviceToleration> tolerations,
        List<String> bindingConditions,
        List<String> bindingFailureConditions,
        Optional<String> shareId,
        Map<String, Quantity> consumedCapacity,
        List<SkipNodeOperation> skipNodeOperations) {

    public AllocatedDevice {
        tolerations = List.copyOf(tolerations);
        bindingConditions = List.copyOf(bindingConditions);
        bindingFailureConditions = List.copyOf(bindingFailureConditions);
        consumedCapacity = OrderedMap.copyOf(consumedCapacity);
        skipNodeOperations = List.copyOf(skipNodeOperations);
    }

    /// True when the device is only watched over, so that its holder does not keep others out.
    public boolean isAdmin() {
        return adminAccess.orElse(false);
    }

    public Optional<ShareId> share() {
        return shareId.map(share -> new ShareId(id, share));
    }
}
