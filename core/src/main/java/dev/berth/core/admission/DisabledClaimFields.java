package dev.berth.core.admission;

import dev.berth.core.admission.field.TreeEdits;
import dev.berth.core.admission.gate.FeatureGates;
import dev.berth.core.admission.gate.Gate;
import dev.berth.core.admission.validation.ClaimStatusValidation;
import dev.berth.model.json.Json;
import dev.berth.model.json.JsonObject;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;

/// Drops fields of claims and templates whose feature gate is off.
///
/// Fields are kept if the old object already uses the feature, so that stored objects can still be
/// updated after a gate is turned off.
final class DisabledClaimFields {

    private static final List<String> BINDING =
            List.of("bindingConditions", "bindingFailureConditions");

    private final FeatureGates gates;

    DisabledClaimFields(FeatureGates gates) {
        this.gates = gates;
    }

    JsonObject dropFromClaim(JsonObject claim, Optional<JsonObject> old) {
        var result =
                TreeEdits.at(
                        claim,
                        devices ->
                                dropFromSpec(
                                        devices,
                                        old.map(DisabledClaimFields::specDevices),
                                        uses(old)),
                        "spec",
                        "devices");
        return result.has("status")
                ? result.with("status", dropFromStatus(result.objectOrEmpty("status"), old))
                : result;
    }

    JsonObject dropFromTemplate(JsonObject template, Optional<JsonObject> old) {
        var oldDevices =
                old.map(o ->
                        o.objectOrEmpty("spec").objectOrEmpty("spec").objectOrEmpty("devices"));
        return TreeEdits.at(
                template,
                devices -> dropFromSpec(devices, oldDevices, StatusUse.NONE),
                "spec",
                "spec",
                "devices");
    }

    private static JsonObject specDevices(JsonObject claim) {
        return claim.objectOrEmpty("spec").objectOrEmpty("devices");
    }

    /// Features used by the old status that spec and status share.
    private record StatusUse(boolean adminAccess, boolean consumableCapacity) {
        static final StatusUse NONE = new StatusUse(false, false);
    }

    private static StatusUse uses(Optional<JsonObject> old) {
        if (old.isEmpty()) {
            return StatusUse.NONE;
        }
        var status = old.get().objectOrEmpty("status");
        var adminAccess = false;
        var consumableCapacity = false;
        for (var result : results(status)) {
            adminAccess |= result.has("adminAccess");
            consumableCapacity |= result.has("shareID") || result.has("consumedCapacity");
        }
        for (var device : status.objects("devices")) {
            consumableCapacity |= device.has("shareID");
        }
        return new StatusUse(adminAccess, consumableCapacity);
    }

    private static List<JsonObject> results(JsonObject status) {
        return status.objectOrEmpty("allocation").objectOrEmpty("devices").objects("results");
    }

    private JsonObject dropFromSpec(
            JsonObject devices, Optional<JsonObject> old, StatusUse statusUse) {
        var result = devices;
        if (drops(Gate.DRA_PRIORITIZED_LIST, old, d -> anyRequest(d, "firstAvailable"))) {
            result =
                    TreeEdits.each(
                            result, "requests", request -> request.without("firstAvailable"));
        }
        if (drops(Gate.DRA_DEVICE_TAINTS, old, d -> anyDemand(d, "tolerations"))) {
            result = eachDemand(result, demand -> demand.without("tolerations"));
        }
        if (!statusUse.adminAccess
                && drops(Gate.DRA_ADMIN_ACCESS, old, d -> anyDemand(d, "adminAccess"))) {
            result = eachDemand(result, demand -> demand.without("adminAccess"));
        }
        if (!statusUse.consumableCapacity
                && drops(
                        Gate.DRA_CONSUMABLE_CAPACITY, old, DisabledClaimFields::consumesCapacity)) {
            result = eachDemand(result, demand -> demand.without("capacity"));
            result = TreeEdits.each(result, "constraints", c -> c.without("distinctAttribute"));
        }
        if (drops(Gate.DRA_DERIVED_ATTRIBUTES, old, d -> anyDemand(d, "derivedAttributes"))) {
            result = eachDemand(result, demand -> demand.without("derivedAttributes"));
        }
        return result;
    }

    private static boolean consumesCapacity(JsonObject devices) {
        return anyDemand(devices, "capacity")
                || devices.objects("constraints").stream()
                        .anyMatch(c -> c.has("distinctAttribute"));
    }

    private JsonObject dropFromStatus(JsonObject status, Optional<JsonObject> old) {
        var before = old.map(o -> o.objectOrEmpty("status"));
        var oldResults = before.map(DisabledClaimFields::results).orElse(List.of());
        var oldSpec = old.map(DisabledClaimFields::specDevices);
        var use = uses(old);
        var result = status;
        if (drops(
                Gate.DRA_RESOURCE_CLAIM_DEVICE_STATUS,
                before,
                s -> !s.items("devices").isEmpty())) {
            result = result.without("devices");
        }
        if (!use.adminAccess
                && drops(Gate.DRA_ADMIN_ACCESS, oldSpec, d -> anyDemand(d, "adminAccess"))) {
            result = eachResult(result, r -> r.without("adminAccess"));
        }
        if (!use.consumableCapacity
                && drops(
                        Gate.DRA_CONSUMABLE_CAPACITY,
                        oldSpec,
                        DisabledClaimFields::consumesCapacity)) {
            result =
                    eachResult(
                            result,
                            r -> TreeEdits.without(r, List.of("shareID", "consumedCapacity")));
            result = TreeEdits.each(result, "devices", device -> device.without("shareID"));
        }
        if (!bindingEnabled(gates) && oldResults.stream().noneMatch(r -> hasAny(r, BINDING))) {
            result = eachResult(result, r -> TreeEdits.without(r, BINDING));
        }
        var skipped = "skipNodeOperations";
        if (!gates.enabled(Gate.DRA_OPTIONAL_NODE_OPERATIONS)
                && oldResults.stream().noneMatch(r -> hasAny(r, List.of(skipped)))) {
            result = eachResult(result, r -> r.without(skipped));
        }
        return result;
    }

    static boolean bindingEnabled(FeatureGates gates) {
        return gates.enabled(Gate.DRA_DEVICE_BINDING_CONDITIONS)
                && gates.enabled(Gate.DRA_RESOURCE_CLAIM_DEVICE_STATUS);
    }

    private boolean drops(Gate gate, Optional<JsonObject> old, Predicate<JsonObject> inUse) {
        return !gates.enabled(gate) && (old.isEmpty() || !inUse.test(old.get()));
    }

    static boolean hasAny(JsonObject holder, List<String> names) {
        return names.stream()
                .anyMatch(n -> holder.member(n).filter(v -> !emptyList(v)).isPresent());
    }

    private static boolean emptyList(Json value) {
        return value instanceof Json.JsonArray(var items) && items.isEmpty();
    }

    private static boolean anyRequest(JsonObject devices, String name) {
        return devices.objects("requests").stream().anyMatch(r -> hasAny(r, List.of(name)));
    }

    private static boolean anyDemand(JsonObject devices, String name) {
        var demandes = new ArrayList<JsonObject>();
        for (var request : devices.objects("requests")) {
            request.object("exactly").ifPresent(demandes::add);
            demandes.addAll(request.objects("firstAvailable"));
        }
        return demandes.stream().anyMatch(demand -> hasAny(demand, List.of(name)));
    }

    private static JsonObject eachDemand(JsonObject devices, UnaryOperator<JsonObject> change) {
        return TreeEdits.each(
                devices,
                "requests",
                request ->
                        TreeEdits.each(
                                TreeEdits.at(request, change, "exactly"),
                                "firstAvailable",
                                change));
    }

    private static JsonObject eachResult(JsonObject status, UnaryOperator<JsonObject> change) {
        return TreeEdits.at(
                status,
                devices -> TreeEdits.each(devices, "results", change),
                "allocation",
                "devices");
    }

    /// Removes device statuses of devices that are no longer allocated, so that a client that
    /// deallocates need not know the field.
    JsonObject dropDeallocated(JsonObject claim, JsonObject old) {
        var oldStatus = old.objectOrEmpty("status");
        var status = claim.objectOrEmpty("status");
        if (!gates.enabled(Gate.DRA_RESOURCE_CLAIM_DEVICE_STATUS)
                && oldStatus.items("devices").isEmpty()) {
            return claim;
        }
        var kept = kept(oldStatus, status);
        return TreeEdits.at(
                claim,
                s ->
                        kept.isEmpty()
                                ? s.without("devices")
                                : s.with("devices", new Json.JsonArray(kept)),
                "status");
    }

    private static List<Json> kept(JsonObject oldStatus, JsonObject status) {
        var devices = status.objects("devices");
        if (devices.isEmpty()) {
            return List.of();
        }
        var gone = ClaimStatusValidation.allocatedDevices(oldStatus);
        gone.removeAll(ClaimStatusValidation.allocatedDevices(status));
        var kept = new ArrayList<Json>();
        for (var device : devices) {
            if (!gone.contains(ClaimStatusValidation.deviceId(device))) {
                kept.add(device);
            }
        }
        return kept;
    }
}
