package dev.berth.server.kinds.quota;

import dev.berth.model.json.Json;
import dev.berth.model.json.JsonObject;
import dev.berth.model.quantity.Quantity;
import dev.berth.server.kinds.check.ResourceQuantities;
import dev.berth.server.registry.Resource;
import dev.berth.server.registry.StoredObjects;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/// Evaluates ResourceQuotas. Pure functions: the registry reads and writes quotas, with one
/// compare-and-swap of the quota per change of its usage.
public final class QuotaEvaluation {

    private static final Set<String> STANDARD =
            Set.of(
                    "cpu",
                    "memory",
                    "ephemeral-storage",
                    "requests.cpu",
                    "requests.memory",
                    "requests.storage",
                    "requests.ephemeral-storage",
                    "limits.cpu",
                    "limits.memory",
                    "limits.ephemeral-storage",
                    "pods",
                    "resourcequotas",
                    "services",
                    "replicationcontrollers",
                    "secrets",
                    "persistentvolumeclaims",
                    "configmaps",
                    "services.nodeports",
                    "services.loadbalancers");

    private QuotaEvaluation() {}

    /// Result of charging a quota for a change.
    public sealed interface Charge {

        /// The quota does not apply to the object.
        record Free() implements Charge {}

        /// The quota allows the change; the quota with its new `status`.
        record Charged(JsonObject quota) implements Charge {}

        /// The quota is exceeded; the message of the 403 error.
        record Exceeded(String why) implements Charge {}
    }

    public static boolean isStandard(String name) {
        return STANDARD.contains(name)
                || ResourceQuantities.isHugePages(name)
                || name.startsWith("requests.hugepages-");
    }

    /// False if an object uses as much of every quota as the one that it replaces, so that quotas
    /// need not be read. Most updates are of that kind, so this has to be fast.
    ///
    /// @param old empty for a creation
    public static boolean mayCharge(
            Resource resource, Optional<JsonObject> old, JsonObject object) {
        return old.isEmpty() || QuotaUsage.mayDiffer(resource, old.get(), object);
    }

    /// False if no resource name in a quota can refer to the kind.
    public static boolean mayCount(JsonObject quota, Resource resource) {
        return QuotaUsage.mayCount(quota.objectOrEmpty("spec").objectOrEmpty("hard"), resource);
    }

    /// Charges a quota for a created or updated object.
    ///
    /// @param quota as stored; one that was never counted, or whose limits have changed since,
    ///   should be passed through [#recount] before
    /// @param old the replaced object; empty for a creation
    public static Charge charge(
            JsonObject quota,
            Resource resource,
            JsonObject object,
            Optional<JsonObject> old,
            StoredObjects objects) {
        if (!QuotaUsage.isInScope(quota, resource, object)) {
            return new Charge.Free();
        }
        var hard = quota.objectOrEmpty("spec").objectOrEmpty("hard");
        var missing = QuotaUsage.unspecified(hard, resource, object);
        // A pod that is older than the quota may omit the resources.
        var missed = old.map(o -> QuotaUsage.unspecified(hard, resource, o)).orElse("");
        if (!missing.equals(missed) && !missing.isEmpty()) {
            return new Charge.Exceeded(
                    "failed quota: %s: must specify %s".formatted(name(quota), missing));
        }
        var added = new TreeMap<>(QuotaUsage.of(resource, object, objects));
        old.filter(o -> QuotaUsage.isInScope(quota, resource, o))
                .ifPresent(o ->
                        QuotaUsage.of(resource, o, objects)
                                .forEach((what, amount) ->
                                        added.merge(what, amount.negate(), Quantity::plus)));
        added.keySet().retainAll(hard.names());
        added.values().removeIf(amount -> amount.signum() == 0);
        return added.isEmpty() ? new Charge.Free() : charged(quota, hard, added);
    }

    private static Charge charged(JsonObject quota, JsonObject hard, Map<String, Quantity> added) {
        var used = quota.objectOrEmpty("status").objectOrEmpty("used");
        var over = new TreeSet<String>();
        var after = used;
        for (var entry : added.entrySet()) {
            var what = entry.getKey();
            var total = ResourceQuantities.orZero(used, what).plus(entry.getValue());
            if (entry.getValue().signum() > 0
                    && total.compareTo(ResourceQuantities.orZero(hard, what)) > 0) {
                over.add(what);
            }
            after = after.with(what, Json.of(total.signum() < 0 ? "0" : total.toString()));
        }
        if (!over.isEmpty()) {
            return new Charge.Exceeded(exceeded(quota, over, added, used, hard));
        }
        return new Charge.Charged(withStatus(quota, hard, after));
    }

    private static String exceeded(
            JsonObject quota,
            Set<String> over,
            Map<String, Quantity> added,
            JsonObject used,
            JsonObject hard) {
        var requested = new ArrayList<String>();
        var before = new ArrayList<String>();
        var limited = new ArrayList<String>();
        for (var what : over) {
            requested.add(what + "=" + added.getOrDefault(what, Quantity.ZERO));
            before.add(what + "=" + ResourceQuantities.text(used, what));
            limited.add(what + "=" + ResourceQuantities.text(hard, what));
        }
        return "exceeded quota: %s, requested: %s, used: %s, limited: %s"
                .formatted(
                        name(quota),
                        String.join(",", requested),
                        String.join(",", before),
                        String.join(",", limited));
    }

    private static String name(JsonObject quota) {
        return quota.objectOrEmpty("metadata").text("name");
    }

    /// True if the quota has never been counted, or its limits have changed since.
    public static boolean needsRecount(JsonObject quota) {
        return !ResourceQuantities.canonical(quota.objectOrEmpty("spec").objectOrEmpty("hard"))
                .equals(
                        ResourceQuantities.canonical(
                                quota.objectOrEmpty("status").objectOrEmpty("hard")));
    }

    /// True if a quota must be recounted because an object was updated or deleted.
    ///
    /// @param old the object before
    /// @param object the object after; empty for a deletion
    public static boolean isTouched(
            JsonObject quota, Resource resource, JsonObject old, Optional<JsonObject> object) {
        return QuotaUsage.changesUsage(quota, resource, old, object);
    }

    /// The quota with its `status` recounted from all stored objects of its namespace.
    public static JsonObject recount(
            JsonObject quota, List<Resource> resources, StoredObjects objects) {
        var hard = ResourceQuantities.canonical(quota.objectOrEmpty("spec").objectOrEmpty("hard"));
        var namespace = quota.objectOrEmpty("metadata").text("namespace");
        var total = new TreeMap<String, Quantity>();
        hard.names().forEach(what -> total.put(what, Quantity.ZERO));
        for (var resource : resources) {
            if (!resource.isNamespaced() || !QuotaUsage.mayCount(hard, resource)) {
                continue;
            }
            for (var object : objects.list(resource.collection(), namespace)) {
                if (QuotaUsage.isInScope(quota, resource, object)) {
                    QuotaUsage.of(resource, object, objects)
                            .forEach((what, amount) ->
                                    total.computeIfPresent(what, (_, sum) -> sum.plus(amount)));
                }
            }
        }
        var used = new LinkedHashMap<String, Json>();
        total.forEach((what, amount) -> used.put(what, Json.of(amount.toString())));
        return withStatus(quota, hard, new JsonObject(used));
    }

    private static JsonObject withStatus(JsonObject quota, JsonObject hard, JsonObject used) {
        return quota.with("status", JsonObject.of("hard", hard).with("used", used));
    }
}
