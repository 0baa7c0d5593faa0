package dev.berth.drivers.sim;

import dev.berth.model.api.meta.ObjectRef;
import dev.berth.model.api.pod.Pod;
import dev.berth.model.api.pod.PodClaimReferences;
import dev.berth.model.api.pod.PodClaimReferences.Resolution;
import dev.berth.model.api.slice.DeviceId;
import dev.berth.model.codec.Codec;
import dev.berth.model.codec.Kinds;
import dev.berth.model.codec.UnknownFieldPolicy;
import dev.berth.model.json.JsonObject;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/// The ResourceClaims of a pod, as checked by a node before it starts the pod.
final class SimulatedPodClaims {

    private SimulatedPodClaims() {}

    private static final Codec CODEC = new Codec();

    /// Whether all claims exist, are allocated, and are reserved for the pod.
    static boolean areReady(JsonObject pod, Function<ObjectRef, Optional<JsonObject>> claims) {
        var read = read(pod);
        if (read.isEmpty() || !areCreated(read.get())) {
            return false;
        }
        for (var ref : PodClaimReferences.all(read.get())) {
            var claim = claims.apply(ref);
            if (claim.isEmpty() || !isReservedFor(pod, claim.get().objectOrEmpty("status"))) {
                return false;
            }
        }
        return true;
    }

    /// The record of a pod; empty when it cannot be decoded.
    static Optional<Pod> read(JsonObject pod) {
        return CODEC.readTree(Kinds.POD, pod, UnknownFieldPolicy.LENIENT).value();
    }

    private static boolean areCreated(Pod pod) {
        return pod.spec().resourceClaims().stream()
                .map(entry -> PodClaimReferences.resolve(pod, entry))
                .allMatch(entry ->
                        switch (entry) {
                            case Resolution.Named _, Resolution.NotNeeded _ -> true;
                            case Resolution.NotCreated _, Resolution.Unsupported _ -> false;
                        });
    }

    /// The devices allocated to the claims of a pod; none before all claims are created.
    static List<DeviceId> devices(
            JsonObject pod, Function<ObjectRef, Optional<JsonObject>> claims) {
        return read(pod).filter(SimulatedPodClaims::areCreated).stream()
                .flatMap(one -> PodClaimReferences.all(one).stream())
                .flatMap(ref -> claims.apply(ref).stream())
                .map(claim -> claim.objectOrEmpty("status").objectOrEmpty("allocation"))
                .flatMap(allocation ->
                        allocation.objectOrEmpty("devices").objects("results").stream())
                .map(DeviceReports::id)
                .toList();
    }

    private static boolean isReservedFor(JsonObject pod, JsonObject status) {
        return status.has("allocation")
                && status.objects("reservedFor").stream()
                        .anyMatch(consumer ->
                                consumer.text("uid").equals(JsonMetadata.uid(pod))
                                        || consumer.text("resource").equals("podgroups"));
    }
}
