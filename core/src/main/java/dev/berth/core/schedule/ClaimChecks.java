package dev.berth.core.schedule;

import dev.berth.core.place.PlacementRequest;
import dev.berth.core.snapshot.ClusterSnapshot;
import dev.berth.model.api.claim.ConsumerReference;
import dev.berth.model.api.claim.DeviceDemand;
import dev.berth.model.api.claim.DeviceRequest;
import dev.berth.model.api.claim.ResourceClaim;
import dev.berth.model.api.pod.Pod;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/// Checks of a pod's claims that do not depend on nodes.
public final class ClaimChecks {

    private ClaimChecks() {}

    /// Why claims to allocate cannot be satisfied on any node.
    public static Optional<String> unsatisfiableRequest(
            PlacementRequest request, Set<String> classes) {
        for (var claim : request.toAllocate()) {
            for (var deviceRequest : claim.spec().requests()) {
                var problem = problem(deviceRequest, classes);
                if (problem.isPresent()) {
                    return problem;
                }
            }
        }
        return Optional.empty();
    }

    private static Optional<String> problem(DeviceRequest request, Set<String> classes) {
        return switch (request) {
            case DeviceRequest.Exactly exactly ->
                    problem(exactly.name(), exactly.demand(), classes);
            case DeviceRequest.FirstAvailable first ->
                    first.alternatives().stream()
                            .flatMap(one ->
                                    problem(first.name() + "/" + one.name(), one.demand(), classes)
                                            .stream())
                            .findFirst();
            case DeviceRequest.Unrecognised other ->
                    Optional.of("request %s: unknown request type".formatted(other.name()));
        };
    }

    private static Optional<String> problem(String name, DeviceDemand demand, Set<String> classes) {
        var deviceClass = demand.deviceClassName();
        if (deviceClass.isEmpty()) {
            return Optional.of("request %s: unsupported request type".formatted(name));
        }
        return classes.contains(deviceClass)
                ? Optional.empty()
                : Optional.of(
                        "request %s: device class %s does not exist".formatted(name, deviceClass));
    }

    /// Claims that no other pod uses. They can be deallocated so that other devices are allocated.
    /// A group uses its claims once one of its pods is on a node.
    static List<ResourceClaim> idle(Pod pod, List<ResourceClaim> claims, ClusterSnapshot snapshot) {
        return claims.stream().filter(claim -> isIdle(claim, pod, snapshot)).toList();
    }

    /// True when no other pod uses a claim.
    public static boolean isIdle(ResourceClaim claim, Pod pod, ClusterSnapshot snapshot) {
        return claim.status().reservedFor().stream()
                .allMatch(user ->
                        user.isPodGroup()
                                ? isIdleGroupOf(pod, user, snapshot)
                                : user.uid().equals(pod.metadata().uid()));
    }

    private static boolean isIdleGroupOf(
            Pod pod, ConsumerReference group, ClusterSnapshot snapshot) {
        return isMember(pod, group, pod.metadata().namespace())
                && !snapshot.usage()
                        .hasPod(other -> isMember(other, group, pod.metadata().namespace()));
    }

    static boolean isMember(Pod pod, ConsumerReference group, String namespace) {
        return pod.metadata().namespace().equals(namespace)
                && pod.spec().podGroupName().filter(group.name()::equals).isPresent();
    }
}
