package dev.berth.core.snapshot;

import dev.berth.model.api.pod.Container;
import dev.berth.model.api.pod.NodeAllocatableClaimStatus;
import dev.berth.model.api.pod.Pod;
import dev.berth.model.api.pod.ResourceRequirements;
import dev.berth.model.quantity.Quantity;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Function;

/// Effective resource requests of a pod: the maximum that its containers need at any time.
public final class PodResourceRequests {

    private static final String PODS = "pods";

    /// Defaults for containers without requests when scoring, as in Kubernetes; otherwise such pods
    /// would all go to one node.
    private static final Map<String, Quantity> NON_ZERO_DEFAULTS =
            Map.of("cpu", Quantity.parse("100m"), "memory", Quantity.parse("200Mi"));

    private PodResourceRequests() {}

    /// All requests by resource, including one of `pods`, without the node resources of devices.
    public static Map<String, Quantity> of(Pod pod) {
        return of(pod, List.of());
    }

    /// The same with the node resources of devices.
    public static Map<String, Quantity> of(
            Pod pod, List<NodeAllocatableClaimStatus> deviceResources) {
        return total(pod, Map.of(), deviceResources);
    }

    /// The same with default CPU and memory for containers without requests.
    public static Map<String, Quantity> nonZero(
            Pod pod, List<NodeAllocatableClaimStatus> deviceResources) {
        return total(pod, NON_ZERO_DEFAULTS, deviceResources);
    }

    private static Map<String, Quantity> total(
            Pod pod,
            Map<String, Quantity> defaults,
            List<NodeAllocatableClaimStatus> deviceResources) {
        var all = ofContainers(pod, requirements -> of(requirements, defaults));
        add(all, DeviceResourceUsage.sum(deviceResources));
        // Pod-level requests replace the sum of the containers.
        pod.spec().resources().ifPresent(whole -> all.putAll(withLimits(whole)));
        add(all, pod.spec().overhead());
        all.put(PODS, Quantity.of(1));
        return all;
    }

    /// The maximum over time of the containers' amounts.
    public static Map<String, Quantity> ofContainers(
            Pod pod, Function<ResourceRequirements, Map<String, Quantity>> what) {
        var spec = pod.spec();
        var running = new TreeMap<String, Quantity>();
        spec.containers().forEach(container -> add(running, what.apply(container.resources())));
        // Init containers run one by one, beside the sidecars that were started before them.
        var sidecars = new HashMap<String, Quantity>();
        var starting = new HashMap<String, Quantity>();
        for (var container : spec.initContainers()) {
            var own = new HashMap<>(what.apply(container.resources()));
            if (container.isSidecar()) {
                add(running, own);
                add(sidecars, own);
                own = new HashMap<>(sidecars);
            } else {
                add(own, sidecars);
            }
            own.forEach(
                    (name, amount) -> starting.merge(name, amount, PodResourceRequests::larger));
        }
        starting.forEach(
                (name, amount) -> running.merge(name, amount, PodResourceRequests::larger));
        return running;
    }

    private static Map<String, Quantity> of(
            ResourceRequirements requirements, Map<String, Quantity> defaults) {
        var all = new HashMap<>(defaults);
        all.putAll(withLimits(requirements));
        return all;
    }

    /// Requests; a limit without a request counts as a request.
    public static Map<String, Quantity> withLimits(ResourceRequirements requirements) {
        var all = new HashMap<>(requirements.limits());
        all.putAll(requirements.requests());
        return all;
    }

    public static void add(Map<String, Quantity> sums, Map<String, Quantity> more) {
        more.forEach((name, amount) -> sums.merge(name, amount, Quantity::plus));
    }

    private static Quantity larger(Quantity one, Quantity other) {
        return one.compareTo(other) >= 0 ? one : other;
    }

    /// The host ports of the pod.
    public static Set<HostPort> ports(Pod pod) {
        var ports = new HashSet<HostPort>();
        for (var container : pod.spec().containers()) {
            addPorts(container, ports);
        }
        for (var container : pod.spec().initContainers()) {
            if (container.isSidecar()) {
                addPorts(container, ports);
            }
        }
        return ports;
    }

    private static void addPorts(Container container, Set<HostPort> ports) {
        for (var port : container.ports()) {
            if (port.hostPort() > 0) {
                ports.add(HostPort.of(port.hostPort(), port.protocol(), port.hostIp()));
            }
        }
    }
}
