package dev.berth.drivers.sim;

import dev.berth.model.api.DeviceId;
import dev.berth.model.api.ObjectRef;
import dev.berth.model.json.JsonObject;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/// The claims of a pod, as a node sees them before it starts the pod.
final class SimulatedPodClaims {

    private SimulatedPodClaims() {}

    /// True when all claims are there, allocated, and reserved for the pod.
    static boolean areReady(JsonObject pod, Function<ObjectRef, Optional<JsonObject>> claims) {
        var names = names(pod);
        if (names.isEmpty()) {
            return false;
        }
        var namespace = ObservedObjects.ref(pod).namespace();
        for (var name : names.get()) {
            var claim = claims.apply(new ObjectRef(namespace, name));
            if (claim.isEmpty() || !isFor(pod, claim.get().objectOrEmpty("status"))) {
                return false;
            }
        }
        return true;
    }

    /// The devices that the claims of a pod have got.
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

    private static boolean isFor(JsonObject pod, JsonObject status) {
        return status.has("allocation")
                && status.objects("reservedFor").stream()
                        .anyMatch(consumer ->
                                consumer.text("uid").equals(ObservedObjects.uid(pod))
                                        || consumer.text("resource").equals("podgroups"));
    }

    /// The name of the claim that an entry of `spec.resourceClaims` stands for; empty while it has
    /// not been made, or when none was needed.
    static Optional<String> name(JsonObject pod, String entry) {
        var wanted =
                pod.objectOrEmpty("spec").objects("resourceClaims").stream()
                        .filter(one -> one.text("name").equals(entry))
                        .findFirst();
        var made =
                pod.objectOrEmpty("status").objects("resourceClaimStatuses").stream()
                        .filter(one -> one.text("name").equals(entry))
                        .findFirst();
        return wanted.flatMap(one -> one.string("resourceClaimName"))
                .or(() -> made.flatMap(one -> one.string("resourceClaimName")));
    }

    /// The names of the claims; empty while one has not been made yet.
    private static Optional<List<String>> names(JsonObject pod) {
        var status = pod.objectOrEmpty("status");
        var made = status.objects("resourceClaimStatuses");
        var names = new ArrayList<String>();
        for (var wanted : pod.objectOrEmpty("spec").objects("resourceClaims")) {
            var direct = wanted.string("resourceClaimName");
            if (direct.isPresent()) {
                names.add(direct.get());
                continue;
            }
            var known =
                    made.stream()
                            .filter(one -> one.text("name").equals(wanted.text("name")))
                            .findFirst();
            if (known.isEmpty()) {
                return Optional.empty();
            }
            // No name means that no claim was needed.
            known.get().string("resourceClaimName").ifPresent(names::add);
        }
        status.objectOrEmpty("extendedResourceClaimStatus")
                .string("resourceClaimName")
                .ifPresent(names::add);
        return Optional.of(names);
    }
}
