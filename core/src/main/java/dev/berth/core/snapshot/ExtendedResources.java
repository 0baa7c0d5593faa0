package dev.berth.core.snapshot;

import dev.berth.model.api.claim.DeviceClass;
import dev.berth.model.api.node.Node;
import dev.berth.model.api.pod.Container;
import dev.berth.model.api.pod.Pod;
import dev.berth.model.quantity.Quantity;
import java.time.Instant;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;

/// Maps extended resources such as `example.com/gpu` to the device classes that serve them.
///
/// A class serves its `extendedResourceName` and the implicit name
/// `deviceclass.resource.kubernetes.io/<class>`. If several classes have the same name, the newest
/// wins; ties are broken by name.
public final class ExtendedResources {

    public static final ExtendedResources NONE = new ExtendedResources(Map.of());

    /// Prefix of the implicit resource of a class.
    public static final String IMPLICIT = "deviceclass.resource.kubernetes.io/";

    private final Map<String, String> classes;

    private ExtendedResources(Map<String, String> classes) {
        this.classes = Map.copyOf(classes);
    }

    public static ExtendedResources of(Collection<DeviceClass> all) {
        var oldestFirst =
                all.stream()
                        .sorted(
                                Comparator.comparing(ExtendedResources::created)
                                        .thenComparing(
                                                one -> one.metadata().name(),
                                                Comparator.reverseOrder()))
                        .toList();
        var classes = new HashMap<String, String>();
        for (var one : oldestFirst) {
            var name = one.metadata().name();
            classes.put(IMPLICIT + name, name);
            one.spec().extendedResourceName().ifPresent(resource -> classes.put(resource, name));
        }
        return new ExtendedResources(classes);
    }

    private static Instant created(DeviceClass one) {
        return one.metadata().creationTimestamp().orElse(Instant.MIN);
    }

    /// True when DRA devices serve the resource on this node: a class exists for it, and no device
    /// plugin advertises it.
    public boolean comesFromDevices(String resource, Node node) {
        return classes.containsKey(resource) && !offers(node, resource);
    }

    private static boolean offers(Node node, String resource) {
        return node.status().allocatable().getOrDefault(resource, Quantity.ZERO).signum() > 0;
    }

    /// The extended resources of a pod that device classes serve, with their classes.
    public SortedMap<String, String> of(Pod pod) {
        var found = new TreeMap<String, String>();
        pod.spec().initContainers().forEach(one -> addNames(one, found));
        pod.spec().containers().forEach(one -> addNames(one, found));
        return found;
    }

    // Fast path: most pods request no extended resources, so nothing is summed up here.
    private void addNames(Container container, Map<String, String> found) {
        var requests = container.resources().requests();
        requests.forEach((name, amount) -> addName(name, amount, found));
        container
                .resources()
                .limits()
                .forEach((name, amount) -> {
                    if (!requests.containsKey(name)) {
                        addName(name, amount, found);
                    }
                });
    }

    private void addName(String name, Quantity amount, Map<String, String> found) {
        var deviceClass = classes.get(name);
        if (deviceClass != null && amount.signum() > 0) {
            found.put(name, deviceClass);
        }
    }

    /// The resources that the node does not advertise itself, so that devices serve them.
    public static Set<String> deviceBacked(Set<String> resources, Node node) {
        // Called for every node. Most nodes advertise none of them.
        for (var name : resources) {
            if (offers(node, name)) {
                var names = new TreeSet<>(resources);
                names.removeIf(other -> offers(node, other));
                return names;
            }
        }
        return resources;
    }

    /// The claim for all extended resources of a pod, as on a node that advertises none of them.
    public Optional<ExtendedResourceClaim> claim(Pod pod) {
        return claim(pod, of(pod).keySet());
    }

    /// The claim for the extended resources that devices serve on this node; empty when there are
    /// none.
    public Optional<ExtendedResourceClaim> claim(Pod pod, Node node) {
        return claim(pod, deviceBacked(of(pod).keySet(), node));
    }

    /// The claim for some of the pod's extended resources; empty when there are none.
    public Optional<ExtendedResourceClaim> claim(Pod pod, Set<String> resources) {
        if (resources.isEmpty()) {
            return Optional.empty();
        }
        var requested = of(pod);
        requested.keySet().retainAll(resources);
        return ExtendedResourceClaim.of(pod, requested);
    }
}
