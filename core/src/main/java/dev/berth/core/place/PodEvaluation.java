package dev.berth.core.place;

import dev.berth.core.allocate.AllocationOutcome;
import dev.berth.model.api.AllocationResult;
import dev.berth.model.api.Node;
import dev.berth.model.api.NodeAllocatableClaimStatus;
import dev.berth.model.api.ResourceClaim;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// Evaluates one pod against the nodes of one cluster state. Everything that is the same for all
/// nodes is computed once, in the constructor.
///
/// Filters run in the order of Kubernetes. The results of [#nodeRejection] and [#devices] depend on
/// the node and its pools only: they are valid for all pods with the same [PlacementCacheKey] as
/// long as [PodPlacer#stamp] is unchanged. [#clusterRejection] depends on the whole cluster.
public final class PodEvaluation {

    /// Result of allocating devices on one node.
    public sealed interface DeviceFit {

        /// All claims can be allocated.
        ///
        /// @param results one per claim to allocate
        /// @param shares node-allocatable resources of each allocated claim and then of each claim
        ///   to allocate; empty when there are none
        record Found(List<AllocationResult> results, List<NodeAllocatableShare> shares)
                implements DeviceFit {
            public Found {
                results = List.copyOf(results);
                shares = List.copyOf(shares);
            }
        }

        record Rejected(Rejection rejection) implements DeviceFit {}
    }

    /// The node-scoped part of an evaluation. It is valid until the node or its pools change, also
    /// for other pods of the same [PlacementCacheKey].
    ///
    /// @param rejection the reason of a node-scoped filter
    /// @param devices the result of device allocation; empty when a filter rejects the node
    /// @param resourceScore the score of [NodeResourcesScore]; zero when the node is rejected
    public record NodeScopedFit(
            Node node,
            Optional<Rejection> rejection,
            Optional<DeviceFit> devices,
            long resourceScore)
            implements NodeScoring.Candidate {

        /// True when only cluster-scoped filters or the node resources of devices can still reject
        /// the node.
        public boolean mayFit() {
            return devices.isPresent() && devices.get() instanceof DeviceFit.Found;
        }

        /// True when device allocation failed with an error.
        public boolean isFault() {
            return devices.isPresent()
                    && devices.get() instanceof DeviceFit.Rejected(Rejection.Fault _);
        }
    }

    private final PodPlacer placer;
    private final PlacementRequest request;
    private final ClusterUsage state;
    private final PodVolumes volumes;
    private final TopologySpread spread;
    private final InterPodAffinity podAffinity;
    private final NodeResourcesScore resourceScore;

    /// True when the pod requests extended resources that devices may serve; most pods do not.
    private final boolean requestsExtendedResources;

    /// True when no cluster-scoped filter applies to the pod; this is so for most pods.
    private final boolean skipsClusterFilters;

    PodEvaluation(PodPlacer placer, PlacementRequest request, ClusterUsage state) {
        this.placer = placer;
        this.request = request;
        this.state = state;
        var pod = request.pod();
        var context = placer.context();
        this.requestsExtendedResources = !placer.extended().of(pod).isEmpty();
        this.volumes = PodVolumes.of(pod, context.storage(), state.volumes());
        this.spread = TopologySpread.of(pod, state.podCounts(), placer.inventory());
        this.podAffinity =
                InterPodAffinity.of(
                        AffinityProfile.of(pod),
                        state.podCounts(),
                        placer.inventory(),
                        context.namespaces());
        this.resourceScore = NodeResourcesScore.of(pod);
        this.skipsClusterFilters =
                volumes.rejectsNothing()
                        && spread.rejectsNothing()
                        && podAffinity.rejectsNothing()
                        && request.allocated().isEmpty();
    }

    /// Evaluates a node completely; stops at the first rejection.
    public NodeFit fit(Node node) {
        return nodeRejection(node)
                .or(() -> clusterRejection(node))
                .<NodeFit>map(rejection -> new NodeFit.Rejected(node.name(), rejection))
                .orElseGet(() -> fit(node, devices(node)));
    }

    /// The first rejection by a node-scoped filter.
    public Optional<Rejection> nodeRejection(Node node) {
        return nodeRejection(node, state.nodeUsage(node.name()));
    }

    private Optional<Rejection> nodeRejection(Node node, NodeUsage usage) {
        return NodeFilters.rejection(
                request.pod(), resourceScore.requests(), placer.extended(), node, usage);
    }

    /// Evaluates the node-scoped filters and device allocation.
    public NodeScopedFit nodeScopedFit(Node node) {
        var usage = state.nodeUsage(node.name());
        var rejection = nodeRejection(node, usage);
        if (rejection.isPresent()) {
            return new NodeScopedFit(node, rejection, Optional.empty(), 0);
        }
        var devices = devices(node);
        var score = devices instanceof DeviceFit.Found ? resourceScore.score(node, usage) : 0;
        return new NodeScopedFit(node, rejection, Optional.of(devices), score);
    }

    /// The first rejection by a cluster-scoped filter: volumes, topology spread, inter-pod
    /// affinity, allocated claims.
    public Optional<Rejection> clusterRejection(Node node) {
        if (skipsClusterFilters) {
            return Optional.empty();
        }
        return volumes.problem()
                .<Rejection>map(text -> new Rejection.Fault(text, true))
                .or(() -> volumes.rejection(node))
                .or(() -> spread.rejection(node))
                .or(() -> podAffinity.rejection(node))
                .or(() -> NodeFilters.unavailableClaim(request.allocated(), node));
    }

    /// All rejections regardless of device allocation, in filter order.
    public List<Rejection> rejections(Node node) {
        var all =
                new ArrayList<Rejection>(
                        NodeFilters.rejections(
                                request.pod(),
                                resourceScore.requests(),
                                placer.extended(),
                                node,
                                state.nodeUsage(node.name())));
        volumes.problem().map(text -> new Rejection.Fault(text, true)).ifPresent(all::add);
        if (volumes.problem().isEmpty()) {
            volumes.rejection(node).ifPresent(all::add);
        }
        spread.rejection(node).ifPresent(all::add);
        all.addAll(podAffinity.rejections(node));
        NodeFilters.unavailableClaim(request.allocated(), node).ifPresent(all::add);
        return all;
    }

    /// Allocates devices of the node for all claims without an allocation.
    public DeviceFit devices(Node node) {
        var toAllocate = toAllocate(node);
        return toAllocate.isEmpty()
                ? found(node, toAllocate, List.of())
                : switch (placer.reply(node, toAllocate, state).outcome()) {
                    case AllocationOutcome.Allocated(var results, _) ->
                            found(node, toAllocate, results);
                    case AllocationOutcome.DoesNotFit _ ->
                            new DeviceFit.Rejected(new Rejection.NoDevices());
                    case AllocationOutcome.Undecided _ ->
                            new DeviceFit.Rejected(new Rejection.Undecided());
                    case AllocationOutcome.Failed failed ->
                            new DeviceFit.Rejected(
                                    new Rejection.Fault(failed.message(), !failed.nodeLocal()));
                };
    }

    private DeviceFit found(
            Node node, List<ResourceClaim> toAllocate, List<AllocationResult> results) {
        var shares = new ArrayList<NodeAllocatableShare>();
        var claims = claims(toAllocate);
        for (var i = 0; i < claims.size(); i++) {
            var number = i - request.allocated().size();
            var result =
                    number < 0
                            ? claims.get(i).status().allocation().orElseThrow()
                            : results.get(number);
            switch (NodeAllocatableShare.of(claims.get(i), result, placer.inventory(), node)) {
                case NodeAllocatableShare.Sum.Share(var share) -> shares.add(share);
                case NodeAllocatableShare.Sum.Unknown(var message) -> {
                    return new DeviceFit.Rejected(new Rejection.Fault(message, false));
                }
            }
        }
        var takesNothing = shares.stream().allMatch(NodeAllocatableShare::isNone);
        return new DeviceFit.Found(results, takesNothing ? List.of() : shares);
    }

    private List<ResourceClaim> claims(List<ResourceClaim> toAllocate) {
        var all = new ArrayList<>(request.allocated());
        all.addAll(toAllocate);
        return all;
    }

    /// Errors that lenient allocation ignores on the node and that make Kubernetes give up.
    public List<String> tolerated(Node node) {
        var toAllocate = toAllocate(node);
        return toAllocate.isEmpty() ? List.of() : placer.reply(node, toAllocate, state).tolerated();
    }

    private List<ResourceClaim> toAllocate(Node node) {
        if (!requestsExtendedResources) {
            return request.toAllocate();
        }
        var toAllocate = new ArrayList<>(request.toAllocate());
        placer.extended().claim(request.pod(), node).ifPresent(one -> toAllocate.add(one.claim()));
        return toAllocate;
    }

    /// True when the pod fits; cheaper than [#fit].
    public boolean fits(NodeScopedFit scopedFit) {
        return scopedFit.devices.isPresent()
                && scopedFit.devices.get() instanceof DeviceFit.Found found
                && clusterRejection(scopedFit.node).isEmpty()
                && (found.shares.isEmpty() || fit(scopedFit.node, found) instanceof NodeFit.Fits);
    }

    /// The best of several fitting nodes.
    public Optional<NodeScopedFit> best(List<NodeScopedFit> fitting) {
        return scoring().best(fitting);
    }

    /// The fitting node with the highest score, regardless of the device policy.
    public Optional<NodeScopedFit> highest(List<NodeScopedFit> fitting) {
        return scoring().highest(fitting);
    }

    private NodeScoring<NodeScopedFit> scoring() {
        return placer.scoring(request, state, this::allocations);
    }

    /// The allocations of the pod's claims on a fitting node.
    public List<NodeFit.ClaimAllocation> allocations(NodeScopedFit scopedFit) {
        return scopedFit.devices.isPresent()
                        && scopedFit.devices.get() instanceof DeviceFit.Found(var results, _)
                ? allocations(toAllocate(scopedFit.node), results)
                : List.of();
    }

    private static List<NodeFit.ClaimAllocation> allocations(
            List<ResourceClaim> toAllocate, List<AllocationResult> results) {
        var allocations = new ArrayList<NodeFit.ClaimAllocation>();
        for (var i = 0; i < toAllocate.size(); i++) {
            allocations.add(new NodeFit.ClaimAllocation(toAllocate.get(i), results.get(i)));
        }
        return allocations;
    }

    /// Why the pod does not fit on the node; empty when it fits.
    public Optional<Rejection> rejection(NodeScopedFit scopedFit) {
        if (scopedFit.rejection.isPresent()) {
            return scopedFit.rejection;
        }
        var clusterRejection = clusterRejection(scopedFit.node);
        if (clusterRejection.isPresent()) {
            return clusterRejection;
        }
        return switch (scopedFit.devices.orElseThrow()) {
            case DeviceFit.Rejected(var rejection) -> Optional.of(rejection);
            case DeviceFit.Found found ->
                    fit(scopedFit.node, found) instanceof NodeFit.Rejected(_, var rejection)
                            ? Optional.of(rejection)
                            : Optional.empty();
        };
    }

    /// Completes a node-scoped result with the cluster-scoped filters.
    public NodeFit fit(NodeScopedFit scopedFit) {
        return scopedFit
                .rejection
                .or(() -> clusterRejection(scopedFit.node))
                .<NodeFit>map(rejection -> new NodeFit.Rejected(scopedFit.node.name(), rejection))
                .orElseGet(() -> fit(scopedFit.node, scopedFit.devices.orElseThrow()));
    }

    /// The result for a node that passed all filters, given its device allocation.
    public NodeFit fit(Node node, DeviceFit devices) {
        return switch (devices) {
            case DeviceFit.Rejected(var rejection) -> new NodeFit.Rejected(node.name(), rejection);
            case DeviceFit.Found(var results, var shares) -> {
                var toAllocate = toAllocate(node);
                var nodeResources =
                        shares.isEmpty()
                                ? List.<NodeAllocatableClaimStatus>of()
                                : DeviceResourceUsage.statuses(
                                        request.pod(), claims(toAllocate), shares);
                var rejection = rejection(node, shares, nodeResources);
                if (rejection.isPresent()) {
                    yield new NodeFit.Rejected(node.name(), rejection.get());
                }
                yield new NodeFit.Fits(
                        node.name(),
                        allocations(toAllocate, results),
                        volumes.bindings(node),
                        nodeResources);
            }
        };
    }

    /// Rejection because of the node-allocatable resources of devices.
    private Optional<Rejection> rejection(
            Node node,
            List<NodeAllocatableShare> shares,
            List<NodeAllocatableClaimStatus> nodeResources) {
        if (nodeResources.isEmpty()) {
            return Optional.empty();
        }
        var pod = request.pod();
        for (var i = 0; i < request.allocated().size(); i++) {
            var claim = request.allocated().get(i);
            if (!shares.get(i).mapping().isEmpty() && isUsedByOther(claim, node)) {
                return Optional.of(new Rejection.MappedClaimInUse(claim.ref()));
            }
        }
        return DeviceResourceUsage.podLevelShortage(pod, nodeResources)
                .or(() ->
                        NodeFilters.insufficient(
                                        PodResourceRequests.of(pod, nodeResources),
                                        placer.extended(),
                                        node,
                                        state.nodeUsage(node.name()))
                                .stream()
                                .findFirst());
    }

    /// Pods of a group share a reservation, but a claim with mapped node resources belongs to one
    /// pod.
    private boolean isUsedByOther(ResourceClaim claim, Node node) {
        var pod = request.pod();
        return (!claim.status().reservedFor().isEmpty() && !claim.isReservedFor(pod))
                || state.hasPod(
                        node.name(),
                        other ->
                                !other.ref().equals(pod.ref())
                                        && other.metadata()
                                                .namespace()
                                                .equals(pod.metadata().namespace())
                                        && other.status().nodeAllocatableClaimStatuses().stream()
                                                .anyMatch(nodeResources ->
                                                        nodeResources
                                                                .resourceClaimName()
                                                                .equals(claim.metadata().name())));
    }

    /// Objects that the evaluation needs and that are missing from incomplete input.
    public List<String> missingObjects() {
        return volumes.missingObjects();
    }
}
