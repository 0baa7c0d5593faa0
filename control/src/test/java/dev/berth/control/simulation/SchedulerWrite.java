package dev.berth.control.simulation;

import dev.berth.client.Request;
import dev.berth.client.ResourcePath;
import dev.berth.model.codec.Kinds;
import dev.berth.model.json.JsonObject;
import java.util.Optional;

/// Kinds of writes that commands of a binding send.
enum SchedulerWrite {
    /// `WriteClaims`: the finalizer before the allocation.
    PROTECT_CLAIM,
    /// `WriteClaims`: allocation and first reservation.
    ALLOCATE_CLAIM,
    /// `WriteClaims`: a reservation of a shared claim.
    RESERVE_CLAIM,
    CREATE_EXTENDED_CLAIM,
    /// `WriteVolumes`: an existing volume.
    BIND_VOLUME,
    /// `WriteVolumes`: a volume to be provisioned.
    SELECT_NODE,
    /// `BindPod`: the status of the pod's devices.
    WRITE_POD_STATUS,
    BIND_POD,
    /// `RollBack`: devices that belong to another claim.
    DEALLOCATE_CLAIM,
    /// `RollBack`: a reservation.
    UNRESERVE_CLAIM,
    /// `RollBack`: the claim for extended resources.
    DELETE_EXTENDED_CLAIM;

    private static final ResourcePath VOLUMES = ResourcePath.of(Kinds.PERSISTENT_VOLUME);
    private static final ResourcePath VOLUME_CLAIMS =
            ResourcePath.of(Kinds.PERSISTENT_VOLUME_CLAIM);

    /// The kind of a request; empty for other requests, such as conditions of pending pods.
    static Optional<SchedulerWrite> of(Request request) {
        if (request.address().equals(SimulatedUsers.CLAIMS)) {
            return ofClaim(request);
        }
        if (request.address().equals(SimulatedUsers.PODS)) {
            return ofPod(request);
        }
        if (request.address().equals(VOLUMES)) {
            return Optional.of(BIND_VOLUME);
        }
        return request.address().equals(VOLUME_CLAIMS)
                ? Optional.of(SELECT_NODE)
                : Optional.empty();
    }

    private static Optional<SchedulerWrite> ofClaim(Request request) {
        return switch (request) {
            case Request.Create _ -> Optional.of(CREATE_EXTENDED_CLAIM);
            case Request.Delete _ -> Optional.of(DELETE_EXTENDED_CLAIM);
            case Request.Patch patch ->
                    patch.subresource().equals("status")
                            ? Optional.of(UNRESERVE_CLAIM)
                            : Optional.empty();
            case Request.Update update ->
                    update.subresource().equals("status")
                            ? Optional.of(ofStatus(update.object().objectOrEmpty("status")))
                            : Optional.of(PROTECT_CLAIM);
            case Request.Get _ -> Optional.empty();
        };
    }

    private static SchedulerWrite ofStatus(JsonObject status) {
        if (!status.has("allocation")) {
            return DEALLOCATE_CLAIM;
        }
        return status.objects("reservedFor").size() > 1 ? RESERVE_CLAIM : ALLOCATE_CLAIM;
    }

    private static Optional<SchedulerWrite> ofPod(Request request) {
        if (request instanceof Request.Create) {
            return Optional.of(BIND_POD);
        }
        return request instanceof Request.Patch patch
                        && patch.patch() instanceof JsonObject change
                        && change.objectOrEmpty("status").has("extendedResourceClaimStatus")
                ? Optional.of(WRITE_POD_STATUS)
                : Optional.empty();
    }
}
