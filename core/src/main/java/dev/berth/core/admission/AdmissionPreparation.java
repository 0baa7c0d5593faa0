package dev.berth.core.admission;

import dev.berth.core.admission.field.SemanticEquality;
import dev.berth.core.admission.field.TreeEdits;
import dev.berth.core.admission.gate.FeatureGates;
import dev.berth.core.admission.gate.Gate;
import dev.berth.core.admission.validation.AdmissionKind;
import dev.berth.model.json.Json;
import dev.berth.model.json.JsonObject;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/// Prepares an object for storage: applies defaults, restores fields that the request may not
/// change, drops fields of disabled features and increments the generation.
final class AdmissionPreparation {

    private static final List<String> KEPT_BY_STATUS_UPDATES =
            List.of(
                    "annotations",
                    "deletionTimestamp",
                    "finalizers",
                    "generation",
                    "labels",
                    "ownerReferences",
                    "selfLink");

    /// Metadata fields that status updates of pods may not change. The kubelet may change labels
    /// and annotations together with the status.
    private static final List<String> KEPT_OF_PODS = List.of("generation", "ownerReferences");

    private static final List<String> KEPT_POD_STATUS =
            List.of(
                    "resourceClaimStatuses",
                    "extendedResourceClaimStatus",
                    "nodeAllocatableResourceClaimStatuses");

    private final FeatureGates gates;
    private final Instant now;

    AdmissionPreparation(FeatureGates gates, Instant now) {
        this.gates = gates;
        this.now = now;
    }

    /// The new object, without fields that the store assigns: uid, name from `generateName`,
    /// timestamps and resource version.
    JsonObject forCreate(AdmissionKind kind, JsonObject object) {
        var result = new Defaults(now).apply(kind, object);
        result =
                TreeEdits.at(
                        result,
                        metadata ->
                                TreeEdits.without(
                                        metadata,
                                        List.of("deletionTimestamp", "deletionGracePeriodSeconds")),
                        "metadata");
        if (countsGenerations(kind)) {
            result = withGeneration(result, 1);
        }
        return drop(kind, withEmptyStatus(kind, result), Optional.empty());
    }

    private static JsonObject withEmptyStatus(AdmissionKind kind, JsonObject object) {
        return switch (kind) {
            case RESOURCE_CLAIM, DEVICE_TAINT_RULE -> object.with("status", JsonObject.EMPTY);
            case RESOURCE_POOL_STATUS_REQUEST, POD_GROUP, WORKLOAD -> object.without("status");
            case POD -> object.with("status", JsonObject.of("phase", Json.of("Pending")));
            case DEVICE_CLASS, RESOURCE_CLAIM_TEMPLATE, RESOURCE_SLICE -> object;
        };
    }

    JsonObject forUpdate(AdmissionKind kind, JsonObject old, JsonObject object) {
        var result = new Defaults(now).apply(kind, object);
        if (hasStatus(kind)) {
            result = TreeEdits.copyMember(result, old, "status");
        }
        result = keptMetadata(old, result);
        if (kind == AdmissionKind.DEVICE_TAINT_RULE) {
            result = withEffectTime(old, result);
        }
        // For slices, the generation also counts changes to fields that are dropped below.
        var changedAsSent = !SemanticEquality.sameMember("spec", old, result);
        result = drop(kind, result, Optional.of(old));
        var changed =
                kind == AdmissionKind.RESOURCE_SLICE
                        ? changedAsSent
                        : !SemanticEquality.sameMember("spec", old, result);
        return countsGenerations(kind) && changed
                ? withGeneration(result, generation(old) + 1)
                : result;
    }

    private static boolean hasStatus(AdmissionKind kind) {
        return switch (kind) {
            case RESOURCE_CLAIM,
                    DEVICE_TAINT_RULE,
                    RESOURCE_POOL_STATUS_REQUEST,
                    POD,
                    POD_GROUP,
                    WORKLOAD ->
                    true;
            case DEVICE_CLASS, RESOURCE_CLAIM_TEMPLATE, RESOURCE_SLICE -> false;
        };
    }

    /// Restores system fields of the metadata instead of rejecting their change.
    private static JsonObject keptMetadata(JsonObject old, JsonObject object) {
        var before = old.objectOrEmpty("metadata");
        var metadata = object.objectOrEmpty("metadata");
        metadata = TreeEdits.copyMember(metadata, before, "generation");
        for (var name : List.of("creationTimestamp", "deletionTimestamp")) {
            if (before.has(name)) {
                metadata = TreeEdits.copyMember(metadata, before, name);
            }
        }
        for (var name : List.of("uid", "deletionGracePeriodSeconds")) {
            if (before.has(name) && !metadata.has(name)) {
                metadata = TreeEdits.copyMember(metadata, before, name);
            }
        }
        return object.with("metadata", metadata);
    }

    /// Sets `timeAdded` to now when the effect changes and the request does not set the time.
    private JsonObject withEffectTime(JsonObject old, JsonObject rule) {
        var before = old.objectOrEmpty("spec").objectOrEmpty("taint");
        return TreeEdits.at(
                rule,
                taint ->
                        !taint.text("effect").equals(before.text("effect"))
                                        && SemanticEquality.sameMember("timeAdded", before, taint)
                                ? taint.with("timeAdded", Defaults.timestamp(now))
                                : taint,
                "spec",
                "taint");
    }

    JsonObject forStatusUpdate(AdmissionKind kind, JsonObject old, JsonObject object) {
        var result = new Defaults(now).apply(kind, object);
        result = TreeEdits.copyMember(result, old, "spec");
        var metadata = keptMetadata(old, result).objectOrEmpty("metadata");
        for (var name : kind == AdmissionKind.POD ? KEPT_OF_PODS : KEPT_BY_STATUS_UPDATES) {
            metadata = TreeEdits.copyMember(metadata, old.objectOrEmpty("metadata"), name);
        }
        result = result.with("metadata", metadata);
        return switch (kind) {
            case RESOURCE_CLAIM ->
                    drop(
                            kind,
                            new DisabledClaimFields(gates).dropDeallocated(result, old),
                            Optional.of(old));
            case POD -> withKeptPodStatus(old, result);
            default -> result;
        };
    }

    /// Keeps these fields when the request omits them, so that clients older than the fields do not
    /// erase them.
    private static JsonObject withKeptPodStatus(JsonObject old, JsonObject pod) {
        var before = old.objectOrEmpty("status");
        var status = pod.objectOrEmpty("status");
        for (var name : KEPT_POD_STATUS) {
            if (!status.has(name)) {
                status = TreeEdits.copyMember(status, before, name);
            }
        }
        return pod.with("status", status);
    }

    private JsonObject drop(AdmissionKind kind, JsonObject object, Optional<JsonObject> old) {
        return switch (kind) {
            case RESOURCE_CLAIM -> new DisabledClaimFields(gates).dropFromClaim(object, old);
            case RESOURCE_CLAIM_TEMPLATE ->
                    new DisabledClaimFields(gates).dropFromTemplate(object, old);
            case RESOURCE_SLICE -> new DisabledSliceFields(gates).drop(object, old);
            case DEVICE_CLASS ->
                    dropFromSpec(object, old, Gate.DRA_EXTENDED_RESOURCE, "extendedResourceName");
            case RESOURCE_POOL_STATUS_REQUEST ->
                    dropFromSpec(
                            object,
                            old,
                            Gate.DRA_PARTITIONABLE_DEVICES_TYPE,
                            "defaultPartitionTypeAttribute");
            case POD_GROUP ->
                    dropFromSpec(object, old, Gate.DRA_WORKLOAD_RESOURCE_CLAIMS, "resourceClaims");
            case WORKLOAD -> dropFromWorkload(object, old);
            case DEVICE_TAINT_RULE, POD -> object;
        };
    }

    private JsonObject dropFromSpec(
            JsonObject object, Optional<JsonObject> old, Gate gate, String name) {
        return gates.enabled(gate) || old.filter(o -> o.objectOrEmpty("spec").has(name)).isPresent()
                ? object
                : TreeEdits.at(object, spec -> spec.without(name), "spec");
    }

    private JsonObject dropFromWorkload(JsonObject workload, Optional<JsonObject> old) {
        var inUse =
                old.filter(o ->
                        o.objectOrEmpty("spec").objects("podGroupTemplates").stream()
                                .anyMatch(t -> t.has("resourceClaims")));
        return gates.enabled(Gate.DRA_WORKLOAD_RESOURCE_CLAIMS) || inUse.isPresent()
                ? workload
                : TreeEdits.at(
                        workload,
                        spec ->
                                TreeEdits.each(
                                        spec,
                                        "podGroupTemplates",
                                        t -> t.without("resourceClaims")),
                        "spec");
    }

    private static boolean countsGenerations(AdmissionKind kind) {
        return switch (kind) {
            case DEVICE_CLASS, RESOURCE_SLICE, DEVICE_TAINT_RULE -> true;
            case RESOURCE_CLAIM,
                    RESOURCE_CLAIM_TEMPLATE,
                    RESOURCE_POOL_STATUS_REQUEST,
                    POD,
                    POD_GROUP,
                    WORKLOAD ->
                    false;
        };
    }

    private static long generation(JsonObject object) {
        return object.objectOrEmpty("metadata").number("generation").orElse(0);
    }

    private static JsonObject withGeneration(JsonObject object, long generation) {
        var metadata = object.objectOrEmpty("metadata");
        return object.with("metadata", metadata.with("generation", Json.of(generation)));
    }
}
