package dev.berth.server.kinds;

import dev.berth.core.admission.field.FieldError;
import dev.berth.core.admission.field.SemanticEquality;
import dev.berth.core.admission.field.TreeEdits;
import dev.berth.core.admission.validation.NodeSelectorValidation;
import dev.berth.model.json.FieldPath;
import dev.berth.model.json.Json;
import dev.berth.model.json.JsonObject;
import dev.berth.server.kinds.check.ComposedStrategy;
import dev.berth.server.kinds.check.DefaultsFiller;
import dev.berth.server.kinds.check.ObjectChecks;
import dev.berth.server.kinds.check.ResourceQuantities;
import dev.berth.server.kinds.check.SelectorChecks;
import dev.berth.server.kinds.pod.LimitRanges;
import dev.berth.server.registry.RequestContext;
import dev.berth.server.registry.Strategy;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/// Defaulting and validation of persistent volumes and claims.
final class StorageRules {

    private static final List<String> MODES =
            List.of("ReadOnlyMany", "ReadWriteMany", "ReadWriteOnce", "ReadWriteOncePod");
    private static final String DEFAULT_CLASS = "storageclass.kubernetes.io/is-default-class";

    private StorageRules() {}

    static Strategy volumes() {
        return ComposedStrategy.cluster()
                .withStatusThatMayChangeMetadata()
                .withStatus(JsonObject.of("phase", Json.of("Pending")))
                .defaults(o ->
                        DefaultsFiller.spec(
                                o,
                                s ->
                                        DefaultsFiller.of(s)
                                                .in("capacity", ResourceQuantities::canonical)
                                                .text("persistentVolumeReclaimPolicy", "Retain")
                                                .text("volumeMode", "Filesystem")
                                                .done()))
                .checks(StorageRules::volume);
    }

    private static void volume(JsonObject volume, ObjectChecks checks) {
        var spec = volume.objectOrEmpty("spec");
        modes(spec, ObjectChecks.SPEC, checks);
        var capacity = spec.objectOrEmpty("capacity");
        if (capacity.isEmpty()) {
            checks.required(ObjectChecks.SPEC.child("capacity"), "");
        } else if (!capacity.has("storage")) {
            checks.add(
                    FieldError.notSupported(
                            ObjectChecks.SPEC.child("capacity"),
                            String.join(",", capacity.names()),
                            List.of("storage")));
        } else if (ResourceQuantities.orZero(capacity, "storage").signum() <= 0) {
            checks.invalid(
                    ObjectChecks.SPEC.child("capacity").key("storage"),
                    ResourceQuantities.text(capacity, "storage"),
                    "must be greater than zero");
        }
        checks.oneOf(
                spec,
                "persistentVolumeReclaimPolicy",
                ObjectChecks.SPEC,
                List.of("Delete", "Recycle", "Retain"));
        checks.optionalOneOf(spec, "volumeMode", ObjectChecks.SPEC, List.of("Block", "Filesystem"));
        spec.objectOrEmpty("nodeAffinity")
                .object("required")
                .ifPresent(r ->
                        NodeSelectorValidation.check(
                                r,
                                ObjectChecks.SPEC.child("nodeAffinity").child("required"),
                                checks.problems()));
    }

    private static void modes(JsonObject spec, FieldPath path, ObjectChecks checks) {
        var modes = spec.strings("accessModes");
        if (modes.isEmpty()) {
            checks.required(path.child("accessModes"), "at least 1 access mode is required");
        }
        for (var i = 0; i < modes.size(); i++) {
            if (!MODES.contains(modes.get(i))) {
                checks.add(
                        FieldError.notSupported(
                                path.child("accessModes").index(i), modes.get(i), MODES));
            }
        }
    }

    static Strategy claims() {
        return ComposedStrategy.namespaced()
                .withStatusThatMayChangeMetadata()
                .withStatus(JsonObject.of("phase", Json.of("Pending")))
                .defaults(StorageRules::filledClaim)
                .onCreate((claim, context) -> {
                    LimitRanges.checkVolumeClaim(claim, context);
                    return withDefaultClass(claim, context);
                })
                .checks((claim, checks) ->
                        claim(claim.objectOrEmpty("spec"), ObjectChecks.SPEC, checks))
                .checksUpdate(StorageRules::claimUpdate);
    }

    static JsonObject filledClaim(JsonObject claim) {
        return DefaultsFiller.spec(
                claim,
                s ->
                        DefaultsFiller.of(s)
                                .text("volumeMode", "Filesystem")
                                .into(
                                        "resources",
                                        r ->
                                                DefaultsFiller.of(r)
                                                        .in(
                                                                "requests",
                                                                ResourceQuantities::canonical)
                                                        .in("limits", ResourceQuantities::canonical)
                                                        .done())
                                .done());
    }

    private static JsonObject withDefaultClass(JsonObject claim, RequestContext context) {
        return claim.objectOrEmpty("spec").has("storageClassName")
                ? claim
                : defaultClass(context)
                        .map(name ->
                                DefaultsFiller.spec(
                                        claim, s -> s.with("storageClassName", Json.of(name))))
                        .orElse(claim);
    }

    /// The default storage class; of several the newest one.
    private static Optional<String> defaultClass(RequestContext context) {
        return context.objects().list("storage.k8s.io/storageclasses", "").stream()
                .map(one -> one.objectOrEmpty("metadata"))
                .filter(m -> m.objectOrEmpty("annotations").text(DEFAULT_CLASS).equals("true"))
                .max(Comparator.comparing(m -> m.text("creationTimestamp")))
                .map(m -> m.text("name"));
    }

    private static void claim(JsonObject spec, FieldPath path, ObjectChecks checks) {
        modes(spec, path, checks);
        var requests = spec.objectOrEmpty("resources").objectOrEmpty("requests");
        var at = path.child("resources").child("requests").key("storage");
        if (!requests.has("storage")) {
            checks.required(path.child("resources").key("storage"), "");
        } else if (ResourceQuantities.orZero(requests, "storage").signum() <= 0) {
            checks.invalid(
                    at, ResourceQuantities.text(requests, "storage"), "must be greater than zero");
        }
        spec.object("selector")
                .ifPresent(s -> SelectorChecks.check(s, path.child("selector"), checks));
        checks.optionalOneOf(spec, "volumeMode", path, List.of("Block", "Filesystem"));
        if (!spec.text("storageClassName").isEmpty()) {
            checks.subdomain(spec.text("storageClassName"), path.child("storageClassName"));
        }
    }

    private static void claimUpdate(JsonObject old, JsonObject claim, ObjectChecks checks) {
        var before = old.objectOrEmpty("spec");
        var after = claim.objectOrEmpty("spec");
        var free = new ArrayList<>(List.of("resources", "volumeAttributesClassName"));
        if (before.text("volumeName").isEmpty()) {
            free.add("volumeName");
        }
        if (!before.has("storageClassName")) {
            free.add("storageClassName");
        }
        if (!SemanticEquality.same(
                TreeEdits.without(before, free), TreeEdits.without(after, free))) {
            checks.forbidden(
                    ObjectChecks.SPEC,
                    "spec is immutable after creation except resources.requests and "
                            + "volumeAttributesClassName for bound claims");
        }
        var oldSize =
                ResourceQuantities.orZero(
                        before.objectOrEmpty("resources").objectOrEmpty("requests"), "storage");
        var size =
                ResourceQuantities.orZero(
                        after.objectOrEmpty("resources").objectOrEmpty("requests"), "storage");
        if (size.compareTo(oldSize) < 0) {
            checks.forbidden(
                    ObjectChecks.SPEC.child("resources").child("requests").child("storage"),
                    "field can not be less than status.capacity");
        }
    }
}
