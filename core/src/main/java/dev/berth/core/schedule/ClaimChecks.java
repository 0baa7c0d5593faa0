package dev.berth.core.schedule;

import dev.berth.core.inventory.Pool;
import dev.berth.core.place.Question;
import dev.berth.core.snapshot.Snapshot;
import dev.berth.core.taint.Taints;
import dev.berth.model.api.AllocatedDevice;
import dev.berth.model.api.ConsumerReference;
import dev.berth.model.api.DeviceDemand;
import dev.berth.model.api.DeviceRequest;
import dev.berth.model.api.DeviceTaint;
import dev.berth.model.api.Pod;
import dev.berth.model.api.ResourceClaim;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/// What can be said of a pod's claims without asking any node.
public final class ClaimChecks {

    /// How many users one claim may have.
    private static final int MAX_USERS = 256;

    private ClaimChecks() {}

    /// Why no node can help.
    static Optional<String> refusal(Question question, Set<String> classes) {
        var pod = question.pod();
        for (var claim : question.allocated()) {
            if (claim.status().reservedFor().size() >= MAX_USERS && !claim.isReservedFor(pod)) {
                return Optional.of(
                        "resourceclaim %s is in use by %d pods, which is the most"
                                .formatted(claim.ref(), MAX_USERS));
            }
        }
        for (var claim : question.wanted()) {
            for (var request : claim.spec().requests()) {
                var problem = problem(request, classes);
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
        var wanted = demand.deviceClassName();
        if (wanted.isEmpty()) {
            return Optional.of("request %s: unsupported request type".formatted(name));
        }
        return classes.contains(wanted)
                ? Optional.empty()
                : Optional.of("request %s: device class %s does not exist".formatted(name, wanted));
    }

    /// The claims whose devices the pod cannot use on any node: they could not be attached, have
    /// been tainted since, or were given to others as well. Kubernetes lets new pods reserve
    /// tainted devices; its API says otherwise, and so do we.
    static List<ResourceClaim> unusable(
            Question question, Snapshot snapshot, Duration patience, Instant now) {
        return question.allocated().stream()
                .filter(claim ->
                        BindingState.of(claim, patience, now) instanceof BindingState.Failed
                                || DoubleGrants.concern(claim, snapshot)
                                || (!claim.isReservedFor(question.pod())
                                        && isTainted(claim, snapshot)))
                .toList();
    }

    private static boolean isTainted(ResourceClaim claim, Snapshot snapshot) {
        return claim.status().allocation().stream()
                .flatMap(allocation -> allocation.devices().stream())
                .filter(device -> !device.isAdmin())
                .anyMatch(device -> isTainted(device, snapshot));
    }

    private static boolean isTainted(AllocatedDevice device, Snapshot snapshot) {
        var taints =
                snapshot.fleet()
                        .pool(device.id().poolId())
                        .map(pool -> taints(pool, device.id().device()))
                        .orElse(List.of());
        return Taints.untolerated(taints, device.tolerations()).isPresent();
    }

    private static List<DeviceTaint> taints(Pool pool, String device) {
        for (var table : pool.slices()) {
            for (var row = 0; row < table.size(); row++) {
                if (table.deviceName(row).equals(device)) {
                    return table.traits(row).taints();
                }
            }
        }
        return List.of();
    }

    /// Those that nobody else uses: they can give their devices back, so that others can be taken.
    /// A group uses its claims once a pod of it is on a node.
    static List<ResourceClaim> idle(Pod pod, List<ResourceClaim> claims, Snapshot snapshot) {
        return claims.stream().filter(claim -> isIdle(claim, pod, snapshot)).toList();
    }

    /// Whether nobody but the pod uses a claim.
    public static boolean isIdle(ResourceClaim claim, Pod pod, Snapshot snapshot) {
        return claim.status().reservedFor().stream()
                .allMatch(user ->
                        user.isPodGroup()
                                ? isIdleGroupOf(pod, user, snapshot)
                                : user.uid().equals(pod.metadata().uid()));
    }

    private static boolean isIdleGroupOf(Pod pod, ConsumerReference group, Snapshot snapshot) {
        return isMember(pod, group, pod.metadata().namespace())
                && !snapshot.occupancy()
                        .hasPod(other -> isMember(other, group, pod.metadata().namespace()));
    }

    static boolean isMember(Pod pod, ConsumerReference group, String namespace) {
        return pod.metadata().namespace().equals(namespace)
                && pod.spec().podGroupName().filter(group.name()::equals).isPresent();
    }
}
