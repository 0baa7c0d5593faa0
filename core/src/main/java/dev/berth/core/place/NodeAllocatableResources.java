package dev.berth.core.place;

import dev.berth.core.place.filter.NodeResourcesFitFilter;
import dev.berth.core.snapshot.DeviceResourceUsage;
import dev.berth.core.snapshot.NodeView;
import dev.berth.core.snapshot.PodResourceRequests;
import dev.berth.model.api.claim.ResourceClaim;
import dev.berth.model.api.meta.ObjectRef;
import dev.berth.model.api.pod.Container;
import dev.berth.model.api.pod.NodeAllocatableClaimStatus;
import dev.berth.model.api.pod.Pod;
import dev.berth.model.api.pod.PodClaimReferences;
import dev.berth.model.api.pod.PodClaimReferences.Resolution;
import dev.berth.model.api.pod.PodResourceClaim;
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

/// NodeResourcesFit for pods whose devices consume node-allocatable resources (CPU, memory,
/// hugepages): runs after device allocation, because the amounts depend on the devices.
final class NodeAllocatableResources {

    private static final String HUGE_PAGES = "hugepages-";

    private NodeAllocatableResources() {}

    /// An allocated claim maps node resources, which excludes sharing, and another pod uses it.
    record MappedClaimInUse(ObjectRef claim) implements Rejection {
        @Override
        public String text() {
            return ("node allocatable resource claim %s has a mapped device and cannot be shared"
                            + " across pods")
                    .formatted(claim.name());
        }

        @Override
        public String description() {
            return "claim %s maps to node resources and is used by another pod".formatted(claim);
        }

        @Override
        public Optional<String> remedy() {
            return Optional.of("delete the pod that uses claim %s".formatted(claim));
        }

        @Override
        public Optional<String> resolvingEvent() {
            return Optional.of("no pod uses claim %s".formatted(claim));
        }

        @Override
        public Set<ClusterEvent> requeueOn() {
            return ClusterEvent.DEVICE_EVENTS;
        }
    }

    /// The pod-level resources are less than the containers and devices consume.
    ///
    /// @param isLimit true when the limit is too low, false for the request
    /// @param container the container that exceeds the limit on its own; empty for the sum
    record PodLevelResourcesTooLow(String resource, boolean isLimit, Optional<String> container)
            implements Rejection {
        @Override
        public String text() {
            return "pod level %s for %s is insufficient to cover the %s"
                    .formatted(
                            kind(),
                            resource,
                            container
                                    .map(name -> "limit and DRA overhead for container " + name)
                                    .orElse(
                                            "aggregated container and node-allocatable DRA %ss"
                                                    .formatted(kind())));
        }

        private String kind() {
            return isLimit ? "limit" : "request";
        }

        @Override
        public String description() {
            return "the pod-level %s of %s is too low for its containers and devices"
                    .formatted(kind(), resource);
        }

        @Override
        public Optional<String> remedy() {
            return Optional.of("raise the pod-level %s of %s".formatted(kind(), resource));
        }

        @Override
        public Set<ClusterEvent> requeueOn() {
            return ClusterEvent.DEVICE_EVENTS;
        }
    }

    /// Adds why the node or the pod cannot provide the node resources of the pod's devices.
    ///
    /// @param shares one per claim of the pod, the allocated claims first
    /// @param statuses the entries made of these
    static void evaluate(
            EvaluationContext context,
            NodeView node,
            List<NodeAllocatableShare> shares,
            List<NodeAllocatableClaimStatus> statuses,
            RejectionCollector rejections) {
        var allocated = context.request().allocated();
        for (var i = 0; i < allocated.size(); i++) {
            var claim = allocated.get(i);
            if (!shares.get(i).mapping().isEmpty() && isUsedByOther(claim, context.pod(), node)) {
                rejections.add(new MappedClaimInUse(claim.ref()));
            }
        }
        podLevelShortage(context.pod(), statuses).ifPresent(rejections::add);
        if (!rejections.isComplete()) {
            NodeResourcesFitFilter.addShortages(
                    PodResourceRequests.of(context.pod(), statuses), node, rejections);
        }
    }

    /// Pods of a group share a reservation, but a claim with mapped node resources belongs to one
    /// pod.
    private static boolean isUsedByOther(ResourceClaim claim, Pod pod, NodeView node) {
        return (!claim.status().reservedFor().isEmpty() && !claim.isReservedFor(pod))
                || node.hasPod(other ->
                        !other.ref().equals(pod.ref())
                                && other.metadata().namespace().equals(pod.metadata().namespace())
                                && other.status().nodeAllocatableClaimStatuses().stream()
                                        .anyMatch(status ->
                                                status.resourceClaimName()
                                                        .equals(claim.metadata().name())));
    }

    /// The entries of the pod's `nodeAllocatableResourceClaimStatuses`, sorted by claim name.
    ///
    /// @param shares one per claim
    public static List<NodeAllocatableClaimStatus> statuses(
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

    /// Why the pod-level resources do not cover the containers and their devices.
    public static Optional<Rejection> podLevelShortage(
            Pod pod, List<NodeAllocatableClaimStatus> statuses) {
        var whole = pod.spec().resources();
        if (whole.isEmpty() || statuses.isEmpty()) {
            return Optional.empty();
        }
        var devices = DeviceResourceUsage.sum(statuses);
        var requests = PodResourceRequests.ofContainers(pod, PodResourceRequests::withLimits);
        PodResourceRequests.add(requests, devices);
        var limits = PodResourceRequests.ofContainers(pod, resources -> resources.limits());
        PodResourceRequests.add(limits, devices);
        return exceeded(requests, whole.get().requests(), _ -> true)
                .map(name -> (Rejection) new PodLevelResourcesTooLow(name, false, Optional.empty()))
                .or(() ->
                        exceeded(limits, whole.get().limits(), name -> name.startsWith(HUGE_PAGES))
                                .map(name ->
                                        new PodLevelResourcesTooLow(name, true, Optional.empty())))
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
                    DeviceResourceUsage.add(status, 1, sums);
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
                return Optional.of(new PodLevelResourcesTooLow(name.get(), true, containerName));
            }
        }
        return Optional.empty();
    }
}
