package dev.berth.server.kinds.pod;

import dev.berth.core.admission.field.NameFormats;
import dev.berth.core.admission.field.SemanticEquality;
import dev.berth.model.json.FieldPath;
import dev.berth.model.json.Json;
import dev.berth.model.json.JsonObject;
import dev.berth.server.kinds.check.ObjectChecks;
import dev.berth.server.kinds.check.ResourceQuantities;
import java.util.HashSet;

/// Validates resource requests and limits of containers.
public final class ResourceChecks {

    private ResourceChecks() {}

    static void requirements(JsonObject resources, FieldPath path, ObjectChecks checks) {
        var limits = resources.objectOrEmpty("limits");
        var requests = resources.objectOrEmpty("requests");
        list(limits, path.child("limits"), checks);
        list(requests, path.child("requests"), checks);
        for (var name : requests.names()) {
            request(name, requests, limits, path.child("requests"), checks);
        }
        hugePages(limits, requests, path, checks);
    }

    private static void request(
            String name,
            JsonObject requests,
            JsonObject limits,
            FieldPath path,
            ObjectChecks checks) {
        var request = ResourceQuantities.orZero(requests, name);
        var limit = ResourceQuantities.at(limits, name);
        if (limit.isEmpty()) {
            if (!overcommits(name)) {
                checks.required(
                        path.parent().orElse(path).child("limits").key(name),
                        "Limit must be set for non overcommitable resources");
            }
            return;
        }
        if (!overcommits(name) && !request.equals(limit.get())) {
            checks.invalid(
                    path,
                    request.toString(),
                    "must be equal to %s limit of %s".formatted(name, limit.get()));
        } else if (request.compareTo(limit.get()) > 0) {
            checks.invalid(
                    path,
                    request.toString(),
                    "must be less than or equal to %s limit of %s".formatted(name, limit.get()));
        }
    }

    private static boolean overcommits(String name) {
        return !ResourceQuantities.isExtended(name) && !ResourceQuantities.isHugePages(name);
    }

    private static void hugePages(
            JsonObject limits, JsonObject requests, FieldPath path, ObjectChecks checks) {
        var names = new HashSet<>(limits.names());
        names.addAll(requests.names());
        if (names.stream().anyMatch(ResourceQuantities::isHugePages)
                && !names.contains("cpu")
                && !names.contains("memory")) {
            checks.forbidden(path, "HugePages require cpu or memory");
        }
    }

    /// Validates a map of resource names to quantities.
    public static void list(JsonObject amounts, FieldPath path, ObjectChecks checks) {
        for (var entry : amounts.members().entrySet()) {
            var name = entry.getKey();
            var at = path.key(name);
            name(name, at, checks);
            var quantity = SemanticEquality.quantity(entry.getValue());
            if (quantity.isEmpty()) {
                checks.invalid(at, entry.getValue(), "must be a quantity");
                continue;
            }
            if (quantity.get().signum() < 0) {
                checks.invalid(at, quantity.get().toString(), ObjectChecks.NOT_NEGATIVE);
            }
            if (ResourceQuantities.isExtended(name) && !quantity.get().isInteger()) {
                checks.invalid(at, Json.of(quantity.get().toString()), "must be an integer");
            }
        }
    }

    private static void name(String name, FieldPath path, ObjectChecks checks) {
        checks.form(name, path, NameFormats.labelKey(name));
        if (!name.contains("/") && (!ResourceQuantities.isNative(name) || name.equals("storage"))) {
            checks.invalid(path, name, "must be a standard resource type or fully qualified");
            checks.invalid(path, name, "must be a standard resource for containers");
        } else if (ResourceQuantities.isExtended(name)) {
            for (var message : NameFormats.extendedResourceName(name)) {
                checks.invalid(path, name, message);
            }
        }
    }
}
