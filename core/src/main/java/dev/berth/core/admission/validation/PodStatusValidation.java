package dev.berth.core.admission.validation;

import dev.berth.core.admission.field.FieldError;
import dev.berth.core.admission.field.FieldErrors;
import dev.berth.core.text.GoText;
import dev.berth.model.json.FieldPath;
import dev.berth.model.json.Json;
import dev.berth.model.json.JsonObject;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/// Validates the DRA fields of a pod's status.
final class PodStatusValidation {

    private static final int MAX_MESSAGE = 1024;
    private static final List<String> HEALTH = List.of("Healthy", "Unhealthy", "Unknown");
    private static final FieldPath STATUS = FieldPath.of("status");
    private static final String CLAIM = "claim:";

    private final FieldErrors problems;
    private final JsonObject spec;
    private final JsonObject status;
    private final Map<String, JsonObject> containers = new LinkedHashMap<>();

    private PodStatusValidation(JsonObject pod, FieldErrors problems) {
        this.spec = pod.objectOrEmpty("spec");
        this.status = pod.objectOrEmpty("status");
        this.problems = problems;
        for (var list : List.of("initContainers", "containers")) {
            spec.objects(list).forEach(c -> containers.put(c.text("name"), c));
        }
    }

    static void check(JsonObject pod, FieldErrors problems) {
        var rules = new PodStatusValidation(pod, problems);
        rules.claims();
        rules.status.object("extendedResourceClaimStatus").ifPresent(rules::extendedResources);
        rules.nodeAllocatable();
        for (var list : List.of("initContainerStatuses", "containerStatuses")) {
            rules.health(list);
        }
    }

    private void claims() {
        var specified = new HashSet<String>();
        spec.objects("resourceClaims").forEach(claim -> specified.add(claim.text("name")));
        var seen = new HashSet<String>();
        var statuses = status.objects("resourceClaimStatuses");
        for (var i = 0; i < statuses.size(); i++) {
            // Malformed claim names are reported here too, since Kubernetes checks them nowhere
            // else.
            var path = STATUS.child("resourceClaimStatuses").index(i).child("name");
            var name = statuses.get(i).text("name");
            if (!specified.contains(name)) {
                problems.add(
                        FieldError.invalid(
                                path,
                                name,
                                "must match the name of an entry in `spec.resourceClaims`"));
            }
            if (!seen.add(name)) {
                problems.add(FieldError.duplicate(path, Json.of(name)));
            }
            statuses.get(i)
                    .string("resourceClaimName")
                    .ifPresent(
                            claim -> problems.addAll(DeviceNameValidation.subdomain(claim, path)));
        }
    }

    private void extendedResources(JsonObject extended) {
        var path = STATUS.child("extendedResourceClaimStatus");
        var mappings = extended.objects("requestMappings");
        if (mappings.isEmpty()) {
            problems.add(
                    FieldError.required(
                            path.child("requestMappings"),
                            "at least one request mapping is required"));
        }
        var seen = new HashSet<List<String>>();
        for (var i = 0; i < mappings.size(); i++) {
            requestMapping(mappings.get(i), path, path.child("requestMappings").index(i), seen);
        }
        var claim = extended.text("resourceClaimName");
        problems.addAll(DeviceNameValidation.deviceClass(claim, path.child("resourceClaimName")));
    }

    private void requestMapping(
            JsonObject mapping, FieldPath statusPath, FieldPath path, Set<List<String>> seen) {
        var containerName = mapping.text("containerName");
        var resource = mapping.text("resourceName");
        var request = mapping.text("requestName");
        var container = containers.get(containerName);
        if (container == null) {
            problems.add(
                    FieldError.invalid(
                            path.child("containerName"),
                            containerName,
                            "must match the name of an entry in spec.initContainers.name or "
                                    + "spec.containers.name"));
        } else if (!resources(container, "requests").has(resource)) {
            problems.add(
                    FieldError.invalid(
                            path.child("resourceName"),
                            resource,
                            "must match the extended resource name of an entry in "
                                    + "spec.initContainers.resources.requests or "
                                    + "spec.containers.resources.requests"));
        }
        problems.addAll(DeviceNameValidation.label(request, statusPath.child("requestName")));
        if (!seen.add(List.of(containerName, resource, request))) {
            problems.add(FieldError.duplicate(path.child("containerName"), Json.of(containerName)));
            problems.add(FieldError.duplicate(path.child("resourceName"), Json.of(resource)));
            problems.add(FieldError.duplicate(path.child("requestName"), Json.of(request)));
        }
    }

    private static JsonObject resources(JsonObject container, String name) {
        return container.objectOrEmpty("resources").objectOrEmpty(name);
    }

    private void nodeAllocatable() {
        var known = new HashSet<String>();
        spec.objects("resourceClaims").forEach(c -> known.add(c.text("resourceClaimName")));
        status.objects("resourceClaimStatuses")
                .forEach(c -> known.add(c.text("resourceClaimName")));
        known.remove("");
        var statuses = status.objects("nodeAllocatableResourceClaimStatuses");
        for (var i = 0; i < statuses.size(); i++) {
            var path = STATUS.child("nodeAllocatableResourceClaimStatuses").index(i);
            var claim = statuses.get(i).text("resourceClaimName");
            if (!known.contains(claim)) {
                problems.add(
                        FieldError.invalid(
                                path.child("resourceClaimName"),
                                claim,
                                "must match a claim referenced by `spec.resourceClaims` or "
                                        + "`status.resourceClaimStatuses`"));
            }
            amounts(statuses.get(i), path);
        }
    }

    private void amounts(JsonObject claim, FieldPath path) {
        var mappings = claim.objects("mapping");
        for (var i = 0; i < mappings.size(); i++) {
            var at = path.child("mapping").index(i);
            resourceName(mappings.get(i), at);
            NodeAllocatableValidation.notNegative(mappings.get(i), "quantity", at, problems);
        }
        var overheads = claim.objects("overhead");
        for (var i = 0; i < overheads.size(); i++) {
            var at = path.child("overhead").index(i);
            resourceName(overheads.get(i), at);
            if (!overheads.get(i).has("perPod") && !overheads.get(i).has("perContainer")) {
                problems.add(
                        FieldError.invalid(
                                at, "", "at least one of perPod or perContainer must be set"));
            }
            NodeAllocatableValidation.notNegative(overheads.get(i), "perPod", at, problems);
            NodeAllocatableValidation.notNegative(overheads.get(i), "perContainer", at, problems);
        }
    }

    private void resourceName(JsonObject holder, FieldPath path) {
        if (!DeviceNameValidation.isNodeAllocatable(holder.text("name"))) {
            problems.add(
                    FieldError.invalid(
                            path.child("name"),
                            holder.text("name"),
                            "must be a node allocatable resource name"));
        }
    }

    private void health(String list) {
        var statuses = status.objects(list);
        for (var i = 0; i < statuses.size(); i++) {
            var container = Optional.ofNullable(containers.get(statuses.get(i).text("name")));
            var resources = statuses.get(i).objects("allocatedResourcesStatus");
            for (var j = 0; j < resources.size(); j++) {
                var path = STATUS.child(list).index(i).child("allocatedResourcesStatus").index(j);
                var name = resources.get(j).text("name");
                container.ifPresent(c -> healthName(name, c, path.child("name")));
                devices(resources.get(j).objects("resources"), path.child("resources"));
            }
        }
    }

    private void healthName(String name, JsonObject container, FieldPath path) {
        if (!name.startsWith(CLAIM)) {
            if (!resources(container, "requests").has(name)) {
                problems.add(
                        FieldError.invalid(
                                path, name, "must match one of the container's resource requests"));
            }
        } else if (!claimNames(container).contains(name)) {
            problems.add(
                    FieldError.invalid(
                            path,
                            name,
                            "must match one of the container's resource claims in a format "
                                    + "'claim:<claimName>/<request>' or 'claim:<claimName>' if "
                                    + "request is empty"));
        }
    }

    /// The claim names under which a container may report device health.
    private Set<String> claimNames(JsonObject container) {
        var names = new HashSet<String>();
        for (var claim : container.objectOrEmpty("resources").objects("claims")) {
            var request = claim.text("request");
            names.add(CLAIM + claim.text("name") + (request.isEmpty() ? "" : "/" + request));
        }
        var extended = status.objectOrEmpty("extendedResourceClaimStatus");
        for (var mapping : extended.objects("requestMappings")) {
            if (mapping.text("containerName").equals(container.text("name"))) {
                names.add(
                        CLAIM
                                + extended.text("resourceClaimName")
                                + "/"
                                + mapping.text("requestName"));
            }
        }
        return names;
    }

    private void devices(List<JsonObject> devices, FieldPath path) {
        var seen = new HashSet<String>();
        for (var i = 0; i < devices.size(); i++) {
            var device = devices.get(i);
            var at = path.index(i);
            if (!HEALTH.contains(device.text("health"))) {
                problems.add(
                        FieldError.notSupported(
                                path.index(i).child("health"), device.text("health"), HEALTH));
            }
            device.string("message")
                    .ifPresent(text -> message(text, at.child("message"), problems));
            var id = device.text("resourceID");
            if (!seen.add(id)) {
                problems.add(FieldError.duplicate(path.index(i).child("resourceID"), Json.of(id)));
            }
        }
    }

    private static void message(String text, FieldPath path, FieldErrors problems) {
        if (text.isEmpty()) {
            problems.add(FieldError.required(path));
        } else if (GoText.bytes(text) > MAX_MESSAGE) {
            problems.add(FieldError.tooLong(path, MAX_MESSAGE));
        }
    }
}
