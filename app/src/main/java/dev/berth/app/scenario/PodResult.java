package dev.berth.app.scenario;

import dev.berth.model.api.claim.AllocatedDevice;
import dev.berth.model.api.claim.DeviceAllocationConfiguration;
import dev.berth.model.api.claim.DeviceConfiguration;
import dev.berth.model.api.claim.ResourceClaim;
import dev.berth.model.api.meta.Condition;
import dev.berth.model.api.meta.Uid;
import dev.berth.model.api.pod.Pod;
import dev.berth.model.api.slice.DeviceId;
import dev.berth.model.json.Json.JsonString;
import dev.berth.model.json.JsonObject;
import dev.berth.model.json.JsonWriter;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// Node, devices and messages of a pod.
///
/// @param node node of the pod; empty for none
/// @param message of its PodScheduled condition, if any
public record PodResult(
        String pod,
        Uid uid,
        String phase,
        String node,
        String instanceType,
        List<AllocatedDeviceView> devices,
        String message) {

    public PodResult {
        devices = List.copyOf(devices);
    }

    /// A device of the pod.
    ///
    /// @param request as `request` or `request/alternative`
    /// @param isAdmin whether it is admin access
    /// @param shown attributes and capacities to report
    /// @param consumed consumed capacities
    /// @param config parameters for the driver, later ones first
    /// @param conditions with status True that the driver reports
    public record AllocatedDeviceView(
            String request,
            DeviceId id,
            boolean isAdmin,
            Map<String, String> shown,
            Map<String, String> consumed,
            List<JsonObject> config,
            List<String> conditions) {

        public AllocatedDeviceView {
            config = List.copyOf(config);
            conditions = List.copyOf(conditions);
        }

        /// The value of a parameter for the driver; the last configuration that sets it wins.
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

    static PodResult of(Pod pod, NamespaceView view, List<String> shows) {
        var devices = new ArrayList<AllocatedDeviceView>();
        for (var claim : view.claims(pod)) {
            claim.status()
                    .allocation()
                    .ifPresent(allocation ->
                            allocation
                                    .devices()
                                    .forEach(one -> devices.add(given(claim, one, view, shows))));
        }
        return new PodResult(
                pod.metadata().name(),
                pod.metadata().uid(),
                pod.status().phase().text(),
                pod.spec().nodeName(),
                view.instanceType(pod.spec().nodeName()),
                devices,
                NamespaceView.schedulingMessage(pod));
    }

    private static AllocatedDeviceView given(
            ResourceClaim claim, AllocatedDevice device, NamespaceView view, List<String> shows) {
        var consumed = new LinkedHashMap<String, String>();
        device.consumedCapacity()
                .forEach((name, quantity) -> consumed.put(name, quantity.toString()));
        return new AllocatedDeviceView(
                device.request(),
                device.id(),
                device.isAdmin(),
                view.listed(device.id()).map(one -> DeviceText.shown(one, shows)).orElse(Map.of()),
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
