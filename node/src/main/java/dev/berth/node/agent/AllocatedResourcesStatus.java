package dev.berth.node.agent;

import dev.berth.model.api.pod.Container;
import dev.berth.model.api.pod.Pod;
import dev.berth.model.api.pod.PodClaimReferences;
import dev.berth.model.json.Json;
import dev.berth.model.json.JsonObject;
import dev.berth.node.agent.NodeClaimState.PreparedDevice;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// Builds `allocatedResourcesStatus` of container statuses: the health of the devices that
/// containers use.
final class AllocatedResourcesStatus {

    /// Health of a device, by driver, pool and name.
    interface Health {
        DriverHealthReport.DeviceStatus of(String driver, String pool, String device);
    }

    private AllocatedResourcesStatus() {}

    /// `allocatedResourcesStatus` by container name, for containers with devices.
    static Map<String, List<JsonObject>> statuses(
            NodeClaimStates claimStates, Pod pod, Health health) {
        var statuses = new LinkedHashMap<String, List<JsonObject>>();
        for (var container : pod.spec().containers()) {
            var entries = entries(claimStates, pod, container, health);
            if (!entries.isEmpty()) {
                statuses.put(container.name(), entries);
            }
        }
        return statuses;
    }

    private static List<JsonObject> entries(
            NodeClaimStates claimStates, Pod pod, Container container, Health health) {
        var entries = new ArrayList<JsonObject>();
        for (var use : container.resources().claims()) {
            var resources = new LinkedHashMap<String, JsonObject>();
            PodClaimReferences.find(pod, use.name())
                    .flatMap(claimStates::find)
                    .ifPresent(claim ->
                            claim.drivers()
                                    .forEach((driver, part) ->
                                            part.devices().stream()
                                                    .filter(one -> one.isFor(use.request()))
                                                    .map(one -> resource(driver, one, health))
                                                    .forEach(one ->
                                                            resources.putIfAbsent(
                                                                    one.text("resourceID"), one))));
            if (!resources.isEmpty()) {
                var name = "claim:" + use.name();
                entries.add(
                        JsonObject.of(
                                        "name",
                                        Json.of(
                                                use.request().isEmpty()
                                                        ? name
                                                        : name + "/" + use.request()))
                                .with("resources", Json.array(List.copyOf(resources.values()))));
            }
        }
        return entries;
    }

    private static JsonObject resource(String driver, PreparedDevice device, Health health) {
        var id =
                device.cdiIds().isEmpty()
                        ? driver + "/" + device.pool() + "/" + device.device()
                        : device.cdiIds().getFirst();
        var report = health.of(driver, device.pool(), device.device());
        var resource =
                JsonObject.of("resourceID", Json.of(id)).with("health", Json.of(report.health()));
        return report.message().isEmpty()
                ? resource
                : resource.with("message", Json.of(report.message()));
    }
}
