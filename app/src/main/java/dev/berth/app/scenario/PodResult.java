package dev.berth.app.scenario;

import dev.berth.model.api.AllocatedDevice;
import dev.berth.model.api.Condition;
import dev.berth.model.api.DeviceAllocationConfiguration;
import dev.berth.model.api.DeviceConfiguration;
import dev.berth.model.api.DeviceId;
import dev.berth.model.api.Pod;
import dev.berth.model.api.ResourceClaim;
import dev.berth.model.api.Uid;
import dev.berth.model.json.Json.JsonString;
import dev.berth.model.json.JsonObject;
import dev.berth.model.json.JsonWriter;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// What became of a pod.
///
/// @param node that it is bound to; empty for none
/// @param message about its placement, if there is something to tell
public record PodResult(
        String pod,
        Uid uid,
        String phase,
        String node,
        String instanceType,
        List<Given> devices,
        String message) {

    public PodResult {
        devices = List.copyOf(devices);
    }

    /// A device that the pod got.
    ///
    /// @param request as `request` or `request/alternative`
    /// @param isAdmin when it is only watched over
    /// @param shown attributes and capacities that matter
    /// @param consumed how much of its capacities
    /// @param config parameters for the driver, later ones first
    /// @param conditions that the driver reports and that are true
    public record Given(
            String request,
            DeviceId id,
            boolean isAdmin,
            Map<String, String> shown,
            Map<String, String> consumed,
            List<JsonObject> config,
            List<String> conditions) {

        public Given {
            config = List.copyOf(config);
            conditions = List.copyOf(conditions);
        }

        /// A parameter for the driver, by the last who said something of it.
        String parameter(String name) {
            return config.stream()
                    .flatMap(one -> one.member(name).stream())
                    .map(value ->
                            value instanceof JsonString(var text)
                                    ? text
                                    : JsonWriter.compact(value))
                    .findFirst()
                    .orElse("");
        }
    }

    static PodResult of(Pod pod, NamespaceView sight, List<String> shows) {
        var devices = new ArrayList<Given>();
        for (var claim : sight.claims(pod)) {
            claim.status()
                    .allocation()
                    .ifPresent(allocation ->
                            allocation
                                    .devices()
                                    .forEach(one -> devices.add(given(claim, one, sight, shows))));
        }
        return new PodResult(
                pod.metadata().name(),
                pod.metadata().uid(),
                pod.status().phase().text(),
                pod.spec().nodeName(),
                sight.instanceType(pod.spec().nodeName()),
                devices,
                NamespaceView.told(pod));
    }

    private static Given given(
            ResourceClaim claim, AllocatedDevice device, NamespaceView sight, List<String> shows) {
        var consumed = new LinkedHashMap<String, String>();
        device.consumedCapacity()
                .forEach((name, quantity) -> consumed.put(name, quantity.toString()));
        return new Given(
                device.request(),
                device.id(),
                device.isAdmin(),
                sight.listed(device.id()).map(one -> DeviceText.shown(one, shows)).orElse(Map.of()),
                consumed,
                config(claim, device),
                NamespaceView.conditions(claim, device).stream()
                        .filter(Condition::isTrue)
                        .map(Condition::type)
                        .toList());
    }

    private static List<JsonObject> config(ResourceClaim claim, AllocatedDevice device) {
        var main = device.request().split("/", 2)[0];
        return claim.status().allocation().stream()
                .flatMap(allocation -> allocation.config().stream())
                .filter(one ->
                        one.requests().isEmpty()
                                || one.requests().contains(device.request())
                                || one.requests().contains(main))
                .map(DeviceAllocationConfiguration::configuration)
                .flatMap(one ->
                        one instanceof DeviceConfiguration.Opaque(var driver, var parameters)
                                        && driver.equals(device.id().driver())
                                        && parameters instanceof JsonObject object
                                ? List.of(object).stream()
                                : List.<JsonObject>of().stream())
                .toList()
                .reversed();
    }
}
