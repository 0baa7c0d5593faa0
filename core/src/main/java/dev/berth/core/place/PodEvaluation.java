package dev.berth.core.place;

import dev.berth.core.allocate.AllocationOutcome;
import dev.berth.model.api.AllocationResult;
import dev.berth.model.api.Node;
import dev.berth.model.api.NodeAllocatableClaimStatus;
import dev.berth.model.api.ResourceClaim;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// All nodes are asked about one pod in one state. What is the same for all of them is found out
/// once, at the beginning.
///
/// The questions come in the order of Kubernetes. [#nodeRejection] and [#devices] depend on the
/// node and its pools alone: pods that are alike need not ask again while [PodPlacer#stamp] stays
/// the same. [#clusterRejection] depends on the whole cluster.
public final class PodEvaluation {

    /// What came of looking for devices.
    public sealed interface DeviceFit {

        /// Enough devices.
        ///
        /// @param results one for each claim that needs some
        /// @param shares what devices take of the node, for each claim that has some and then for
        ///   each that gets some; empty when that is nothing
        record Found(List<AllocationResult> results, List<NodeAllocatableShare> shares)
                implements DeviceFit {
            public Found {
                results = List.copyOf(results);
                shares = List.copyOf(shares);
            }
        }

        record Rejected(Rejection rejection) implements DeviceFit {}
    }

    /// What a node says for itself. It stays the same until the node or its pools change, also for
    /// other pods of the same [PlacementCacheKey].
    ///
    /// @param objection of the node itself
    /// @param devices what it has for the pod; empty when there is an objection
    /// @param room the score of what is left there; zero when the node will not do
    public record NodeScopedFit(
            Node node,
            Optional<Rejection> rejection,
            Optional<DeviceFit> devices,
            long resourceScore)
            implements NodeScoring.Candidate {

        /// Whether only others, or what devices take of the node, can speak against it.
        public boolean mayFit() {
            return devices.isPresent() && devices.get() instanceof DeviceFit.Found;
        }

        /// Whether looking for devices went wrong.
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

    /// Whether the pod asks for resources that may be devices; most do not.
    private final boolean requestsExtendedResources;

    /// Whether others have nothing against the pod wherever it is; most have not.
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

    /// What the node means for the pod.
    public NodeFit fit(Node node) {
        return nodeRejection(node)
                .or(() -> clusterRejection(node))
                .<NodeFit>map(rejection -> new NodeFit.Rejected(node.name(), rejection))
                .orElseGet(() -> fit(node, devices(node)));
    }

    /// What the node itself has against the pod.
    public Optional<Rejection> nodeRejection(Node node) {
        return nodeRejection(node, state.nodeUsage(node.name()));
    }

    private Optional<Rejection> nodeRejection(Node node, NodeUsage usage) {
        return NodeFilters.rejection(
                request.pod(), resourceScore.requests(), placer.extended(), node, usage);
    }

    /// What the node says for itself.
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

    /// What others have against the pod's being on the node: volumes, and pods near and far.
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

    /// All that speaks against the node, whatever devices it has; in the order in which it is
    /// asked.
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

    /// Devices on the node for all claims that have none.
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

    /// What is let pass on the node when devices are looked for, and Kubernetes would give up for.
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

    /// Whether the pod fits, which costs less than to say how.
    public boolean fits(NodeScopedFit scopedFit) {
        return scopedFit.devices.isPresent()
                && scopedFit.devices.get() instanceof DeviceFit.Found found
                && clusterRejection(scopedFit.node).isEmpty()
                && (found.shares.isEmpty() || fit(scopedFit.node, found) instanceof NodeFit.Fits);
    }

    /// The best of several nodes where the pod fits.
    public Optional<NodeScopedFit> best(List<NodeScopedFit> fitting) {
        return scoring().best(fitting);
    }

    /// The one of several nodes where the pod fits that has the highest score, whatever the policy
    /// prefers.
    public Optional<NodeScopedFit> highest(List<NodeScopedFit> fitting) {
        return scoring().highest(fitting);
    }

    private NodeScoring<NodeScopedFit> scoring() {
        return placer.scoring(request, state, this::allocations);
    }

    /// What the claims of the pod would get on a node where it fits.
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

    /// Why the pod does not fit; empty when it fits.
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

    /// The verdict of a node that has said what it has to say.
    public NodeFit fit(NodeScopedFit scopedFit) {
        return scopedFit
                .rejection
                .or(() -> clusterRejection(scopedFit.node))
                .<NodeFit>map(rejection -> new NodeFit.Rejected(scopedFit.node.name(), rejection))
                .orElseGet(() -> fit(scopedFit.node, scopedFit.devices.orElseThrow()));
    }

    /// The verdict of a node that has nothing against the pod but, perhaps, its devices.
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

    /// What speaks against what devices take of the node's own resources.
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

    /// Pods of one group share a reservation, but what stands for a part of the node is one pod's.
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

    /// What would have to be known to judge, and is not.
    public List<String> missingObjects() {
        return volumes.missingObjects();
    }
}
