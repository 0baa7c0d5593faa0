package dev.berth.drivers.sim;

import dev.berth.model.api.meta.ObjectRef;
import dev.berth.model.api.pod.Pod;
import dev.berth.model.api.pod.PodClaimReferences;
import dev.berth.model.api.slice.AttributeValue;
import dev.berth.model.api.slice.Device;
import dev.berth.model.api.slice.DeviceId;
import dev.berth.model.json.JsonObject;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Function;

/// The log of a container on a simulated node: the devices that it would see, and the lines of the
/// annotation `sim.berth.dev/log-lines`.
///
/// @param claims finds claims
/// @param devices finds devices in the published slices
record SimulatedPodLog(
        Function<ObjectRef, Optional<JsonObject>> claims,
        Function<DeviceId, Optional<Device>> devices) {

    /// Attributes that identify a device to people, without their domains.
    private static final List<String> MAIN_ATTRIBUTES =
            List.of(
                    "productName",
                    "model",
                    "type",
                    "profile",
                    "uuid",
                    "index",
                    "ifName",
                    "numaNode",
                    "pcieRoot",
                    "pciBusID");

    private static final int OTHER_ATTRIBUTES = 4;

    /// A claim of a pod with the requests that a container uses; empty for all requests.
    private record ClaimUse(ObjectRef claim, Set<String> requests) {}

    String text(JsonObject pod, String container) {
        var metadata = pod.objectOrEmpty("metadata");
        var text = new StringBuilder();
        text.append(
                "Container %s of pod %s/%s on simulated node %s: nothing runs.\n"
                        .formatted(
                                container,
                                metadata.text("namespace"),
                                metadata.text("name"),
                                pod.objectOrEmpty("spec").text("nodeName")));
        var lines = new ArrayList<String>();
        for (var use : uses(pod, container)) {
            describe(use, lines);
        }
        if (lines.isEmpty()) {
            text.append("The container has no devices.\n");
        } else {
            text.append("Devices that the container would see:\n");
            lines.forEach(line -> text.append(line).append('\n'));
        }
        var own = metadata.objectOrEmpty("annotations").text(PodAnnotations.LOG_LINES);
        if (!own.isEmpty()) {
            text.append(own).append(own.endsWith("\n") ? "" : "\n");
        }
        return text.toString();
    }

    private static List<ClaimUse> uses(JsonObject pod, String container) {
        var read = SimulatedPodClaims.read(pod);
        if (read.isEmpty()) {
            return List.of();
        }
        var uses = new ArrayList<ClaimUse>();
        var spec = pod.objectOrEmpty("spec");
        for (var list : List.of("containers", "initContainers", "ephemeralContainers")) {
            for (var one : spec.objects(list)) {
                if (one.text("name").equals(container)) {
                    one.objectOrEmpty("resources")
                            .objects("claims")
                            .forEach(used -> use(read.get(), used).ifPresent(uses::add));
                }
            }
        }
        var requests = new HashSet<String>();
        for (var mapping : PodClaimReferences.extendedResourceMappings(read.get())) {
            if (mapping.containerName().equals(container)) {
                requests.add(mapping.requestName());
            }
        }
        if (!requests.isEmpty()) {
            PodClaimReferences.ofExtendedResources(read.get())
                    .ifPresent(claim -> uses.add(new ClaimUse(claim, requests)));
        }
        return uses;
    }

    private static Optional<ClaimUse> use(Pod pod, JsonObject used) {
        var requests = used.string("request").map(Set::of).orElse(Set.of());
        return PodClaimReferences.find(pod, used.text("name"))
                .map(claim -> new ClaimUse(claim, requests));
    }

    private void describe(ClaimUse use, List<String> lines) {
        var claim = claims.apply(use.claim).orElse(JsonObject.EMPTY);
        var results =
                claim.objectOrEmpty("status")
                        .objectOrEmpty("allocation")
                        .objectOrEmpty("devices")
                        .objects("results");
        for (var result : results) {
            var request = result.text("request");
            var base = request.contains("/") ? request.substring(0, request.indexOf('/')) : request;
            if (use.requests.isEmpty() || use.requests.contains(base)) {
                describe(claim, result, request, lines);
            }
        }
    }

    private void describe(JsonObject claim, JsonObject result, String request, List<String> lines) {
        var id = DeviceReports.id(result);
        lines.add("- driver %s, pool %s, device %s".formatted(id.driver(), id.pool(), id.device()));
        lines.add("  claim %s, request %s".formatted(JsonMetadata.ref(claim).name(), request));
        var attributes = devices.apply(id).map(SimulatedPodLog::attributes).orElse("");
        if (!attributes.isEmpty()) {
            lines.add("  " + attributes);
        }
        lines.add(
                "  CDI %s/claim=%s_%s"
                        .formatted(id.driver(), JsonMetadata.uid(claim), id.device()));
    }

    private static String attributes(Device device) {
        var all = new TreeMap<String, String>();
        device.attributes()
                .forEach((name, value) ->
                        text(value)
                                .ifPresent(text ->
                                        all.put(name.substring(name.indexOf('/') + 1), text)));
        var words = new ArrayList<String>();
        for (var name : MAIN_ATTRIBUTES) {
            if (all.containsKey(name)) {
                words.add(name + "=" + all.get(name));
            }
        }
        if (words.isEmpty()) {
            all.entrySet().stream()
                    .limit(OTHER_ATTRIBUTES)
                    .forEach(one -> words.add(one.getKey() + "=" + one.getValue()));
        }
        device.capacity()
                .forEach((name, amount) -> {
                    if (name.endsWith("memory")) {
                        words.add("memory=" + amount.value());
                    }
                });
        return String.join(", ", words);
    }

    private static Optional<String> text(AttributeValue value) {
        return switch (value) {
            case AttributeValue.IntValue(var number) -> Optional.of(Long.toString(number));
            case AttributeValue.BoolValue(var flag) -> Optional.of(Boolean.toString(flag));
            case AttributeValue.StringValue(var text) -> Optional.of(text);
            case AttributeValue.VersionValue(var text) -> Optional.of(text);
            case AttributeValue.IntList _,
                    AttributeValue.BoolList _,
                    AttributeValue.StringList _,
                    AttributeValue.VersionList _,
                    AttributeValue.Unrecognised _ ->
                    Optional.empty();
        };
    }
}
