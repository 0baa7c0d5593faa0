package dev.berth.core.place;

import dev.berth.core.allocate.AllocationOutcome;
import dev.berth.core.allocate.AllocatorResponse;
import dev.berth.core.allocate.DeviceOrder;
import dev.berth.core.allocate.DeviceRanking;
import dev.berth.core.allocate.NodeAllocationRequest;
import dev.berth.core.snapshot.ExtendedResourceClaim;
import dev.berth.core.snapshot.ExtendedResources;
import dev.berth.core.snapshot.NodeView;
import dev.berth.core.snapshot.PodResourceRequests;
import dev.berth.model.api.claim.AllocationResult;
import dev.berth.model.api.claim.ResourceClaim;
import dev.berth.model.api.node.Node;
import dev.berth.model.api.pod.Container;
import dev.berth.model.api.pod.Pod;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/// DynamicResources, second half: allocates devices of a node for the claims of one pod that have
/// none, and for its extended resources that devices serve on the node.
final class PodDeviceAllocation {

    /// The name of the plugin in kube-scheduler.
    static final String PLUGIN = "DynamicResources";

    /// Result for one node.
    sealed interface Result {

        /// All claims can be allocated.
        ///
        /// @param results one per claim to allocate
        /// @param shares node-allocatable resources of each allocated claim and then of each claim
        ///   to allocate; empty when there are none
        record Found(List<AllocationResult> results, List<NodeAllocatableShare> shares)
                implements Result {}

        record Rejected(Rejection rejection) implements Result {}
    }

    /// No choice of devices satisfies the claims; this is proven.
    record NoDevices() implements Rejection {
        @Override
        public String text() {
            return "cannot allocate all claims";
        }

        @Override
        public String description() {
            return text();
        }

        @Override
        public Set<ClusterEvent> requeueOn() {
            return ClusterEvent.DEVICE_EVENTS;
        }
    }

    /// The search for devices reached its step limit.
    record Undecided() implements Rejection {
        @Override
        public String text() {
            return "device search reached its step limit";
        }

        @Override
        public String description() {
            return text();
        }

        @Override
        public Set<ClusterEvent> requeueOn() {
            return ClusterEvent.DEVICE_EVENTS;
        }
    }

    /// The result of most nodes of a full cluster.
    private static final Result NO_DEVICES = new Result.Rejected(new NoDevices());

    private final EvaluationContext context;
    private final PlacementRules rules;
    private final Optional<DeviceResultCache.OfClaims> cached;

    /// Extended resources of the pod that device classes serve; most pods have none.
    private final Set<String> extendedResources;

    /// The claims to allocate on a node, by the extended resources that devices serve there. Most
    /// clusters have one kind of node in this respect.
    private final Map<Set<String>, NodeClaims> nodeClaims = new HashMap<>();

    /// The claims to allocate on some nodes.
    ///
    /// @param extended the claim for extended resources
    /// @param toAllocate the claims of the pod, then the one for extended resources
    private record NodeClaims(
            Optional<ExtendedResourceClaim> extended, List<ResourceClaim> toAllocate) {
        private NodeClaims {
            toAllocate = List.copyOf(toAllocate);
        }
    }

    /// @param cached results of pods with equal claims
    PodDeviceAllocation(
            EvaluationContext context,
            PlacementRules rules,
            Optional<DeviceResultCache.OfClaims> cached) {
        this.context = context;
        this.rules = rules;
        this.cached = cached;
        this.extendedResources =
                context.snapshot().inventory().extended().of(context.pod()).keySet();
    }

    /// The fields of the request that the allocation reads.
    static Object cacheKey(EvaluationContext context) {
        var request = context.request();
        return List.of(
                containersWithExtendedResources(request.pod()),
                request.allocated(),
                request.toAllocate().stream().map(ResourceClaim::spec).toList());
    }

    /// All containers if some may request extended resources: the claim for these depends on which
    /// container requests what.
    private static List<Container> containersWithExtendedResources(Pod pod) {
        return mayUseExtendedResources(pod) ? containers(pod) : List.of();
    }

    /// True when device classes may serve a resource that the pod requests.
    static boolean mayUseExtendedResources(Pod pod) {
        for (var container : containers(pod)) {
            for (var name : PodResourceRequests.withLimits(container.resources()).keySet()) {
                if (name.contains("/")) {
                    return true;
                }
            }
        }
        return false;
    }

    private static List<Container> containers(Pod pod) {
        var all = new ArrayList<Container>(pod.spec().initContainers());
        all.addAll(pod.spec().containers());
        return all;
    }

    /// True when the pod gets devices, at least on some nodes.
    boolean isNeeded() {
        return !context.request().toAllocate().isEmpty() || !extendedResources.isEmpty();
    }

    Result allocate(NodeView node) {
        return isNeeded() && cached.isPresent()
                ? cached.get().result(node, () -> computed(node))
                : computed(node);
    }

    private Result computed(NodeView node) {
        var toAllocate = toAllocate(node.node());
        return toAllocate.isEmpty()
                ? found(node, toAllocate, List.of())
                : switch (respond(
                                node,
                                toAllocate,
                                rules.policy().evaluationOrder(),
                                Optional.empty())
                        .outcome()) {
                    case AllocationOutcome.Allocated(var results, _) ->
                            found(node, toAllocate, results);
                    case AllocationOutcome.DoesNotFit _ -> NO_DEVICES;
                    case AllocationOutcome.Undecided _ -> new Result.Rejected(new Undecided());
                    case AllocationOutcome.Failed failed ->
                            new Result.Rejected(
                                    new Rejection.Fault(failed.message(), !failed.nodeLocal()));
                };
    }

    /// The devices that a ranking prefers; empty if the search does not find any.
    Optional<List<AllocationResult>> packed(NodeView node, DeviceRanking ranking) {
        var outcome =
                respond(node, toAllocate(node.node()), DeviceOrder.PACKED, Optional.of(ranking))
                        .outcome();
        return outcome instanceof AllocationOutcome.Allocated(var results, _)
                ? Optional.of(results)
                : Optional.empty();
    }

    private AllocatorResponse respond(
            NodeView node,
            List<ResourceClaim> toAllocate,
            DeviceOrder order,
            Optional<DeviceRanking> ranking) {
        var request =
                new NodeAllocationRequest(
                        node.node(),
                        node.pools(),
                        context.snapshot().inventory().classes(),
                        rules.features(),
                        node.holdings(),
                        toAllocate,
                        order,
                        ranking,
                        true);
        return rules.allocator().allocate(request, rules.shareIds());
    }

    /// The result with these devices: their node-allocatable resources.
    Result found(NodeView node, List<ResourceClaim> toAllocate, List<AllocationResult> results) {
        if (!node.hasNodeResourceDevices()) {
            return new Result.Found(results, List.of());
        }
        var shares = new ArrayList<NodeAllocatableShare>();
        var allocated = context.request().allocated();
        var claims = claims(toAllocate);
        for (var i = 0; i < claims.size(); i++) {
            var number = i - allocated.size();
            var result =
                    number < 0
                            ? claims.get(i).status().allocation().orElseThrow()
                            : results.get(number);
            switch (NodeAllocatableShare.of(claims.get(i), result, node)) {
                case NodeAllocatableShare.Sum.Share(var share) -> shares.add(share);
                case NodeAllocatableShare.Sum.Unknown(var message) -> {
                    return new Result.Rejected(new Rejection.Fault(message, false));
                }
            }
        }
        var takesNothing = shares.stream().allMatch(NodeAllocatableShare::isNone);
        return new Result.Found(results, takesNothing ? List.of() : shares);
    }

    /// The allocated claims and then the claims to allocate.
    private List<ResourceClaim> claims(List<ResourceClaim> toAllocate) {
        var all = new ArrayList<>(context.request().allocated());
        all.addAll(toAllocate);
        return all;
    }

    /// All claims of the pod on a node: the allocated ones, then those to allocate.
    List<ResourceClaim> claims(Node node) {
        return claims(toAllocate(node));
    }

    /// The claims to allocate on a node: those of the pod, then the one for extended resources.
    List<ResourceClaim> toAllocate(Node node) {
        return extendedResources.isEmpty()
                ? context.request().toAllocate()
                : nodeClaims(node).toAllocate;
    }

    /// The claim for the pod's extended resources that devices serve on a node.
    Optional<ExtendedResourceClaim> extendedClaim(Node node) {
        return extendedResources.isEmpty() ? Optional.empty() : nodeClaims(node).extended;
    }

    private NodeClaims nodeClaims(Node node) {
        return nodeClaims.computeIfAbsent(
                ExtendedResources.deviceBacked(extendedResources, node), this::nodeClaims);
    }

    private NodeClaims nodeClaims(Set<String> deviceBacked) {
        var extended = context.snapshot().inventory().extended().claim(context.pod(), deviceBacked);
        var toAllocate = new ArrayList<>(context.request().toAllocate());
        extended.ifPresent(one -> toAllocate.add(one.claim()));
        return new NodeClaims(extended, toAllocate);
    }

    /// Errors that lenient allocation ignores on the node and that make Kubernetes give up.
    List<String> tolerated(NodeView node) {
        var toAllocate = toAllocate(node.node());
        return toAllocate.isEmpty()
                ? List.of()
                : respond(node, toAllocate, rules.policy().evaluationOrder(), Optional.empty())
                        .tolerated();
    }
}
