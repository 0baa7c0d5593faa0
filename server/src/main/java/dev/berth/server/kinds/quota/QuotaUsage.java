package dev.berth.server.kinds.quota;

import dev.berth.model.api.selector.NodeSelectorOperator;
import dev.berth.model.json.JsonObject;
import dev.berth.model.quantity.Quantity;
import dev.berth.server.kinds.check.ResourceQuantities;
import dev.berth.server.kinds.pod.PodDefaults;
import dev.berth.server.kinds.pod.PodResourceTotals;
import dev.berth.server.registry.Resource;
import dev.berth.server.registry.StoredObjects;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/// Usage of quotas by single objects.
final class QuotaUsage {

    /// Kinds that may also be counted under their bare names.
    private static final Set<String> BARE =
            Set.of(
                    "configmaps",
                    "secrets",
                    "services",
                    "persistentvolumeclaims",
                    "resourcequotas",
                    "replicationcontrollers");

    private static final Set<String> POD_AMOUNTS = Set.of("cpu", "memory", "ephemeral-storage");
    private static final String CLAIMS = "resource.k8s.io/resourceclaims";
    private static final String OF_STORAGE_CLASS = ".storageclass.storage.k8s.io/";
    private static final String OF_DEVICE_CLASS = ".deviceclass.resource.k8s.io/devices";
    private static final String EXTENDED_CLAIM = "resource.kubernetes.io/extended-resource-claim";

    /// Fields of a pod spec that determine its usage.
    private static final List<String> POD_PARTS =
            List.of("containers", "initContainers", "resources", "overhead");

    /// Fields of a claim's metadata that determine who is charged for it.
    private static final List<String> CLAIM_PARTS = List.of("annotations", "ownerReferences");

    /// Number of devices charged for a claim with mode All.
    private static final int ALL_DEVICES = 32;

    private QuotaUsage() {}

    static Map<String, Quantity> of(Resource resource, JsonObject object, StoredObjects objects) {
        var usage = new TreeMap<String, Quantity>();
        usage.put(countName(resource), Quantity.of(1));
        if (resource.group().isEmpty() && BARE.contains(resource.plural())) {
            usage.put(resource.plural(), Quantity.of(1));
        }
        switch (resource.collection()) {
            case "pods" -> pod(object, usage);
            case "services" -> service(object.objectOrEmpty("spec"), usage);
            case "persistentvolumeclaims" -> volumeClaim(object.objectOrEmpty("spec"), usage);
            case CLAIMS -> deviceClaim(object, objects, usage);
            default -> {}
        }
        return usage;
    }

    private static String countName(Resource resource) {
        return "count/"
                + resource.plural()
                + (resource.group().isEmpty() ? "" : "." + resource.group());
    }

    /// False if no resource name in a quota can refer to the kind, so that its objects need not be
    /// read.
    static boolean mayCount(JsonObject hard, Resource resource) {
        if (hard.has(countName(resource))
                || (resource.group().isEmpty() && hard.has(resource.plural()))) {
            return true;
        }
        return switch (resource.collection()) {
            case "pods" -> hard.names().stream().anyMatch(QuotaUsage::isOfPods);
            case "services" -> hard.names().stream().anyMatch(one -> one.startsWith("services."));
            case "persistentvolumeclaims" ->
                    hard.names().stream().anyMatch(QuotaUsage::isOfVolumes);
            case CLAIMS -> hard.names().stream().anyMatch(QuotaUsage::isOfDevices);
            default -> false;
        };
    }

    private static boolean isOfPods(String name) {
        return POD_AMOUNTS.contains(name)
                || ResourceQuantities.isHugePages(name)
                || name.startsWith("limits.")
                || (name.startsWith("requests.") && !name.equals("requests.storage"));
    }

    private static boolean isOfVolumes(String name) {
        return name.equals("requests.storage") || name.contains(OF_STORAGE_CLASS);
    }

    private static boolean isOfDevices(String name) {
        return name.endsWith(OF_DEVICE_CLASS)
                || (name.startsWith("requests.")
                        && !POD_AMOUNTS.contains(name.substring("requests.".length()))
                        && !name.equals("requests.storage"));
    }

    /// True if the change of an object changes the usage of a quota.
    ///
    /// @param object the object after the change; empty for a deletion
    static boolean changesUsage(
            JsonObject quota, Resource resource, JsonObject old, Optional<JsonObject> object) {
        if (!QuotaEvaluation.mayCount(quota, resource)) {
            return false;
        }
        var counted = isInScope(quota, resource, old);
        if (object.isEmpty()) {
            return counted;
        }
        return mayDiffer(resource, old, object.get())
                || (resource.collection().equals("pods")
                        && (hasEnded(old) != hasEnded(object.get())
                                || counted != isInScope(quota, resource, object.get())));
    }

    /// False if two states of an object are equal in all fields that determine usage. Completion of
    /// a pod is not considered.
    static boolean mayDiffer(Resource resource, JsonObject old, JsonObject object) {
        return switch (resource.collection()) {
            case "pods" -> differ("spec", POD_PARTS, old, object);
            case "services", "persistentvolumeclaims" ->
                    !old.memberOrNull("spec").equals(object.memberOrNull("spec"));
            case CLAIMS ->
                    !old.memberOrNull("spec").equals(object.memberOrNull("spec"))
                            || differ("metadata", CLAIM_PARTS, old, object);
            default -> false;
        };
    }

    private static boolean differ(
            String part, List<String> names, JsonObject old, JsonObject object) {
        var before = old.objectOrEmpty(part);
        var now = object.objectOrEmpty(part);
        if (before.equals(now)) {
            return false;
        }
        for (var name : names) {
            if (!before.memberOrNull(name).equals(now.memberOrNull(name))) {
                return true;
            }
        }
        return false;
    }

    private static void pod(JsonObject pod, Map<String, Quantity> usage) {
        if (hasEnded(pod)) {
            return;
        }
        usage.put("pods", Quantity.of(1));
        var spec = pod.objectOrEmpty("spec");
        var requests = PodResourceTotals.total(spec, "requests");
        for (var name : requests.names()) {
            var amount = ResourceQuantities.orZero(requests, name);
            usage.put("requests." + name, amount);
            if (POD_AMOUNTS.contains(name) || ResourceQuantities.isHugePages(name)) {
                usage.put(name, amount);
            }
        }
        var limits = PodResourceTotals.total(spec, "limits");
        for (var name : limits.names()) {
            if (POD_AMOUNTS.contains(name)) {
                usage.put("limits." + name, ResourceQuantities.orZero(limits, name));
            }
        }
    }

    private static boolean hasEnded(JsonObject pod) {
        return Set.of("Succeeded", "Failed").contains(pod.objectOrEmpty("status").text("phase"));
    }

    private static void service(JsonObject spec, Map<String, Quantity> usage) {
        var ports = spec.items("ports").size();
        switch (spec.text("type")) {
            case "NodePort" -> usage.put("services.nodeports", Quantity.of(ports));
            case "LoadBalancer" -> {
                usage.put("services.loadbalancers", Quantity.of(1));
                if (spec.flag("allocateLoadBalancerNodePorts").orElse(true)) {
                    usage.put("services.nodeports", Quantity.of(ports));
                }
            }
            default -> {}
        }
    }

    private static void volumeClaim(JsonObject spec, Map<String, Quantity> usage) {
        var requests = spec.objectOrEmpty("resources").objectOrEmpty("requests");
        var size = ResourceQuantities.orZero(requests, "storage");
        usage.put("requests.storage", size);
        var storageClass = spec.text("storageClassName");
        if (!storageClass.isEmpty()) {
            var prefix = storageClass + OF_STORAGE_CLASS;
            usage.put(prefix + "requests.storage", size);
            usage.put(prefix + "persistentvolumeclaims", Quantity.of(1));
        }
    }

    private static void deviceClaim(
            JsonObject claim, StoredObjects objects, Map<String, Quantity> usage) {
        var perClass = new TreeMap<String, Long>();
        for (var request :
                claim.objectOrEmpty("spec").objectOrEmpty("devices").objects("requests")) {
            var most = new HashMap<String, Long>();
            request.object("exactly")
                    .ifPresent(one -> most.put(one.text("deviceClassName"), count(one)));
            for (var one : request.objects("firstAvailable")) {
                most.merge(one.text("deviceClassName"), count(one), Math::max);
            }
            most.forEach((name, count) -> perClass.merge(name, count, Math::addExact));
        }
        var charged = chargedToPod(claim, objects);
        for (var entry : perClass.entrySet()) {
            var name = entry.getKey();
            var count = Quantity.of(entry.getValue());
            usage.put(name + OF_DEVICE_CLASS, count);
            var names = new ArrayList<String>();
            names.add("requests.deviceclass.resource.kubernetes.io/" + name);
            objects.get("resource.k8s.io/deviceclasses", "", name)
                    .map(c -> c.objectOrEmpty("spec").text("extendedResourceName"))
                    .filter(extended -> !extended.isEmpty())
                    .ifPresent(extended -> names.add("requests." + extended));
            for (var one : names) {
                var own = count.minus(charged.getOrDefault(one, Quantity.ZERO));
                usage.merge(one, own.signum() < 0 ? Quantity.ZERO : own, Quantity::plus);
            }
        }
    }

    private static long count(JsonObject request) {
        return request.text("allocationMode").equals("All")
                ? ALL_DEVICES
                : request.number("count").orElse(1);
    }

    /// Extended resources already charged to the pod that a claim was created for.
    private static Map<String, Quantity> chargedToPod(JsonObject claim, StoredObjects objects) {
        var metadata = claim.objectOrEmpty("metadata");
        if (!metadata.objectOrEmpty("annotations").text(EXTENDED_CLAIM).equals("true")) {
            return Map.of();
        }
        return metadata.objects("ownerReferences").stream()
                .filter(o -> o.flag("controller").orElse(false) && o.text("kind").equals("Pod"))
                .findFirst()
                .flatMap(owner ->
                        objects.get("pods", metadata.text("namespace"), owner.text("name"))
                                .filter(pod ->
                                        pod.objectOrEmpty("metadata")
                                                .text("uid")
                                                .equals(owner.text("uid"))))
                .filter(pod -> isChargedFor(pod, claim))
                .map(pod -> {
                    var usage = new TreeMap<String, Quantity>();
                    pod(pod, usage);
                    return (Map<String, Quantity>) usage;
                })
                .orElse(Map.of());
    }

    private static boolean isChargedFor(JsonObject pod, JsonObject claim) {
        var named =
                pod.objectOrEmpty("status")
                        .objectOrEmpty("extendedResourceClaimStatus")
                        .text("resourceClaimName");
        return named.isEmpty() || named.equals(claim.objectOrEmpty("metadata").text("name"));
    }

    /// The resources that a quota requires pods to specify and a pod does not, each with its
    /// containers; empty if there are none.
    static String unspecified(JsonObject hard, Resource resource, JsonObject object) {
        if (!resource.collection().equals("pods")) {
            return "";
        }
        var missing = new ArrayList<String>();
        for (var what : new TreeSet<>(hard.names())) {
            var side = what.startsWith("limits.") ? "limits" : "requests";
            var name = what.substring(what.startsWith(side + ".") ? side.length() + 1 : 0);
            if (!POD_AMOUNTS.contains(name) || name.equals("ephemeral-storage")) {
                continue;
            }
            var without = new ArrayList<String>();
            for (var list : List.of("containers", "initContainers")) {
                for (var container : object.objectOrEmpty("spec").objects(list)) {
                    if (!container.objectOrEmpty("resources").objectOrEmpty(side).has(name)) {
                        without.add(container.text("name"));
                    }
                }
            }
            if (!without.isEmpty()) {
                missing.add(what + " for: " + String.join(",", without));
            }
        }
        return String.join("; ", missing);
    }

    /// True if an object is in the scopes of a quota. Scopes apply to pods.
    static boolean isInScope(JsonObject quota, Resource resource, JsonObject object) {
        var spec = quota.objectOrEmpty("spec");
        var scopes = spec.strings("scopes");
        var selectors = spec.objectOrEmpty("scopeSelector").objects("matchExpressions");
        if (scopes.isEmpty() && selectors.isEmpty()) {
            return true;
        }
        if (!resource.collection().equals("pods")) {
            return false;
        }
        return scopes.stream().allMatch(scope -> matches(scope, "Exists", List.of(), object))
                && selectors.stream()
                        .allMatch(one ->
                                matches(
                                        one.text("scopeName"),
                                        one.text("operator"),
                                        one.strings("values"),
                                        object));
    }

    private static boolean matches(
            String scope, String operator, List<String> values, JsonObject pod) {
        var spec = pod.objectOrEmpty("spec");
        var terminating = spec.number("activeDeadlineSeconds").orElse(-1) >= 0;
        var bestEffort = PodDefaults.qualityOfService(spec).equals("BestEffort");
        return switch (scope) {
            case "Terminating" -> terminating;
            case "NotTerminating" -> !terminating;
            case "BestEffort" -> bestEffort;
            case "NotBestEffort" -> !bestEffort;
            case "PriorityClass" ->
                    NodeSelectorOperator.of(operator)
                            .matches(
                                    spec.string("priorityClassName")
                                            .filter(name -> !name.isEmpty()),
                                    values);
            case "CrossNamespacePodAffinity" -> isCrossNamespace(spec.objectOrEmpty("affinity"));
            default -> false;
        };
    }

    private static boolean isCrossNamespace(JsonObject affinity) {
        for (var name : List.of("podAffinity", "podAntiAffinity")) {
            var one = affinity.objectOrEmpty(name);
            var terms =
                    new ArrayList<>(one.objects("requiredDuringSchedulingIgnoredDuringExecution"));
            one.objects("preferredDuringSchedulingIgnoredDuringExecution")
                    .forEach(p -> terms.add(p.objectOrEmpty("podAffinityTerm")));
            if (terms.stream()
                    .anyMatch(
                            t -> !t.items("namespaces").isEmpty() || t.has("namespaceSelector"))) {
                return true;
            }
        }
        return false;
    }
}
