package dev.berth.testkit.verify;

import dev.berth.model.api.AllocatedDevice;
import dev.berth.model.api.DeviceDemand;
import dev.berth.model.api.ResourceClaim;

/// A device in a result, with the request that it answers and the device itself.
///
/// @param claimIndex the position of the claim
/// @param request the name of the request without alternative
record AllocatedRow(
        int claimIndex,
        ResourceClaim claim,
        String request,
        DeviceDemand demand,
        boolean admin,
        AllocatedDevice device,
        PublishedDevice spot) {

    @Override
    public String toString() {
        return "claim %s, request %s, device %s"
                .formatted(claim.ref(), device.request(), device.id());
    }
}
