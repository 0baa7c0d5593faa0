package dev.berth.node.agent;

import dev.berth.model.api.AllocatedDevice;
import dev.berth.model.api.Pod;
import dev.berth.model.api.ResourceClaim;
import dev.berth.model.api.SkipNodeOperation;
import dev.berth.node.agent.NodeClaimState.DriverPart;
import dev.berth.node.agent.NodeClaimState.Phase;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Predicate;

/// Decides whether a pod may use claims, and what has to be done first.
sealed interface PrepareDecision {

    /// It may not, or not now; nothing was changed.
    record Refused(String reason) implements PrepareDecision {}

    /// It may. The next state is to be on the disk before drivers are called.
    ///
    /// @param calls which claims each driver has to prepare
    record Allowed(NodeClaimStates next, Map<String, List<NodeClaimState>> calls)
            implements PrepareDecision {}

    /// Judges a pod and its claims, as the cluster has them now.
    ///
    /// @param generated the names of claims that were made for the pod
    /// @param isRegistered whether there is such a driver
    static PrepareDecision decide(
            NodeClaimStates held,
            Pod pod,
            List<ResourceClaim> claims,
            List<String> generated,
            Predicate<String> isRegistered) {
        // All of this before anything is changed, so that a pod that fails here leaves no trace.
        for (var claim : claims) {
            var problem =
                    problem(pod, claim, generated.contains(claim.metadata().name()))
                            .or(() -> missingDriver(claim, isRegistered))
                            .or(() -> conflict(held, claim));
            if (problem.isPresent()) {
                return new Refused(problem.get());
            }
        }
        var next = held;
        var calls = new LinkedHashMap<String, List<NodeClaimState>>();
        for (var claim : claims) {
            var attached = attached(held, pod, claim);
            next = next.with(attached);
            if (attached.phase() == Phase.ATTACHED) {
                attached.drivers()
                        .forEach((driver, part) -> {
                            if (!part.skips(SkipNodeOperation.Known.PREPARE.text())) {
                                calls.computeIfAbsent(driver, _ -> new ArrayList<>()).add(attached);
                            }
                        });
            }
        }
        return new Allowed(next, calls);
    }

    private static Optional<String> problem(Pod pod, ResourceClaim claim, boolean isGenerated) {
        var podUid = pod.metadata().uid();
        var name = claim.metadata().name();
        var isOwned =
                claim.metadata()
                        .controller()
                        .filter(owner -> owner.uid().equals(podUid))
                        .isPresent();
        if (isGenerated && !isOwned && !claim.isOfGroupOf(pod)) {
            return Optional.of(
                    "ResourceClaim %s was not created for pod %s".formatted(name, name(pod)));
        }
        if (!claim.isReservedFor(pod)) {
            return Optional.of(
                    "pod %s (%s) is not allowed to use ResourceClaim %s (%s)"
                            .formatted(name(pod), podUid, name, claim.metadata().uid()));
        }
        return claim.status().allocation().isPresent()
                ? Optional.empty()
                : Optional.of("ResourceClaim %s: not allocated".formatted(name));
    }

    private static String name(Pod pod) {
        return pod.metadata().name();
    }

    private static Optional<String> missingDriver(
            ResourceClaim claim, Predicate<String> isRegistered) {
        for (var entry : parts(claim).entrySet()) {
            if (!entry.getValue().skips(SkipNodeOperation.Known.PREPARE.text())
                    && !isRegistered.test(entry.getKey())) {
                return Optional.of("DRA driver %s is not registered".formatted(entry.getKey()));
            }
        }
        return Optional.empty();
    }

    private static Optional<String> conflict(NodeClaimStates held, ResourceClaim claim) {
        var old = held.find(claim.metadata().ref());
        if (old.isEmpty()) {
            return Optional.empty();
        }
        if (!old.get().uid().equals(claim.metadata().uid())) {
            return Optional.of(
                    ("old ResourceClaim with same name %s and different UID %s still exists"
                                    + " (previous pod force-deleted?!)")
                            .formatted(claim.metadata().name(), old.get().uid()));
        }
        return old.get().phase() == Phase.RELEASING
                ? Optional.of(
                        "ResourceClaim %s is being unprepared".formatted(claim.metadata().name()))
                : Optional.empty();
    }

    private static NodeClaimState attached(NodeClaimStates held, Pod pod, ResourceClaim claim) {
        var old =
                held.find(claim.metadata().ref())
                        .orElseGet(() ->
                                new NodeClaimState(
                                        claim.metadata().ref(),
                                        claim.metadata().uid(),
                                        new LinkedHashSet<>(),
                                        parts(claim),
                                        Phase.ATTACHED));
        var pods = new LinkedHashSet<>(old.pods());
        pods.add(pod.metadata().uid());
        return old.withPods(pods);
    }

    /// The drivers of a claim's devices. A call is only skipped when all devices of a driver do
    /// without it.
    private static Map<String, DriverPart> parts(ResourceClaim claim) {
        var byDriver = new TreeMap<String, List<AllocatedDevice>>();
        claim.status()
                .allocation()
                .ifPresent(allocation ->
                        allocation
                                .devices()
                                .forEach(device ->
                                        byDriver.computeIfAbsent(
                                                        device.id().driver(),
                                                        _ -> new ArrayList<>())
                                                .add(device)));
        var parts = new TreeMap<String, DriverPart>();
        byDriver.forEach((driver, devices) ->
                parts.put(driver, new DriverPart(List.of(), skipped(devices))));
        return parts;
    }

    private static List<String> skipped(List<AllocatedDevice> devices) {
        if (devices.stream()
                .allMatch(device ->
                        device.skipNodeOperations().contains(SkipNodeOperation.Known.ALL))) {
            return List.of(SkipNodeOperation.Known.ALL.text());
        }
        var skipped = new ArrayList<String>();
        for (var operation :
                List.of(SkipNodeOperation.Known.PREPARE, SkipNodeOperation.Known.UNPREPARE)) {
            if (devices.stream()
                    .map(AllocatedDevice::skipNodeOperations)
                    .allMatch(all ->
                            all.contains(operation) || all.contains(SkipNodeOperation.Known.ALL))) {
                skipped.add(operation.text());
            }
        }
        return skipped;
    }
}
