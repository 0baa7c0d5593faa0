package dev.berth.core.plan;

import dev.berth.core.snapshot.PodResourceRequests;
import dev.berth.model.api.claim.AllocationCount;
import dev.berth.model.api.claim.DeviceClass;
import dev.berth.model.api.claim.DeviceDemand;
import dev.berth.model.api.claim.DeviceRequest;
import dev.berth.model.api.claim.ResourceClaim;
import dev.berth.model.api.pod.Container;
import dev.berth.model.api.pod.Pod;
import dev.berth.model.api.pod.ResourceRequirements;
import dev.berth.model.quantity.Quantity;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/// Amounts that ResourceQuotas charge for pods and claims, by resource name of the quota. As in the
/// API server, except that claims of extended resources are not charged, because their pods are.
final class QuotaCharges {

    private static final String REQUESTS = "requests.";
    private static final String LIMITS = "limits.";
    private static final String OF_DEVICE_CLASS = ".deviceclass.resource.k8s.io/devices";
    private static final String IMPLICIT = "requests.deviceclass.resource.kubernetes.io/";
    private static final Set<String> POD_AMOUNTS = Set.of("cpu", "memory", "ephemeral-storage");

    /// Number of devices that are charged for a request with allocation mode All.
    private static final long ALL_DEVICES = 32;

    /// Names of the extended resources of classes.
    private final Map<String, String> extendedNames = new HashMap<>();

    QuotaCharges(Collection<DeviceClass> classes) {
        for (var one : classes) {
            one.spec()
                    .extendedResourceName()
                    .ifPresent(name -> extendedNames.put(one.metadata().name(), name));
        }
    }

    Map<String, Quantity> of(Pod pod) {
        var charged = new TreeMap<String, Quantity>();
        charged.put("count/pods", Quantity.of(1));
        charged.put("pods", Quantity.of(1));
        PodResourceRequests.of(pod)
                .forEach((name, amount) -> {
                    if (!name.equals("pods")) {
                        charged.put(REQUESTS + name, amount);
                        if (isAlsoBare(name)) {
                            charged.put(name, amount);
                        }
                    }
                });
        PodResourceRequests.ofContainers(pod, ResourceRequirements::limits)
                .forEach((name, amount) -> {
                    if (POD_AMOUNTS.contains(name)) {
                        charged.put(LIMITS + name, amount);
                    }
                });
        return charged;
    }

    private static boolean isAlsoBare(String name) {
        return POD_AMOUNTS.contains(name) || name.startsWith("hugepages-");
    }

    Map<String, Quantity> of(ResourceClaim claim) {
        var devices = new TreeMap<String, Long>();
        for (var request : claim.spec().requests()) {
            switch (request) {
                case DeviceRequest.Exactly exactly -> add(exactly.demand(), devices);
                case DeviceRequest.FirstAvailable first -> {
                    var most = new TreeMap<String, Long>();
                    for (var one : first.alternatives()) {
                        most.merge(one.demand().deviceClassName(), count(one.demand()), Math::max);
                    }
                    most.forEach((name, count) -> devices.merge(name, count, Long::sum));
                }
                case DeviceRequest.Unrecognised _ -> {}
            }
        }
        var charged = new TreeMap<String, Quantity>();
        charged.put("count/resourceclaims.resource.k8s.io", Quantity.of(1));
        devices.forEach((name, count) -> {
            charged.put(name + OF_DEVICE_CLASS, Quantity.of(count));
            charged.put(IMPLICIT + name, Quantity.of(count));
            var extended = extendedNames.get(name);
            if (extended != null) {
                charged.merge(REQUESTS + extended, Quantity.of(count), Quantity::plus);
            }
        });
        return charged;
    }

    private static void add(DeviceDemand demand, Map<String, Long> devices) {
        devices.merge(demand.deviceClassName(), count(demand), Long::sum);
    }

    private static long count(DeviceDemand demand) {
        return switch (demand.count()) {
            case AllocationCount.ExactCount(var count) -> count;
            case AllocationCount.All _ -> ALL_DEVICES;
            case AllocationCount.Unrecognised(_, var count) -> count;
        };
    }

    /// The amounts of CPU and memory that a quota requires pods to specify and the pod does not,
    /// each with its containers; empty if there are none.
    ///
    /// @param limited resource names of the quota
    static String unspecified(Set<String> limited, Pod pod) {
        var containers = new ArrayList<Container>(pod.spec().containers());
        containers.addAll(pod.spec().initContainers());
        var missing = new ArrayList<String>();
        for (var name : new TreeSet<>(limited)) {
            var isLimit = name.startsWith(LIMITS);
            var resource =
                    isLimit
                            ? name.substring(LIMITS.length())
                            : name.startsWith(REQUESTS) ? name.substring(REQUESTS.length()) : name;
            if (!List.of("cpu", "memory").contains(resource)) {
                continue;
            }
            var without =
                    containers.stream()
                            .filter(one -> !has(one.resources(), resource, isLimit))
                            .map(Container::name)
                            .toList();
            if (!without.isEmpty()) {
                missing.add(name + " for: " + String.join(",", without));
            }
        }
        return String.join("; ", missing);
    }

    private static boolean has(ResourceRequirements given, String resource, boolean isLimit) {
        return isLimit
                ? given.limits().containsKey(resource)
                : PodResourceRequests.withLimits(given).containsKey(resource);
    }
}
