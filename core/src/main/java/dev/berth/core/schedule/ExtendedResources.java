package dev.berth.core.schedule;

import dev.berth.core.place.Requests;
import dev.berth.model.api.AllocationCount;
import dev.berth.model.api.Container;
import dev.berth.model.api.DeviceClass;
import dev.berth.model.api.DeviceDemand;
import dev.berth.model.api.DeviceRequest;
import dev.berth.model.api.ExtendedResourceClaimStatus.RequestMapping;
import dev.berth.model.api.Node;
import dev.berth.model.api.Pod;
import dev.berth.model.api.ResourceClaimSpec;
import dev.berth.model.quantity.Quantity;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/// Extended resources such as `nvidia.com/gpu` that stand for devices of a class.
///
/// A class may name its resource; each class also has one by its own name. Where two classes name
/// the same, the newer has it, and of equally old ones the first by name.
public final class ExtendedResources {

    private static final String IMPLICIT = "deviceclass.resource.kubernetes.io/";

    /// What a pod's resources ask for as devices.
    ///
    /// @param mappings which request serves which container
    public record Wish(ResourceClaimSpec spec, List<RequestMapping> mappings) {
        public Wish {
            mappings = List.copyOf(mappings);
        }
    }

    private final Map<String, String> classes;

    private ExtendedResources(Map<String, String> classes) {
        this.classes = classes;
    }

    public static ExtendedResources of(Collection<DeviceClass> all) {
        var sorted = new ArrayList<>(all);
        sorted.sort(
                Comparator.<DeviceClass, Instant>comparing(
                                c -> c.metadata().creationTimestamp().orElse(Instant.EPOCH))
                        .reversed()
                        .thenComparing(c -> c.metadata().name()));
        var classes = new HashMap<String, String>();
        for (var one : sorted) {
            var name = one.metadata().name();
            one.spec().extendedResourceName().ifPresent(r -> classes.putIfAbsent(r, name));
            classes.putIfAbsent(IMPLICIT + name, name);
        }
        return new ExtendedResources(classes);
    }

    /// The resources that a pod asks for and that stand for devices.
    public Set<String> of(Pod pod) {
        if (!asksForAny(pod)) {
            return Set.of();
        }
        var names = new TreeSet<String>();
        Requests.of(pod)
                .forEach((name, amount) -> {
                    if (amount.signum() > 0 && classes.containsKey(name)) {
                        names.add(name);
                    }
                });
        return names;
    }

    // Most pods ask for none, which is seen without adding anything up.
    private boolean asksForAny(Pod pod) {
        return !classes.isEmpty()
                && (asksForAny(pod.spec().containers()) || asksForAny(pod.spec().initContainers()));
    }

    private boolean asksForAny(List<Container> containers) {
        for (var container : containers) {
            for (var name : container.resources().requests().keySet()) {
                if (classes.containsKey(name)) {
                    return true;
                }
            }
        }
        return false;
    }

    /// Those that a node does not offer itself, so that they come as devices there.
    public static Set<String> asDevices(Set<String> resources, Node node) {
        var names = new TreeSet<String>();
        for (var name : resources) {
            var offered = node.status().allocatable().getOrDefault(name, Quantity.ZERO);
            if (offered.signum() <= 0) {
                names.add(name);
            }
        }
        return names;
    }

    /// The devices that some resources of a pod stand for.
    public Wish wish(Pod pod, Set<String> resources) {
        var requests = new ArrayList<DeviceRequest>();
        var lasting = new ArrayList<RequestMapping>();
        var passing = new ArrayList<RequestMapping>();
        for (var resource : resources) {
            var parts = parts(pod, resource);
            var own = parts.stream().filter(Part::lasts).toList();
            for (var part : own) {
                requests.add(request(part, part.count, resource));
                lasting.add(part.servedBy(part, resource));
            }
            share(parts, own, resource, requests, passing);
        }
        requests.sort(Comparator.comparing(DeviceRequest::name));
        var mappings = new ArrayList<>(lasting);
        mappings.addAll(passing);
        return new Wish(new ResourceClaimSpec(requests, List.of(), List.of()), mappings);
    }

    /// Init containers that end use the devices of containers that start after them, and what they
    /// need beyond, one after the other.
    private void share(
            List<Part> parts,
            List<Part> own,
            String resource,
            List<DeviceRequest> requests,
            List<RequestMapping> mappings) {
        var shortOf = new ArrayList<Part>();
        Optional<Part> largest = Optional.empty();
        for (var part : parts) {
            if (part.lasts) {
                continue;
            }
            var left = part.count;
            for (var later : own) {
                if (left > 0 && later.index > part.index) {
                    mappings.add(part.servedBy(later, resource));
                    left -= later.count;
                }
            }
            if (left > 0) {
                var rest = part.withCount(left);
                shortOf.add(rest);
                largest = largest.filter(l -> l.count >= rest.count).or(() -> Optional.of(rest));
            }
        }
        if (largest.isPresent()) {
            var served = largest.get();
            requests.add(request(served, served.count, resource));
            shortOf.forEach(part -> mappings.add(part.servedBy(served, resource)));
        }
    }

    private DeviceRequest request(Part part, long count, String resource) {
        var deviceClass = classes.getOrDefault(resource, "");
        var demand = DeviceDemand.of(deviceClass, new AllocationCount.ExactCount(count));
        return new DeviceRequest.Exactly(part.request(), demand, Optional.empty());
    }

    /// What one container needs of a resource.
    ///
    /// @param index of the container, those that start first included
    /// @param position of the resource among all that the container asks for
    private record Part(int index, int position, String container, boolean lasts, long count) {

        private String request() {
            return "container-%d-request-%d".formatted(index, position);
        }

        private Part withCount(long newCount) {
            return new Part(index, position, container, lasts, newCount);
        }

        private RequestMapping servedBy(Part other, String resource) {
            return new RequestMapping(container, resource, other.request());
        }
    }

    private static List<Part> parts(Pod pod, String resource) {
        var parts = new ArrayList<Part>();
        var index = 0;
        for (var container : pod.spec().initContainers()) {
            part(container, index++, container.isSidecar(), resource).ifPresent(parts::add);
        }
        for (var container : pod.spec().containers()) {
            part(container, index++, true, resource).ifPresent(parts::add);
        }
        return parts;
    }

    private static Optional<Part> part(
            Container container, int index, boolean lasts, String resource) {
        var requests = container.resources().requests();
        var count =
                Optional.ofNullable(requests.get(resource))
                        .filter(Quantity::isInteger)
                        .map(amount -> amount.asLong().orElse(0))
                        .orElse(0L);
        var position = new TreeSet<>(requests.keySet()).headSet(resource).size();
        return count > 0
                ? Optional.of(new Part(index, position, container.name(), lasts, count))
                : Optional.empty();
    }
}
