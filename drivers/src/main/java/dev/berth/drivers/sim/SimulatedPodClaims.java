package dev.berth.drivers.sim;

import dev.berth.model.api.DeviceId;
import dev.berth.model.api.ObjectRef;
import dev.berth.model.json.JsonObject;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/// The ResourceClaims of a pod, as checked by a node before it starts the pod.
final class SimulatedPodClaims {

    private SimulatedPodClaims() {}

    /// Whether all claims exist, are allocated, and are reserved for the pod.
    static boolean areReady(JsonObject pod, Function<ObjectRef, Optional<JsonObject>> claims) {
        var names = names(pod);
        if (names.isEmpty()) {
            return false;
        }
        var namespace = ObservedObjects.ref(pod).namespace();
        for (var name : names.get()) {
            var claim = claims.apply(new ObjectRef(namespace, name));
            if (claim.isEmpty() || !isReservedFor(pod, claim.get().objectOrEmpty("status"))) {
                return false;
            }
        }
        return true;
    }

    /// The devices allocated to the claims of a pod.
    static List<DeviceId> devices(
            JsonObject pod, Function<ObjectRef, Optional<JsonObject>> claims) {
        var namespace = ObservedObjects.ref(pod).namespace();
        return names(pod).orElse(List.of()).stream()
                .flatMap(name -> claims.apply(new ObjectRef(namespace, name)).stream())
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
                                consumer.text("uid").equals(ObservedObjects.uid(pod))
                                        || consumer.text("resource").equals("podgroups"));
    }

    /// The name of the claim of an entry in `spec.resourceClaims`; empty before it is created, or
    /// when none is needed.
    static Optional<String> name(JsonObject pod, String entry) {
        var specEntry =
                pod.objectOrEmpty("spec").objects("resourceClaims").stream()
                        .filter(one -> one.text("name").equals(entry))
                        .findFirst();
        var statuses =
                pod.objectOrEmpty("status").objects("resourceClaimStatuses").stream()
                        .filter(one -> one.text("name").equals(entry))
                        .findFirst();
        return specEntry
                .flatMap(one -> one.string("resourceClaimName"))
                .or(() -> statuses.flatMap(one -> one.string("resourceClaimName")));
    }

    /// The names of all claims; empty before all are created.
    private static Optional<List<String>> names(JsonObject pod) {
        var status = pod.objectOrEmpty("status");
        var statuses = status.objects("resourceClaimStatuses");
        var names = new ArrayList<String>();
        for (var specEntry : pod.objectOrEmpty("spec").objects("resourceClaims")) {
            var direct = specEntry.string("resourceClaimName");
            if (direct.isPresent()) {
                names.add(direct.get());
                continue;
            }
            var statusEntry =
                    statuses.stream()
                            .filter(one -> one.text("name").equals(specEntry.text("name")))
                            .findFirst();
            if (statusEntry.isEmpty()) {
                return Optional.empty();
            }
            // Without a name no claim is needed.
            statusEntry.get().string("resourceClaimName").ifPresent(names::add);
        }
        status.objectOrEmpty("extendedResourceClaimStatus")
                .string("resourceClaimName")
                .ifPresent(names::add);
        return Optional.of(names);
    }
}
