package dev.berth.core.schedule;

import dev.berth.core.allocate.Allocator;
import dev.berth.core.allocate.AllocatorFeature;
import dev.berth.core.inventory.NodeSelectorMatcher;
import dev.berth.core.place.ClaimResolver;
import dev.berth.core.place.ExtendedResources;
import dev.berth.core.place.NodeFit;
import dev.berth.core.place.NodeRanking;
import dev.berth.core.place.PlacementRequest;
import dev.berth.core.place.PodPlacer;
import dev.berth.core.place.PreFilterResult;
import dev.berth.core.place.Rejection;
import dev.berth.core.place.UnusableClaim;
import dev.berth.core.snapshot.ClusterSnapshot;
import dev.berth.core.snapshot.FitCache;
import dev.berth.core.snapshot.NodeFits;
import dev.berth.model.api.Pod;
import dev.berth.model.api.ResourceClaim;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Supplier;

/// Decides the placement of pods one at a time.
///
/// An error on one node rejects that node only.
public final class PlacementDecider {

    /// Options of placement decisions.
    ///
    /// @param bindingTimeout timeout of binding conditions
    /// @param groupsOwnClaims whether pods may use claims of their PodGroup
    /// @param shareIds generates a new share ID per call
    public record Options(
            Set<AllocatorFeature> features,
            NodePolicy policy,
            Duration bindingTimeout,
            boolean groupsOwnClaims,
            Supplier<String> shareIds) {
        public Options {
            features = Set.copyOf(features);
        }
    }

    private final Options options;
    private final Allocator allocator;
    private final FitCache fitCache;
    private final NodeSample sample = new NodeSample();
    private final FreeDevices freeDevices = new FreeDevices();
    private final DeviceBackedNodes deviceBackedNodes = new DeviceBackedNodes();

    public PlacementDecider(Options options, Allocator allocator) {
        this.options = options;
        this.allocator = allocator;
        this.fitCache =
                new FitCache(
                        allocator, options.features, options.policy.devices(), options.shareIds);
    }

    /// Decides about one pod.
    public SchedulingDecision decide(Pod pod, ClusterSnapshot snapshot, Instant now) {
        var resolver =
                ClaimResolver.awaiting(
                        snapshot.usage()::claim,
                        snapshot.context().groups()::find,
                        options.groupsOwnClaims);
        return switch (resolver.resolve(pod)) {
            case PreFilterResult.Blocked(var reason) -> new SchedulingDecision.Blocked(reason);
            case PreFilterResult.Ready(var request) -> decide(request, snapshot, now);
        };
    }

    private SchedulingDecision decide(
            PlacementRequest request, ClusterSnapshot snapshot, Instant now) {
        var nodes = snapshot.inventory().size();
        var volumes = snapshot.context().volumeProblem(request.pod(), snapshot.usage());
        if (volumes.isPresent()) {
            var message = FitErrorSummary.message(nodes, volumes.get());
            return new SchedulingDecision.Unschedulable(
                    request, message, Set.of(WaitReason.VOLUME), List.of());
        }
        var unusable = inspection(snapshot, now).of(request.pod(), request.allocated());
        var refusal =
                unusable.stream()
                        .filter(reason -> reason.cause() instanceof UnusableClaim.ReservationsFull)
                        .map(Rejection::text)
                        .findFirst()
                        .or(() ->
                                ClaimChecks.unsatisfiableRequest(
                                        request, snapshot.inventory().classes().keySet()));
        if (refusal.isPresent()) {
            var reasons = Set.of(WaitReason.DEVICES, WaitReason.CLAIM);
            var message = FitErrorSummary.message(nodes, refusal.get());
            return new SchedulingDecision.Unschedulable(request, message, reasons, List.of());
        }
        if (unusable.isEmpty()) {
            return place(request, snapshot);
        }
        var message = FitErrorSummary.message(nodes, nodes + " " + unusable.getFirst().text());
        return new SchedulingDecision.Unschedulable(
                request,
                message,
                Set.of(WaitReason.DEVICES),
                ClaimChecks.idle(request.pod(), claims(request, unusable), snapshot));
    }

    private ClaimInspection inspection(ClusterSnapshot snapshot, Instant now) {
        return new ClaimInspection(
                snapshot.inventory(),
                snapshot.usage(),
                snapshot::isAssumed,
                options.features,
                options.bindingTimeout,
                now);
    }

    private static List<ResourceClaim> claims(
            PlacementRequest request, List<Rejection.ClaimUnusable> unusable) {
        return request.allocated().stream()
                .filter(claim -> unusable.stream().anyMatch(one -> one.claim().equals(claim.ref())))
                .toList();
    }

    private SchedulingDecision place(PlacementRequest request, ClusterSnapshot snapshot) {
        var variants = variants(request, snapshot);
        return variants.size() == 1
                ? place(request, variants.getFirst(), snapshot)
                : place(request, variants, snapshot);
    }

    private SchedulingDecision place(
            PlacementRequest request, Variant variant, ClusterSnapshot snapshot) {
        var there = onNodeOfAllocatedClaim(variant, snapshot);
        if (there.isPresent()) {
            return there.get();
        }
        var nodeFits = fitCache.evaluate(variant.request, snapshot);
        var fits = best(nodeFits, snapshot).flatMap(best -> fitCache.fresh(nodeFits, best));
        if (fits.isPresent()) {
            return new SchedulingDecision.Placed(variant.request, fits.get(), variant.extended);
        }
        var summary = new FitErrorSummary();
        nodeFits.forEachRejection(summary::add);
        return unplaced(request, summary, nodeFits.size(), snapshot);
    }

    private Optional<NodeFit.Fits> best(NodeFits nodeFits, ClusterSnapshot snapshot) {
        var request = nodeFits.request();
        return countsFreeDevices(request)
                ? nodeFits.highest(
                        byFreeDevices(
                                request,
                                nodeFits.fittingFrom(0),
                                one -> one.node().name(),
                                nodeFits::allocations,
                                snapshot))
                : nodeFits.best(sample.of(nodeFits));
    }

    /// True when the policy compares free devices, which does not apply to pods without devices.
    private boolean countsFreeDevices(PlacementRequest request) {
        return switch (options.policy) {
            case KUBERNETES, ALIGNED -> false;
            case PACK, SPREAD -> !request.toAllocate().isEmpty();
        };
    }

    /// The fitting nodes with the fewest or the most free devices, among which the node score
    /// decides.
    private <T> List<T> byFreeDevices(
            PlacementRequest request,
            List<T> fitting,
            Function<T, String> name,
            Function<T, List<NodeFit.ClaimAllocation>> allocations,
            ClusterSnapshot snapshot) {
        var sign = options.policy == NodePolicy.SPREAD ? -1 : 1;
        var extreme =
                NodeRanking.least(
                        NodeRanking.withEarliestAlternatives(request, fitting, allocations),
                        one -> sign * freeDevices.of(one, name.apply(one), snapshot));
        return sample.of(extreme, _ -> true);
    }

    private SchedulingDecision place(
            PlacementRequest request, List<Variant> variants, ClusterSnapshot snapshot) {
        var nodeFitsByVariant = new ArrayList<NodeFits>();
        variants.forEach(
                variant -> nodeFitsByVariant.add(fitCache.evaluate(variant.request, snapshot)));
        var perNode = perNode(variants, nodeFitsByVariant, snapshot);
        var best = best(variants, perNode, snapshot);
        for (var i = 0; i < variants.size() && best.isPresent(); i++) {
            var variant = variants.get(i);
            if (variant.covers(best.get().node())) {
                var fits = fitCache.fresh(nodeFitsByVariant.get(i), best.get());
                if (fits.isPresent()) {
                    return new SchedulingDecision.Placed(
                            variant.request, fits.get(), variant.extended);
                }
            }
        }
        var summary = new FitErrorSummary();
        for (var fit : perNode) {
            if (fit instanceof NodeFit.Rejected(_, var reason)) {
                summary.add(reason);
            }
        }
        return unplaced(request, summary, perNode.size(), snapshot);
    }

    /// The placement of a pod with a claim that is allocated on one node. Other nodes need not be
    /// evaluated if it fits there.
    private Optional<SchedulingDecision> onNodeOfAllocatedClaim(
            Variant variant, ClusterSnapshot snapshot) {
        for (var claim : variant.request.allocated()) {
            var only =
                    claim.status()
                            .allocation()
                            .flatMap(allocation -> allocation.nodeSelector())
                            .flatMap(NodeSelectorMatcher::onlyNode)
                            .flatMap(snapshot.inventory()::node);
            if (only.isPresent()) {
                var evaluation = placer(snapshot).evaluation(variant.request, snapshot.usage());
                return evaluation.fit(only.get()) instanceof NodeFit.Fits fits
                        ? Optional.of(
                                new SchedulingDecision.Placed(
                                        variant.request, fits, variant.extended))
                        : Optional.empty();
            }
        }
        return Optional.empty();
    }

    /// A variant of the request for some of the nodes: a resource may be served by devices on one
    /// node and by a device plugin on another.
    ///
    /// @param nodes node names; empty for all
    private record Variant(
            PlacementRequest request,
            Optional<SchedulingDecision.ExtendedClaim> extended,
            Set<String> nodes) {

        private boolean covers(String node) {
            return nodes.isEmpty() || nodes.contains(node);
        }
    }

    private List<Variant> variants(PlacementRequest request, ClusterSnapshot snapshot) {
        var resources = snapshot.inventory().extended().of(request.pod()).keySet();
        if (resources.isEmpty()) {
            return List.of(new Variant(request, Optional.empty(), Set.of()));
        }
        var nodes = deviceBackedNodes.byDeviceBackedResources(resources, snapshot.inventory());
        if (nodes.isEmpty()) {
            return List.of(new Variant(request, Optional.empty(), Set.of()));
        }
        var variants = new ArrayList<Variant>();
        nodes.forEach((names, nodeNames) ->
                variants.add(
                        variant(
                                request,
                                names,
                                nodes.size() == 1 ? Set.of() : nodeNames,
                                snapshot.inventory().extended())));
        return variants;
    }

    private static Variant variant(
            PlacementRequest request,
            Set<String> deviceBacked,
            Set<String> nodes,
            ExtendedResources resources) {
        if (deviceBacked.isEmpty()) {
            return new Variant(request, Optional.empty(), nodes);
        }
        var pod = request.pod();
        var toAllocate = new ArrayList<>(request.toAllocate());
        var extended =
                resources
                        .claim(pod, deviceBacked)
                        .map(claimAndMappings -> {
                            var claim =
                                    ExtendedResourceClaims.inMemory(
                                            pod, claimAndMappings.claim().spec());
                            toAllocate.add(claim);
                            return new SchedulingDecision.ExtendedClaim(
                                    claim.ref(), claimAndMappings.mappings());
                        });
        var changed = request.with(ExtendedResourceRewrite.without(pod, deviceBacked), toAllocate);
        return new Variant(changed, extended, nodes);
    }

    private static List<NodeFit> perNode(
            List<Variant> variants, List<NodeFits> nodeFitsByVariant, ClusterSnapshot snapshot) {
        var perNode = new ArrayList<NodeFit>();
        for (var node : snapshot.inventory().nodes()) {
            for (var i = 0; i < variants.size(); i++) {
                if (variants.get(i).covers(node.name())) {
                    nodeFitsByVariant.get(i).fit(node.name()).ifPresent(perNode::add);
                }
            }
        }
        return perNode;
    }

    private Optional<NodeFit.Fits> best(
            List<Variant> variants, List<NodeFit> perNode, ClusterSnapshot snapshot) {
        // Nodes are compared by the variant with the most claims.
        var request =
                variants.stream()
                        .map(Variant::request)
                        .max(Comparator.comparingInt(one -> one.toAllocate().size()))
                        .orElseThrow();
        var candidates =
                countsFreeDevices(request)
                        ? byFreeDevices(
                                request,
                                fitting(perNode),
                                NodeFit.Fits::node,
                                NodeFit.Fits::allocations,
                                snapshot)
                        : sample.of(perNode, NodeFit.Fits.class::isInstance);
        return placer(snapshot)
                .choose(variants.getFirst().request, List.copyOf(candidates), snapshot.usage());
    }

    private static List<NodeFit.Fits> fitting(List<NodeFit> perNode) {
        var fitting = new ArrayList<NodeFit.Fits>();
        for (var fit : perNode) {
            if (fit instanceof NodeFit.Fits fits) {
                fitting.add(fits);
            }
        }
        return fitting;
    }

    private PodPlacer placer(ClusterSnapshot snapshot) {
        return new PodPlacer(
                snapshot.inventory(),
                snapshot.context(),
                allocator,
                options.features,
                options.policy.devices(),
                options.shareIds);
    }

    private static SchedulingDecision unplaced(
            PlacementRequest request,
            FitErrorSummary summary,
            int nodes,
            ClusterSnapshot snapshot) {
        var elsewhere =
                request.allocated().stream()
                        .filter(claim -> summary.claimsNotOnNode().contains(claim.ref()))
                        .toList();
        return new SchedulingDecision.Unschedulable(
                request,
                summary.message(nodes),
                summary.reasons(),
                ClaimChecks.idle(request.pod(), elsewhere, snapshot));
    }
}
