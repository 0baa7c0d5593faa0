package dev.berth.core.place;

import dev.berth.core.place.filter.NodeFilters;
import dev.berth.core.place.pack.DemandTracker;
import dev.berth.core.place.pack.PackingCosts;
import dev.berth.core.place.pack.PodDemand;
import dev.berth.core.place.score.DeviceLocalityRank;
import dev.berth.core.place.score.NodeScores;
import dev.berth.core.snapshot.NodeView;
import dev.berth.model.api.claim.AllocationResult;
import dev.berth.model.api.claim.ResourceClaim;
import dev.berth.model.api.node.Node;
import dev.berth.model.api.pod.NodeAllocatableClaimStatus;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.ToLongFunction;

/// Evaluates one pod on the nodes of one snapshot: node filters in the order of kube-scheduler,
/// then device allocation, then the node resources of the devices. Everything that is the same for
/// all nodes is computed once, in the constructor.
///
/// The scheduler stops at the first rejection of a node ([#fit]), explanations collect all of them
/// ([#rejections]); both run the same list of filters.
public final class PodEvaluation {

    /// A prepared filter and its position in the list.
    private record PositionedCheck(int position, NodeFilter.Check check) {}

    private static final DeviceLocalityRank LOCALITY = new DeviceLocalityRank();

    private final EvaluationContext context;
    private final PlacementRules rules;
    private final List<PositionedCheck> checks = new ArrayList<>();
    private final List<PositionedCheck> nodeChecks = new ArrayList<>();
    private final List<PositionedCheck> clusterChecks = new ArrayList<>();
    private final PodDeviceAllocation devices;
    private final boolean isMeasured;
    private final ToLongFunction<NodeView> nodeScore;
    private final Optional<DemandTracker> demandTracker;
    private final Optional<PackingCosts> packing;

    /// An evaluation without packing costs: which nodes fit, but not which one is best.
    PodEvaluation(EvaluationContext context, PlacementRules rules) {
        this(context, rules, Optional.empty(), Optional.empty());
    }

    /// @param cached device allocations of pods with equal claims
    /// @param demandTracker gives the packing costs; empty if nodes are not ranked by these
    PodEvaluation(
            EvaluationContext context,
            PlacementRules rules,
            Optional<DeviceResultCache.OfClaims> cached,
            Optional<DemandTracker> demandTracker) {
        this.context = context;
        this.rules = rules;
        this.demandTracker = demandTracker;
        this.packing = demandTracker.map(tracker -> tracker.costs(podDemand(), context.snapshot()));
        this.isMeasured = rules.pluginTimer().isSampling();
        for (var i = 0; i < NodeFilters.ALL.size(); i++) {
            var filter = NodeFilters.ALL.get(i);
            var check = filter.prepare(context);
            if (check.isPresent()) {
                var positioned = new PositionedCheck(i, measured(filter, check.get()));
                checks.add(positioned);
                checks(filter.scope()).add(positioned);
            }
        }
        this.devices = new PodDeviceAllocation(context, rules, cached);
        this.nodeScore = NodeScores.nodeScoped(context);
    }

    private PodDemand podDemand() {
        var claims = new ArrayList<>(context.request().toAllocate());
        context.snapshot()
                .inventory()
                .extended()
                .claim(context.pod())
                .ifPresent(extended -> claims.add(extended.claim()));
        return PodDemand.of(context.requests(), claims);
    }

    private NodeFilter.Check measured(NodeFilter filter, NodeFilter.Check check) {
        return isMeasured
                ? (node, rejections) ->
                        rules.pluginTimer()
                                .measure(
                                        filter.name(),
                                        () -> {
                                            check.evaluate(node, rejections);
                                            return rejections;
                                        })
                : check;
    }

    private PodDeviceAllocation.Result allocate(NodeView view) {
        return isMeasured
                ? rules.pluginTimer()
                        .measure(PodDeviceAllocation.PLUGIN, () -> devices.allocate(view))
                : devices.allocate(view);
    }

    private List<PositionedCheck> checks(NodeFilter.Scope scope) {
        return switch (scope) {
            case NODE -> nodeChecks;
            case CLUSTER -> clusterChecks;
        };
    }

    /// Evaluates a node completely; stops at the first rejection.
    public NodeFit fit(Node node) {
        return fit(nodeScopedFit(node));
    }

    /// All rejections by filters, regardless of device allocation, in the order of filters.
    public List<Rejection> rejections(Node node) {
        var view = view(node);
        var found = RejectionCollector.all();
        checks.forEach(one -> one.check.evaluate(view, found));
        return found.rejections();
    }

    private boolean isBefore(int clusterCheck, int position) {
        return clusterCheck < clusterChecks.size()
                && clusterChecks.get(clusterCheck).position < position;
    }

    private NodeView view(Node node) {
        return new NodeView(node, context.snapshot());
    }

    /// Evaluates the part that depends on the node only.
    NodeScopedFit nodeScopedFit(Node node) {
        var view = view(node);
        var found = RejectionCollector.first();
        for (var one : nodeChecks) {
            one.check.evaluate(view, found);
            if (found.isComplete()) {
                return new NodeScopedFit.Rejected(
                        node, one.position, found.firstRejection().orElseThrow());
            }
        }
        return switch (allocate(view)) {
            case PodDeviceAllocation.Result.Rejected(var rejection) ->
                    new NodeScopedFit.Rejected(node, NodeFilters.ALL.size(), rejection);
            case PodDeviceAllocation.Result.Found(var results, var shares) ->
                    new NodeScopedFit.Candidate(
                            node,
                            results,
                            shares,
                            ranks(view, results),
                            nodeScore.applyAsLong(view),
                            demandTracker.map(tracker -> tracker.freeCapacity(view)));
        };
    }

    private List<Long> ranks(NodeView node, List<AllocationResult> results) {
        return rules.policy().ranksNodes()
                ? rules.policy().ranks(context, node, results, devices.isNeeded())
                : List.of();
    }

    /// The rank of a node among the candidates.
    RankedNode ranked(NodeScopedFit.Candidate candidate) {
        if (packing.isEmpty()) {
            return new RankedNode(candidate.ranks(), candidate.node().name());
        }
        var before = rules.policy().ranksBeforePacking();
        var costs = new ArrayList<>(candidate.ranks().subList(0, before));
        costs.addAll(packing.get().of(candidate.free().orElseThrow()));
        costs.addAll(candidate.ranks().subList(before, candidate.ranks().size()));
        return new RankedNode(costs, candidate.node().name());
    }

    /// The candidate with the free capacity for all request kinds that are known now.
    NodeScopedFit.Candidate withFreeCapacity(NodeScopedFit.Candidate candidate) {
        return new NodeScopedFit.Candidate(
                candidate.node(),
                candidate.results(),
                candidate.shares(),
                candidate.ranks(),
                candidate.score(),
                demandTracker.map(tracker -> tracker.freeCapacity(view(candidate.node()))));
    }

    /// The packing costs of the pod; empty if nodes are not ranked by these.
    Optional<PackingCosts> packing() {
        return packing;
    }

    /// True when other pods influence which nodes the pod prefers.
    boolean hasPodPreferences() {
        return NodeScores.hasPodPreferences(context);
    }

    /// The candidates that preferred pod affinity and spread constraints favour most.
    List<NodeScopedFit.Candidate> preferredByPods(List<NodeScopedFit.Candidate> candidates) {
        return NodeScores.preferredByPods(context, candidates);
    }

    /// Completes the chosen candidate, with the devices that the policy prefers.
    NodeFit.Fits chosen(NodeScopedFit.Candidate candidate) {
        return (NodeFit.Fits) fit(packedDevices(candidate).orElse(candidate));
    }

    /// The candidate with devices by packing costs, if the pod also fits with these.
    private Optional<NodeScopedFit> packedDevices(NodeScopedFit.Candidate candidate) {
        var view = view(candidate.node());
        if (packing.isEmpty()
                || candidate.results().isEmpty()
                || (rules.policy().alignsDevices()
                        && LOCALITY.cost(context, view, candidate.results()) > 0)) {
            return Optional.empty();
        }
        var free = candidate.free().orElseThrow();
        return devices.packed(view, packing.get().deviceRanking(free))
                .map(results -> devices.found(view, devices.toAllocate(view.node()), results))
                .filter(PodDeviceAllocation.Result.Found.class::isInstance)
                .map(PodDeviceAllocation.Result.Found.class::cast)
                .<NodeScopedFit>map(found ->
                        new NodeScopedFit.Candidate(
                                candidate.node(),
                                found.results(),
                                found.shares(),
                                candidate.ranks(),
                                candidate.score(),
                                candidate.free()))
                .filter(this::fits);
    }

    /// Completes a node-scoped result: filters of scope CLUSTER, node resources of devices.
    NodeFit fit(NodeScopedFit scopedFit) {
        var rejection = rejection(scopedFit);
        if (rejection.isPresent()) {
            return new NodeFit.Rejected(scopedFit.node().name(), rejection.get());
        }
        var candidate = (NodeScopedFit.Candidate) scopedFit;
        var node = candidate.node();
        return new NodeFit.Fits(
                node.name(),
                allocations(devices.toAllocate(node), candidate.results()),
                context.volumes().bindings(node),
                nodeResources(candidate),
                devices.extendedClaim(node));
    }

    private static List<NodeFit.ClaimAllocation> allocations(
            List<ResourceClaim> toAllocate, List<AllocationResult> results) {
        var allocations = new ArrayList<NodeFit.ClaimAllocation>(results.size());
        for (var i = 0; i < toAllocate.size(); i++) {
            allocations.add(new NodeFit.ClaimAllocation(toAllocate.get(i), results.get(i)));
        }
        return allocations;
    }

    private List<NodeAllocatableClaimStatus> nodeResources(NodeScopedFit.Candidate candidate) {
        return candidate.shares().isEmpty()
                ? List.of()
                : NodeAllocatableResources.statuses(
                        context.pod(), devices.claims(candidate.node()), candidate.shares());
    }

    /// Why the pod does not fit on the node; empty when it fits.
    Optional<Rejection> rejection(NodeScopedFit scopedFit) {
        return switch (scopedFit) {
            case NodeScopedFit.Rejected rejected -> {
                var earlier = clusterRejection(rejected.node(), rejected.position());
                yield earlier.isPresent() ? earlier : Optional.of(rejected.rejection());
            }
            case NodeScopedFit.Candidate candidate -> {
                var rejection = clusterRejection(candidate.node(), Integer.MAX_VALUE);
                yield rejection.isPresent() || candidate.shares().isEmpty()
                        ? rejection
                        : nodeResourcesRejection(candidate);
            }
        };
    }

    /// True when the pod fits; cheaper than [#fit].
    boolean fits(NodeScopedFit scopedFit) {
        return scopedFit instanceof NodeScopedFit.Candidate && rejection(scopedFit).isEmpty();
    }

    /// The first rejection by a filter of scope CLUSTER before a position in the list.
    private Optional<Rejection> clusterRejection(Node node, int position) {
        if (!isBefore(0, position)) {
            return Optional.empty();
        }
        var view = view(node);
        var found = RejectionCollector.first();
        for (var i = 0; isBefore(i, position) && !found.isComplete(); i++) {
            clusterChecks.get(i).check.evaluate(view, found);
        }
        return found.firstRejection();
    }

    private Optional<Rejection> nodeResourcesRejection(NodeScopedFit.Candidate candidate) {
        var found = RejectionCollector.first();
        NodeAllocatableResources.evaluate(
                context,
                view(candidate.node()),
                candidate.shares(),
                nodeResources(candidate),
                found);
        return found.firstRejection();
    }

    /// All reasons why the node or the pod cannot provide the node resources of the devices that
    /// the pod would get on the node; none when it gets no devices there.
    public List<Rejection> nodeResourceRejections(Node node) {
        if (!(nodeScopedFit(node) instanceof NodeScopedFit.Candidate candidate)
                || candidate.shares().isEmpty()) {
            return List.of();
        }
        var found = RejectionCollector.all();
        NodeAllocatableResources.evaluate(
                context, view(node), candidate.shares(), nodeResources(candidate), found);
        return found.rejections().stream()
                .<Rejection>map(NodeResourcesOfDevicesShort::new)
                .toList();
    }

    /// The candidate with the highest score, the first of several.
    Optional<NodeScopedFit.Candidate> highest(List<NodeScopedFit.Candidate> candidates) {
        return NodeScores.highest(context, candidates);
    }

    /// True when the pod gets devices, at least on some nodes.
    boolean requestsDevices() {
        return devices.isNeeded();
    }

    /// Errors that lenient allocation ignores on the node and that make Kubernetes give up.
    public List<String> tolerated(Node node) {
        return devices.tolerated(view(node));
    }

    /// Why the pod's volumes rule out every node.
    Optional<String> volumeProblem() {
        return context.volumes().problem();
    }

    /// Objects that the evaluation needs and that are missing from incomplete input.
    public List<String> missingObjects() {
        return context.volumes().missingObjects();
    }
}
