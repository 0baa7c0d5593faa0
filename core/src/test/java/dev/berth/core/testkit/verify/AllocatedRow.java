package dev.berth.core.testkit.verify;

import dev.berth.model.api.claim.AllocatedDevice;
import dev.berth.model.api.claim.DeviceDemand;
import dev.berth.model.api.claim.ResourceClaim;

/// A device in an allocation result, with its request and the published device.
///
/// @param claimIndex the position of the claim
/// @param request name of the request without subrequest
record AllocatedRow(
        int claimIndex,
        ResourceClaim claim,
        String request,
        DeviceDemand demand,
        boolean admin,
        AllocatedDevice device,
        PublishedDevice published) {

    @Override
    public String toString() {
        return "claim %s, request %s, device %s"
                .formatted(claim.ref(), device.request(), device.id());
    }
}
