package dev.berth.core.snapshot;

import dev.berth.model.api.claim.AllocationCount;
import dev.berth.model.api.claim.DeviceDemand;
import dev.berth.model.api.claim.DeviceRequest;
import dev.berth.model.api.claim.ResourceClaim;
import dev.berth.model.api.claim.ResourceClaimSpec;
import dev.berth.model.api.pod.Container;
import dev.berth.model.api.pod.ExtendedResourceClaimStatus.RequestMapping;
import dev.berth.model.api.pod.Pod;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.SortedMap;
import java.util.TreeSet;

/// The special ResourceClaim for all extended resources of a pod that devices serve.
///
/// Containers and sidecars get devices of their own. Init containers reuse the devices of the
/// containers that start after them before they request more. Init containers run one at a time, so
/// they share the largest of these additional requests.
///
/// @param mappings the device request that serves each container
public record ExtendedResourceClaim(ResourceClaim claim, List<RequestMapping> mappings) {

    public ExtendedResourceClaim {
        mappings = List.copyOf(mappings);
    }

    /// A device request for one extended resource of one container.
    private record RequestPart(String name, String deviceClass, long count) {}

    /// Empty when no amount is a whole number of devices.
    ///
    /// @param resources extended resource names and their device classes
    public static Optional<ExtendedResourceClaim> of(Pod pod, SortedMap<String, String> resources) {
        var parts = new ArrayList<RequestPart>();
        var mappings = new ArrayList<RequestMapping>();
        resources.forEach(
                (resource, name) -> new DeviceSharing(pod, resource, name).addTo(parts, mappings));
        if (parts.isEmpty()) {
            return Optional.empty();
        }
        parts.sort(Comparator.comparing(RequestPart::name));
        var requests =
                parts.stream()
                        .<DeviceRequest>map(part ->
                                new DeviceRequest.Exactly(
                                        part.name,
                                        DeviceDemand.of(
                                                part.deviceClass,
                                                new AllocationCount.ExactCount(part.count)),
                                        Optional.empty()))
                        .toList();
        var spec = new ResourceClaimSpec(requests, List.of(), List.of());
        return Optional.of(
                new ExtendedResourceClaim(ExtendedResourceClaims.inMemory(pod, spec), mappings));
    }

    /// Distributes the devices of one resource over the containers of a pod.
    private static final class DeviceSharing {
        private final List<Container> containers = new ArrayList<>();
        private final int initCount;
        private final String resource;
        private final String deviceClass;

        DeviceSharing(Pod pod, String resource, String deviceClass) {
            containers.addAll(pod.spec().initContainers());
            containers.addAll(pod.spec().containers());
            this.initCount = pod.spec().initContainers().size();
            this.resource = resource;
            this.deviceClass = deviceClass;
        }

        void addTo(List<RequestPart> parts, List<RequestMapping> mappings) {
            var longRunning = new ArrayList<Optional<RequestPart>>();
            for (var i = 0; i < containers.size(); i++) {
                longRunning.add(runsToCompletion(i) ? Optional.empty() : part(i, 0));
            }
            longRunning.forEach(part -> part.ifPresent(parts::add));
            for (var i = 0; i < containers.size(); i++) {
                var at = containers.get(i);
                longRunning.get(i).ifPresent(part -> mappings.add(mapping(at, part.name)));
            }
            Optional<RequestPart> largest = Optional.empty();
            for (var i = 0; i < initCount; i++) {
                var more =
                        runsToCompletion(i)
                                ? part(i, reusable(i, longRunning))
                                : Optional.<RequestPart>empty();
                if (more.isPresent()
                        && largest.filter(one -> one.count >= more.get().count).isEmpty()) {
                    largest = more;
                }
            }
            largest.ifPresent(parts::add);
            for (var i = 0; i < initCount; i++) {
                if (runsToCompletion(i)) {
                    addMappings(i, longRunning, largest, mappings);
                }
            }
        }

        private boolean runsToCompletion(int index) {
            return index < initCount && !containers.get(index).isSidecar();
        }

        /// The request of a container beyond the devices that it can reuse.
        private Optional<RequestPart> part(int index, long others) {
            var requested = requested(index);
            if (requested.isEmpty() || requested.getAsLong() <= others) {
                return Optional.empty();
            }
            var all =
                    new TreeSet<>(
                            PodResourceRequests.withLimits(containers.get(index).resources())
                                    .keySet());
            var name = "container-%d-request-%d".formatted(index, all.headSet(resource).size());
            return Optional.of(new RequestPart(name, deviceClass, requested.getAsLong() - others));
        }

        private OptionalLong requested(int index) {
            var amount =
                    PodResourceRequests.withLimits(containers.get(index).resources()).get(resource);
            return amount == null ? OptionalLong.empty() : amount.asLong();
        }

        private static long reusable(int index, List<Optional<RequestPart>> longRunning) {
            return longRunning.subList(index, longRunning.size()).stream()
                    .flatMap(Optional::stream)
                    .mapToLong(RequestPart::count)
                    .sum();
        }

        private void addMappings(
                int index,
                List<Optional<RequestPart>> longRunning,
                Optional<RequestPart> largest,
                List<RequestMapping> mappings) {
            var left = requested(index).orElse(0);
            for (var part : longRunning.subList(index, longRunning.size())) {
                if (left > 0 && part.isPresent()) {
                    mappings.add(mapping(containers.get(index), part.get().name));
                    left -= part.get().count;
                }
            }
            if (left > 0 && largest.isPresent()) {
                mappings.add(mapping(containers.get(index), largest.get().name));
            }
        }

        private RequestMapping mapping(Container container, String request) {
            return new RequestMapping(container.name(), resource, request);
        }
    }
}
