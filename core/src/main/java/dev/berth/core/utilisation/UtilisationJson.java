package dev.berth.core.utilisation;

import dev.berth.model.api.claim.AllocationCount;
import dev.berth.model.api.claim.DeviceDemand;
import dev.berth.model.api.claim.DeviceSelector;
import dev.berth.model.json.Json;
import dev.berth.model.json.JsonNumber;
import dev.berth.model.json.JsonObject;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.LinkedHashMap;

/// Writes utilisation as JSON. The fields are described in docs/utilisation.md; fields are added,
/// never renamed.
public final class UtilisationJson {

    private static final int DECIMALS = 6;

    private UtilisationJson() {}

    /// All classes, by name.
    public static Json of(ClusterUtilisation utilisation) {
        return Json.array(
                utilisation.classes().values().stream().map(UtilisationJson::of).toList());
    }

    private static JsonObject of(ClassUtilisation one) {
        var nodes = new LinkedHashMap<String, Json>();
        one.nodes()
                .forEach((name, node) ->
                        nodes.put(
                                name,
                                use(node.total()).with("available", Json.of(node.available()))));
        var namespaces = new LinkedHashMap<String, Json>();
        one.namespaces().forEach((name, inUse) -> namespaces.put(name, decimal(inUse)));
        return JsonObject.of("class", Json.of(one.deviceClass()))
                .with("devices", Json.of(one.total().devices()))
                .with("inUse", decimal(one.total().inUse()))
                .with("percent", Json.of(one.total().percent()))
                .with("free", Json.of(one.free()))
                .with("partlyUsed", Json.of(one.partlyUsed()))
                .with("unavailable", Json.of(one.unavailable()))
                .with("available", count(one.available()))
                .with("adminAccess", Json.of(one.adminAccess()))
                .with("namespaces", new JsonObject(namespaces))
                .with("nodes", new JsonObject(nodes))
                .with("fits", Json.array(one.fits().stream().map(UtilisationJson::of).toList()));
    }

    /// Devices and their use.
    public static JsonObject use(Utilisation use) {
        return JsonObject.of("devices", Json.of(use.devices()))
                .with("inUse", decimal(use.inUse()))
                .with("percent", Json.of(use.percent()));
    }

    private static JsonObject of(Fit fit) {
        var tree = JsonObject.of("size", Json.of(fit.size().label()));
        var detailed =
                switch (fit.size()) {
                    case FitSize.OnOneNode(var count) ->
                            tree.with("scope", Json.of("node")).with("count", Json.of(count));
                    case FitSize.OnOneNumaNode(var count) ->
                            tree.with("scope", Json.of("numaNode")).with("count", Json.of(count));
                    case FitSize.Partition(var profile) ->
                            tree.with("scope", Json.of("node"))
                                    .with("count", Json.of(1))
                                    .with("profile", Json.of(profile));
                    case FitSize.Requested(_, var demand) ->
                            tree.with("scope", Json.of("node"))
                                    .with("count", Json.of(count(demand)))
                                    .with("selectors", selectors(demand));
                };
        return detailed.with("now", count(fit.now()))
                .with("together", count(fit.together()))
                .with("exact", Json.of(fit.isExact()));
    }

    private static long count(DeviceDemand demand) {
        return demand.count() instanceof AllocationCount.ExactCount(var number) ? number : 1;
    }

    private static Json selectors(DeviceDemand demand) {
        return Json.array(
                demand.selectors().stream()
                        .map(one ->
                                Json.of(one instanceof DeviceSelector.Cel(var text) ? text : ""))
                        .toList());
    }

    private static Json count(long number) {
        return number == Fit.UNLIMITED ? Json.of("unlimited") : Json.of(number);
    }

    /// A number with at most six decimals.
    public static Json decimal(double value) {
        var rounded = BigDecimal.valueOf(value).setScale(DECIMALS, RoundingMode.HALF_EVEN);
        return new JsonNumber(rounded.stripTrailingZeros().toPlainString());
    }
}
