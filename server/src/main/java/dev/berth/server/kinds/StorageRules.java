package dev.berth.server.kinds;

import dev.berth.core.admission.NodeSelectors;
import dev.berth.core.admission.Problem;
import dev.berth.core.admission.Semantics;
import dev.berth.core.admission.Trees;
import dev.berth.model.json.FieldPath;
import dev.berth.model.json.Json;
import dev.berth.model.json.JsonObject;
import dev.berth.server.registry.Call;
import dev.berth.server.registry.Strategy;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/// The rules of volumes, claims for them, their classes and drivers.
final class StorageRules {

    private static final List<String> MODES =
            List.of("ReadOnlyMany", "ReadWriteMany", "ReadWriteOnce", "ReadWriteOncePod");
    private static final String DEFAULT_CLASS = "storageclass.kubernetes.io/is-default-class";

    private StorageRules() {}

    static Strategy volumes() {
        return PlainStrategy.cluster()
                .withStatusThatMayChangeMetadata()
                .withStatus(JsonObject.of("phase", Json.of("Pending")))
                .defaults(o ->
                        Fill.spec(
                                o,
                                s ->
                                        Fill.of(s)
                                                .in("capacity", Amounts::canonical)
                                                .text("persistentVolumeReclaimPolicy", "Retain")
                                                .text("volumeMode", "Filesystem")
                                                .done()))
                .checks(StorageRules::volume);
    }

    private static void volume(JsonObject volume, Checks checks) {
        var spec = volume.objectOrEmpty("spec");
        modes(spec, Checks.SPEC, checks);
        var capacity = spec.objectOrEmpty("capacity");
        if (capacity.isEmpty()) {
            checks.required(Checks.SPEC.child("capacity"), "");
        } else if (!capacity.has("storage")) {
            checks.add(
                    Problem.notSupported(
                            Checks.SPEC.child("capacity"),
                            String.join(",", capacity.names()),
                            List.of("storage")));
        } else if (Amounts.orZero(capacity, "storage").signum() <= 0) {
            checks.invalid(
                    Checks.SPEC.child("capacity").key("storage"),
                    Amounts.text(capacity, "storage"),
                    "must be greater than zero");
        }
        checks.oneOf(
                spec,
                "persistentVolumeReclaimPolicy",
                Checks.SPEC,
                List.of("Delete", "Recycle", "Retain"));
        checks.optionalOneOf(spec, "volumeMode", Checks.SPEC, List.of("Block", "Filesystem"));
        spec.objectOrEmpty("nodeAffinity")
                .object("required")
                .ifPresent(r ->
                        NodeSelectors.check(
                                r,
                                Checks.SPEC.child("nodeAffinity").child("required"),
                                checks.problems()));
    }

    private static void modes(JsonObject spec, FieldPath path, Checks checks) {
        var modes = spec.strings("accessModes");
        if (modes.isEmpty()) {
            checks.required(path.child("accessModes"), "at least 1 access mode is required");
        }
        for (var i = 0; i < modes.size(); i++) {
            if (!MODES.contains(modes.get(i))) {
                checks.add(
                        Problem.notSupported(
                                path.child("accessModes").index(i), modes.get(i), MODES));
            }
        }
    }

    static Strategy claims() {
        return PlainStrategy.namespaced()
                .withStatusThatMayChangeMetadata()
                .withStatus(JsonObject.of("phase", Json.of("Pending")))
                .defaults(StorageRules::filledClaim)
                .onCreate((claim, call) -> {
                    LimitRanges.checkVolumeClaim(claim, call);
                    return withDefaultClass(claim, call);
                })
                .checks((claim, checks) -> claim(claim.objectOrEmpty("spec"), Checks.SPEC, checks))
                .checksUpdate(StorageRules::claimUpdate);
    }

    static JsonObject filledClaim(JsonObject claim) {
        return Fill.spec(
                claim,
                s ->
                        Fill.of(s)
                                .text("volumeMode", "Filesystem")
                                .into(
                                        "resources",
                                        r ->
                                                Fill.of(r)
                                                        .in("requests", Amounts::canonical)
                                                        .in("limits", Amounts::canonical)
                                                        .done())
                                .done());
    }

    private static JsonObject withDefaultClass(JsonObject claim, Call call) {
        return claim.objectOrEmpty("spec").has("storageClassName")
                ? claim
                : defaultClass(call)
                        .map(name ->
                                Fill.spec(claim, s -> s.with("storageClassName", Json.of(name))))
                        .orElse(claim);
    }

    /// The class of claims that name none; of several the newest one.
    private static Optional<String> defaultClass(Call call) {
        return call.objects().list("storage.k8s.io/storageclasses", "").stream()
                .map(one -> one.objectOrEmpty("metadata"))
                .filter(m -> m.objectOrEmpty("annotations").text(DEFAULT_CLASS).equals("true"))
                .max(Comparator.comparing(m -> m.text("creationTimestamp")))
                .map(m -> m.text("name"));
    }

    private static void claim(JsonObject spec, FieldPath path, Checks checks) {
        modes(spec, path, checks);
        var requests = spec.objectOrEmpty("resources").objectOrEmpty("requests");
        var at = path.child("resources").child("requests").key("storage");
        if (!requests.has("storage")) {
            checks.required(path.child("resources").key("storage"), "");
        } else if (Amounts.orZero(requests, "storage").signum() <= 0) {
            checks.invalid(at, Amounts.text(requests, "storage"), "must be greater than zero");
        }
        spec.object("selector").ifPresent(s -> Selectors.check(s, path.child("selector"), checks));
        checks.optionalOneOf(spec, "volumeMode", path, List.of("Block", "Filesystem"));
        if (!spec.text("storageClassName").isEmpty()) {
            checks.subdomain(spec.text("storageClassName"), path.child("storageClassName"));
        }
    }

    private static void claimUpdate(JsonObject old, JsonObject claim, Checks checks) {
        var before = old.objectOrEmpty("spec");
        var after = claim.objectOrEmpty("spec");
        var free = new ArrayList<>(List.of("resources", "volumeAttributesClassName"));
        if (before.text("volumeName").isEmpty()) {
            free.add("volumeName");
        }
        if (!before.has("storageClassName")) {
            free.add("storageClassName");
        }
        if (!Semantics.same(Trees.without(before, free), Trees.without(after, free))) {
            checks.forbidden(
                    Checks.SPEC,
                    "spec is immutable after creation except resources.requests and "
                            + "volumeAttributesClassName for bound claims");
        }
        var oldSize =
                Amounts.orZero(
                        before.objectOrEmpty("resources").objectOrEmpty("requests"), "storage");
        var size =
                Amounts.orZero(
                        after.objectOrEmpty("resources").objectOrEmpty("requests"), "storage");
        if (size.compareTo(oldSize) < 0) {
            checks.forbidden(
                    Checks.SPEC.child("resources").child("requests").child("storage"),
                    "field can not be less than status.capacity");
        }
    }
}
