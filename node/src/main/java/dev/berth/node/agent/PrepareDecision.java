package dev.berth.node.agent;

import dev.berth.model.api.claim.AllocatedDevice;
import dev.berth.model.api.claim.ResourceClaim;
import dev.berth.model.api.pod.Pod;
import dev.berth.model.api.slice.SkipNodeOperation;
import dev.berth.node.agent.NodeClaimState.DriverState;
import dev.berth.node.agent.NodeClaimState.Phase;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Predicate;

/// Decides whether a pod may use its claims and which drivers must prepare them.
sealed interface PrepareDecision {

    /// The pod may not use a claim, or not now; no state changes.
    record Refused(String reason) implements PrepareDecision {}

    /// The pod may use its claims. The next state must be on disk before drivers are called.
    ///
    /// @param calls the claims that each driver has to prepare
    record Allowed(NodeClaimStates next, Map<String, List<NodeClaimState>> calls)
            implements PrepareDecision {}

    /// Evaluates a pod and its claims as read from the API server.
    ///
    /// @param generated names of claims that were created for the pod
    /// @param isRegistered whether a driver is registered
    static PrepareDecision decide(
            NodeClaimStates claimStates,
            Pod pod,
            List<ResourceClaim> claims,
            List<String> generated,
            Predicate<String> isRegistered) {
        // All checks come before any change, so that a pod that fails them leaves no state.
        for (var claim : claims) {
            var problem =
                    problem(pod, claim, generated.contains(claim.metadata().name()))
                            .or(() -> missingDriver(claim, isRegistered))
                            .or(() -> conflict(claimStates, claim));
            if (problem.isPresent()) {
                return new Refused(problem.get());
            }
        }
        var next = claimStates;
        var calls = new LinkedHashMap<String, List<NodeClaimState>>();
        for (var claim : claims) {
            var preparing = preparing(claimStates, pod, claim);
            next = next.with(preparing);
            if (preparing.phase() == Phase.PREPARING) {
                preparing
                        .drivers()
                        .forEach((driver, part) -> {
                            if (!part.skips(SkipNodeOperation.Known.PREPARE.text())) {
                                calls.computeIfAbsent(driver, _ -> new ArrayList<>())
                                        .add(preparing);
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
        for (var entry : driverStates(claim).entrySet()) {
            if (!entry.getValue().skips(SkipNodeOperation.Known.PREPARE.text())
                    && !isRegistered.test(entry.getKey())) {
                return Optional.of("DRA driver %s is not registered".formatted(entry.getKey()));
            }
        }
        return Optional.empty();
    }

    private static Optional<String> conflict(NodeClaimStates claimStates, ResourceClaim claim) {
        var old = claimStates.find(claim.metadata().ref());
        if (old.isEmpty()) {
            return Optional.empty();
        }
        if (!old.get().uid().equals(claim.metadata().uid())) {
            return Optional.of(
                    ("old ResourceClaim with same name %s and different UID %s still exists"
                                    + " (previous pod force-deleted?!)")
                            .formatted(claim.metadata().name(), old.get().uid()));
        }
        return old.get().phase() == Phase.UNPREPARING
                ? Optional.of(
                        "ResourceClaim %s is being unprepared".formatted(claim.metadata().name()))
                : Optional.empty();
    }

    private static NodeClaimState preparing(
            NodeClaimStates claimStates, Pod pod, ResourceClaim claim) {
        var old =
                claimStates
                        .find(claim.metadata().ref())
                        .orElseGet(() ->
                                new NodeClaimState(
                                        claim.metadata().ref(),
                                        claim.metadata().uid(),
                                        new LinkedHashSet<>(),
                                        driverStates(claim),
                                        Phase.PREPARING));
        var pods = new LinkedHashSet<>(old.pods());
        pods.add(pod.metadata().uid());
        return old.withPods(pods);
    }

    /// The driver states of a claim. An operation is skipped only if all devices of the driver skip
    /// it.
    private static Map<String, DriverState> driverStates(ResourceClaim claim) {
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
        var driverStates = new TreeMap<String, DriverState>();
        byDriver.forEach((driver, devices) ->
                driverStates.put(driver, new DriverState(List.of(), skipped(devices))));
        return driverStates;
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
