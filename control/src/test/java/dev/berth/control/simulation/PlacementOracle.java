package dev.berth.control.simulation;

import dev.berth.core.admission.gate.FeatureGates;
import dev.berth.core.allocate.AllocationOutcome;
import dev.berth.core.allocate.AllocationRequest;
import dev.berth.core.inventory.NodeSelectorMatcher;
import dev.berth.core.ledger.Holdings;
import dev.berth.core.place.PlacementFeatures;
import dev.berth.core.taint.TaintRules;
import dev.berth.core.testkit.cel.ReferenceExpressions;
import dev.berth.core.testkit.reference.ReferenceAllocator;
import dev.berth.model.api.claim.DeviceClass;
import dev.berth.model.api.claim.ResourceClaim;
import dev.berth.model.api.claim.ResourceClaimStatus;
import dev.berth.model.api.node.Node;
import dev.berth.model.api.slice.ResourceSlice;
import dev.berth.model.codec.Codec;
import dev.berth.model.codec.Kinds;
import dev.berth.model.codec.UnknownFieldPolicy;
import dev.berth.model.json.JsonObject;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// Whether pods fit on a node, computed by the reference allocator.
final class PlacementOracle {

    private static final ReferenceExpressions EXPRESSIONS = new ReferenceExpressions();
    private static final int BUDGET = 100_000;
    private static final String BAD = "example.com/bad";

    private final Codec codec = new Codec();
    private final ReferenceAllocator reference = new ReferenceAllocator(EXPRESSIONS, BUDGET);
    private final List<Node> nodes;
    private final List<DeviceClass> classes;
    private final List<ResourceSlice> slices;
    private final List<ResourceClaim> claims;

    PlacementOracle(SimulationEnvironment environment) {
        nodes = environment.read(Kinds.NODE);
        classes = environment.read(Kinds.DEVICE_CLASS);
        claims = environment.read(Kinds.RESOURCE_CLAIM);
        var rules = environment.read(Kinds.DEVICE_TAINT_RULE);
        slices =
                environment.read(Kinds.RESOURCE_SLICE).stream()
                        .map(slice -> TaintRules.apply(slice, rules))
                        .toList();
    }

    /// A node for a pending pod. Claims of the pod without other consumers may be allocated anew.
    Optional<String> nodeFor(JsonObject pod) {
        var fixed = new ArrayList<ResourceClaim>();
        var free = new ArrayList<ResourceClaim>();
        var named = pod.objectOrEmpty("spec").objects("resourceClaims").size();
        for (var name : InvariantChecker.claimNames(pod).subList(0, named)) {
            var claim = claims.stream().filter(c -> c.metadata().name().equals(name)).findFirst();
            if (claim.isEmpty() || claim.get().metadata().isDeleting()) {
                return Optional.empty();
            }
            var others =
                    claim.get().status().reservedFor().stream()
                            .anyMatch(
                                    user -> !user.uid().value().equals(InvariantChecker.uid(pod)));
            (others ? fixed : free).add(claim.get());
        }
        if (hasMissingClaims(pod)) {
            return Optional.empty();
        }
        if (InvariantChecker.requestsExtendedResource(pod)) {
            free.add(extended());
        }
        return nodes.stream()
                .filter(node -> isSchedulable(node) && reaches(fixed, node) && isUsable(fixed))
                .map(Node::name)
                .filter(node -> fits(node, free))
                .findFirst();
    }

    private static boolean hasMissingClaims(JsonObject pod) {
        return InvariantChecker.claimNames(pod).stream()
                .limit(pod.objectOrEmpty("spec").objects("resourceClaims").size())
                .anyMatch(String::isEmpty);
    }

    private ResourceClaim extended() {
        var tree =
                YamlDocuments.one(
                        """
                        apiVersion: resource.k8s.io/v1
                        kind: ResourceClaim
                        metadata: {name: extended, namespace: default}
                        spec: {devices: {requests: [{name: r, exactly: {deviceClassName: gpu}}]}}
                        """);
        return codec.readTree(Kinds.RESOURCE_CLAIM, tree, UnknownFieldPolicy.LENIENT)
                .value()
                .orElseThrow();
    }

    private static boolean isSchedulable(Node node) {
        return !node.spec().unschedulable() && node.spec().taints().isEmpty();
    }

    private static boolean reaches(List<ResourceClaim> fixed, Node node) {
        return fixed.stream()
                .flatMap(claim -> claim.status().allocation().stream())
                .flatMap(allocation -> allocation.nodeSelector().stream())
                .allMatch(selector -> NodeSelectorMatcher.matches(selector, node));
    }

    /// Devices with a taint or a failed attachment must not get new consumers.
    private boolean isUsable(List<ResourceClaim> fixed) {
        return fixed.stream()
                .flatMap(claim -> claim.status().allocation().stream())
                .flatMap(allocation -> allocation.devices().stream())
                .allMatch(device ->
                        device.bindingConditions().isEmpty()
                                && slices.stream()
                                        .filter(s -> s.poolId().equals(device.id().poolId()))
                                        .flatMap(s -> s.spec().devices().stream())
                                        .filter(d -> d.name().equals(device.id().device()))
                                        .anyMatch(d ->
                                                d.taints().stream()
                                                        .noneMatch(t -> t.key().equals(BAD))));
    }

    private boolean fits(String name, List<ResourceClaim> free) {
        var node = nodes.stream().filter(one -> one.name().equals(name)).findFirst().orElseThrow();
        var refs = free.stream().map(ResourceClaim::ref).toList();
        var held = claims.stream().filter(claim -> !refs.contains(claim.ref())).toList();
        var question =
                new AllocationRequest(
                        PlacementFeatures.of(FeatureGates.defaults()),
                        node,
                        classes,
                        slices,
                        Holdings.of(held),
                        free.stream().map(c -> c.withStatus(ResourceClaimStatus.EMPTY)).toList());
        return reference.allocate(question, () -> "00000000-0000-4000-8000-000000000000")
                instanceof AllocationOutcome.Allocated;
    }
}
