package dev.berth.model.api.claim;

import dev.berth.model.api.meta.OrderedMap;
import dev.berth.model.api.slice.DeviceId;
import dev.berth.model.api.slice.SkipNodeOperation;
import dev.berth.model.api.taint.DeviceToleration;
import dev.berth.model.quantity.Quantity;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// An allocated device (DeviceRequestAllocationResult), for `request` or `request/alternative`.
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

    /// True when the device is allocated with admin access, which does not exclude other holders.
    public boolean isAdmin() {
        return adminAccess.orElse(false);
    }

    public Optional<ShareId> share() {
        return shareId.map(share -> new ShareId(id, share));
    }
}
