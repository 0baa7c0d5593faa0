package dev.berth.core.place;

import dev.berth.model.api.Container;
import dev.berth.model.api.NodeAllocatableClaimStatus;
import dev.berth.model.api.Pod;
import dev.berth.model.api.PodClaimReferences;
import dev.berth.model.api.PodClaimReferences.Resolution;
import dev.berth.model.api.PodResourceClaim;
import dev.berth.model.api.ResourceClaim;
import dev.berth.model.quantity.Quantity;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;

/// Node-allocatable resources (CPU, memory, hugepages) that a pod consumes through its devices.
final class DeviceResourceUsage {

    private static final String HUGE_PAGES = "hugepages-";

    private DeviceResourceUsage() {}

    /// The entries of the pod's `nodeAllocatableResourceClaimStatuses`, sorted by claim name.
    ///
    /// @param shares one per claim
    static List<NodeAllocatableClaimStatus> statuses(
            Pod pod, List<ResourceClaim> claims, List<NodeAllocatableShare> shares) {
        var statuses = new ArrayList<NodeAllocatableClaimStatus>();
        for (var i = 0; i < shares.size(); i++) {
            if (!shares.get(i).isNone()) {
                statuses.add(status(pod, claims.get(i), shares.get(i)));
            }
        }
        statuses.sort(Comparator.comparing(NodeAllocatableClaimStatus::resourceClaimName));
        return statuses;
    }

    private static NodeAllocatableClaimStatus status(
            Pod pod, ResourceClaim claim, NodeAllocatableShare share) {
        var entries = new HashSet<String>();
        for (var entry : pod.spec().resourceClaims()) {
            if (isOf(entry, claim, pod)) {
                entries.add(entry.name());
            }
        }
        var containers =
                containers(pod).stream()
                        .filter(container -> usesAny(container, entries))
                        .map(Container::name)
                        .toList();
        var mapping = new ArrayList<NodeAllocatableClaimStatus.Mapped>();
        share.mapping()
                .forEach((name, amount) ->
                        mapping.add(new NodeAllocatableClaimStatus.Mapped(name, amount)));
        var overhead = new ArrayList<NodeAllocatableClaimStatus.Overhead>();
        share.overhead()
                .forEach((name, more) ->
                        overhead.add(
                                new NodeAllocatableClaimStatus.Overhead(
                                        name, more.perPod(), more.perContainer())));
        return new NodeAllocatableClaimStatus(
                claim.metadata().name(), containers, mapping, overhead);
    }

    /// True when the claim belongs to a pod's claim entry: by name, by the pod's status, or by the
    /// generated name of a claim that does not exist yet.
    private static boolean isOf(PodResourceClaim entry, ResourceClaim claim, Pod pod) {
        return switch (PodClaimReferences.resolve(pod, entry)) {
            case Resolution.Named(var ref, _) -> ref.name().equals(claim.metadata().name());
            case Resolution.NotCreated _ ->
                    claim.metadata()
                            .generateName()
                            .equals(pod.metadata().name() + "-" + entry.name() + "-");
            case Resolution.NotNeeded _, Resolution.Unsupported _ -> false;
        };
    }

    private static boolean usesAny(Container container, Set<String> entries) {
        return container.resources().claims().stream()
                .anyMatch(use -> entries.contains(use.name()));
    }

    private static List<Container> containers(Pod pod) {
        var all = new ArrayList<>(pod.spec().initContainers());
        all.addAll(pod.spec().containers());
        return all;
    }

    /// The sum over all claims: mapped resources and per-pod overhead once, per-container overhead
    /// for each container that uses the claim.
    static Map<String, Quantity> sum(List<NodeAllocatableClaimStatus> statuses) {
        var sums = new HashMap<String, Quantity>();
        for (var status : statuses) {
            add(status, status.containers().size(), sums);
        }
        return sums;
    }

    private static void add(
            NodeAllocatableClaimStatus status, int containers, Map<String, Quantity> sums) {
        for (var mapped : status.mapping()) {
            sums.merge(mapped.name(), mapped.quantity(), Quantity::plus);
        }
        for (var more : status.overhead()) {
            more.perPod().ifPresent(one -> sums.merge(more.name(), one, Quantity::plus));
            more.perContainer()
                    .ifPresent(
                            one -> sums.merge(more.name(), one.times(containers), Quantity::plus));
        }
    }

    /// Why the pod-level resources do not cover the containers and their devices.
    static Optional<Rejection> podLevelShortage(
            Pod pod, List<NodeAllocatableClaimStatus> statuses) {
        var whole = pod.spec().resources();
        if (whole.isEmpty() || statuses.isEmpty()) {
            return Optional.empty();
        }
        var devices = sum(statuses);
        var requests = PodResourceRequests.ofContainers(pod, PodResourceRequests::withLimits);
        PodResourceRequests.add(requests, devices);
        var limits = PodResourceRequests.ofContainers(pod, resources -> resources.limits());
        PodResourceRequests.add(limits, devices);
        return exceeded(requests, whole.get().requests(), _ -> true)
                .map(name ->
                        (Rejection)
                                new Rejection.PodLevelResourcesTooLow(
                                        name, false, Optional.empty()))
                .or(() ->
                        exceeded(limits, whole.get().limits(), name -> name.startsWith(HUGE_PAGES))
                                .map(name ->
                                        new Rejection.PodLevelResourcesTooLow(
                                                name, true, Optional.empty())))
                .or(() -> containerShortage(pod, whole.get().limits(), statuses));
    }

    private static Optional<String> exceeded(
            Map<String, Quantity> sums, Map<String, Quantity> bounds, Predicate<String> isChecked) {
        return bounds.entrySet().stream()
                .filter(bound -> isChecked.test(bound.getKey()))
                .filter(bound ->
                        sums.getOrDefault(bound.getKey(), Quantity.ZERO).compareTo(bound.getValue())
                                > 0)
                .map(Map.Entry::getKey)
                .findFirst();
    }

    private static Optional<Rejection> containerShortage(
            Pod pod, Map<String, Quantity> bounds, List<NodeAllocatableClaimStatus> statuses) {
        for (var container : pod.spec().containers()) {
            var sums = new HashMap<String, Quantity>();
            for (var status : statuses) {
                if (status.containers().contains(container.name())) {
                    add(status, 1, sums);
                }
            }
            PodResourceRequests.add(sums, container.resources().limits());
            // A container without a limit is not checked.
            var limited = container.resources().limits().keySet();
            var name =
                    exceeded(
                            sums,
                            bounds,
                            one -> limited.contains(one) && !one.startsWith(HUGE_PAGES));
            if (name.isPresent()) {
                var containerName = Optional.of(container.name());
                return Optional.of(
                        new Rejection.PodLevelResourcesTooLow(name.get(), true, containerName));
            }
        }
        return Optional.empty();
    }
}
