package dev.berth.server.kinds.pod;

import dev.berth.model.json.Json;
import dev.berth.model.json.JsonObject;
import dev.berth.model.quantity.Quantity;
import dev.berth.server.kinds.check.ResourceQuantities;
import java.util.LinkedHashMap;
import java.util.Map;

/// Total requests or limits of a pod. Init containers run one after the other; restartable ones run
/// beside all later containers.
public final class PodResourceTotals {

    private PodResourceTotals() {}

    /// The sum over the containers of a pod.
    ///
    /// @param side `requests` or `limits`
    public static JsonObject total(JsonObject spec, String side) {
        var running = new LinkedHashMap<String, Quantity>();
        spec.objects("containers").forEach(c -> add(running, amounts(c, side)));
        var lasting = new LinkedHashMap<String, Quantity>();
        var starting = new LinkedHashMap<String, Quantity>();
        for (var container : spec.objects("initContainers")) {
            if (container.text("restartPolicy").equals("Always")) {
                add(running, amounts(container, side));
                add(lasting, amounts(container, side));
                most(starting, lasting);
            } else {
                var now = new LinkedHashMap<>(lasting);
                add(now, amounts(container, side));
                most(starting, now);
            }
        }
        most(running, starting);
        spec.objectOrEmpty("resources")
                .objectOrEmpty(side)
                .names()
                .forEach(name ->
                        running.put(
                                name,
                                ResourceQuantities.orZero(
                                        spec.objectOrEmpty("resources").objectOrEmpty(side),
                                        name)));
        overhead(spec, side, running);
        var total = new LinkedHashMap<String, Json>();
        running.forEach((name, amount) -> total.put(name, Json.of(amount.toString())));
        return new JsonObject(total);
    }

    /// The overhead is added to requests, and to those limits that are set.
    private static void overhead(JsonObject spec, String side, Map<String, Quantity> total) {
        var overhead = spec.objectOrEmpty("overhead");
        for (var name : overhead.names()) {
            if (side.equals("requests") || total.containsKey(name)) {
                total.merge(name, ResourceQuantities.orZero(overhead, name), Quantity::plus);
            }
        }
    }

    private static JsonObject amounts(JsonObject container, String side) {
        return container.objectOrEmpty("resources").objectOrEmpty(side);
    }

    private static void add(Map<String, Quantity> total, JsonObject amounts) {
        for (var name : amounts.names()) {
            total.merge(name, ResourceQuantities.orZero(amounts, name), Quantity::plus);
        }
    }

    private static void most(Map<String, Quantity> total, Map<String, Quantity> other) {
        other.forEach(
                (name, amount) -> total.merge(name, amount, (a, b) -> a.compareTo(b) >= 0 ? a : b));
    }
}
