package dev.berth.server.kinds.check;

import dev.berth.core.admission.field.SemanticEquality;
import dev.berth.model.json.FieldPath;
import dev.berth.model.json.Json;
import dev.berth.model.json.JsonObject;
import dev.berth.model.quantity.Quantity;
import java.util.LinkedHashMap;
import java.util.Optional;
import java.util.Set;

/// Quantities in objects, and classification of resource names.
public final class ResourceQuantities {

    private static final Set<String> NATIVE =
            Set.of("cpu", "memory", "ephemeral-storage", "storage");
    private static final String HUGE_PAGES = "hugepages-";
    private static final String NATIVE_DOMAIN = "kubernetes.io/";

    private ResourceQuantities() {}

    public static Optional<Quantity> at(JsonObject holder, String name) {
        return holder.member(name).flatMap(SemanticEquality::quantity);
    }

    public static Quantity orZero(JsonObject holder, String name) {
        return at(holder, name).orElse(Quantity.ZERO);
    }

    /// The canonical form; `0` if absent.
    public static String text(JsonObject holder, String name) {
        return orZero(holder, name).toString();
    }

    /// The map of quantities in canonical form.
    public static JsonObject canonical(JsonObject amounts) {
        var changed = new LinkedHashMap<String, Json>();
        for (var entry : amounts.members().entrySet()) {
            var quantity = SemanticEquality.quantity(entry.getValue());
            changed.put(
                    entry.getKey(),
                    quantity.map(q -> (Json) Json.of(q.toString())).orElse(entry.getValue()));
        }
        return new JsonObject(changed);
    }

    public static boolean isHugePages(String resource) {
        return resource.startsWith(HUGE_PAGES);
    }

    public static boolean isNative(String resource) {
        return NATIVE.contains(resource) || isHugePages(resource);
    }

    /// True for extended resources: integers that cannot be overcommitted.
    public static boolean isExtended(String resource) {
        return resource.contains("/") && !resource.contains(NATIVE_DOMAIN);
    }

    public static void notNegative(
            JsonObject holder, String name, FieldPath path, ObjectChecks checks) {
        at(holder, name)
                .filter(amount -> amount.signum() < 0)
                .ifPresent(amount ->
                        checks.invalid(path, amount.toString(), ObjectChecks.NOT_NEGATIVE));
    }
}
