package dev.berth.core.schedule;

import dev.berth.core.snapshot.ClusterSnapshot;
import dev.berth.model.api.claim.AllocatedDevice;
import dev.berth.model.api.claim.AllocationResult;
import dev.berth.model.api.claim.ResourceClaim;
import dev.berth.model.api.claim.ResourceClaimSpec;
import dev.berth.model.api.claim.ResourceClaimStatus;
import dev.berth.model.api.meta.ObjectMeta;
import dev.berth.model.api.slice.DeviceId;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// Excludes devices from allocation by a snapshot in which a placeholder claim holds them.
public final class ExcludedDevices {

    /// Not a valid object name, so that no real claim has it.
    private static final String HOLDER = "(avoided)";

    private ExcludedDevices() {}

    /// The snapshot with the devices held by the placeholder.
    public static ClusterSnapshot of(Collection<DeviceId> devices, ClusterSnapshot snapshot) {
        var held = devices.stream().map(ExcludedDevices::held).toList();
        var allocation = new AllocationResult(held, List.of(), Optional.empty(), Optional.empty());
        return snapshot.with(
                new ResourceClaim(
                        ObjectMeta.of(HOLDER, HOLDER),
                        ResourceClaimSpec.EMPTY,
                        new ResourceClaimStatus(Optional.of(allocation), List.of(), List.of())));
    }

    private static AllocatedDevice held(DeviceId device) {
        return new AllocatedDevice(
                HOLDER,
                device,
                Optional.empty(),
                List.of(),
                List.of(),
                List.of(),
                Optional.empty(),
                Map.of(),
                List.of());
    }
}
