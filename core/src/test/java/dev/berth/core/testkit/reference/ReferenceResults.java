package dev.berth.core.testkit.reference;

import dev.berth.core.allocate.AllocationRequest;
import dev.berth.core.allocate.rule.AllocatorFeature;
import dev.berth.model.api.claim.AllocatedDevice;
import dev.berth.model.api.claim.AllocationResult;
import dev.berth.model.api.claim.ConfigSource;
import dev.berth.model.api.claim.DeviceAllocationConfiguration;
import dev.berth.model.api.claim.DeviceConfiguration;
import dev.berth.model.api.claim.ResourceClaim;
import dev.berth.model.api.selector.NodeSelector;
import dev.berth.model.api.selector.NodeSelectorRequirement;
import dev.berth.model.api.selector.NodeSelectorTerm;
import dev.berth.model.api.slice.Device;
import dev.berth.model.api.slice.NodeScope;
import dev.berth.model.api.slice.SliceScope;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Optional;

/// Builds the AllocationResults of a solution.
final class ReferenceResults {

    private final AllocationRequest allocationRequest;
    private final List<List<ReferenceRequest>> requests;
    private final ReferenceState state;

    ReferenceResults(
            AllocationRequest allocationRequest,
            List<List<ReferenceRequest>> requests,
            ReferenceState state) {
        this.allocationRequest = allocationRequest;
        this.requests = requests;
        this.state = state;
    }

    List<AllocationResult> results() {
        var results = new ArrayList<AllocationResult>();
        for (var claim = 0; claim < requests.size(); claim++) {
            var placements = state.ofClaim(claim);
            results.add(
                    new AllocationResult(
                            placements.stream().map(this::device).toList(),
                            configuration(claim),
                            nodeSelector(allocationRequest.claims().get(claim), placements),
                            Optional.empty()));
        }
        return results;
    }

    private AllocatedDevice device(ReferencePlacement placement) {
        var device = placement.candidate().device();
        var bindings =
                allocationRequest.features().contains(AllocatorFeature.DEVICE_BINDING_AND_STATUS)
                        ? device
                        : Device.named(device.name());
        return new AllocatedDevice(
                placement.demand().fullName(),
                placement.candidate().id(),
                placement.demand().admin() ? Optional.of(true) : Optional.empty(),
                placement.demand().deviceDemand().tolerations(),
                bindings.bindingConditions(),
                bindings.bindingFailureConditions(),
                placement.shareId(),
                placement.consumed(),
                placement.candidate().slice().spec().skipNodeOperations());
    }

    private List<DeviceAllocationConfiguration> configuration(int claim) {
        var chosen = chosen(claim);
        var entries = new ArrayList<DeviceAllocationConfiguration>();
        var namesByClass = new LinkedHashMap<String, List<String>>();
        for (var demand : chosen) {
            namesByClass
                    .computeIfAbsent(demand.deviceClass().metadata().name(), _ -> new ArrayList<>())
                    .add(demand.fullName());
        }
        namesByClass.forEach((name, users) -> {
            for (var config : classConfigs(chosen, name)) {
                entries.add(
                        new DeviceAllocationConfiguration(
                                ConfigSource.Known.FROM_CLASS, users, config));
            }
        });
        for (var config : allocationRequest.claims().get(claim).spec().config()) {
            var names = config.requests();
            if (names.isEmpty() || chosen.stream().anyMatch(one -> isNamed(one, names))) {
                entries.add(
                        new DeviceAllocationConfiguration(
                                ConfigSource.Known.FROM_CLAIM, names, config.configuration()));
            }
        }
        return entries.stream().map(entry -> clearedIfForAll(entry, chosen)).toList();
    }

    private static List<DeviceConfiguration> classConfigs(
            List<ReferenceDemand> chosen, String name) {
        return chosen.stream()
                .filter(demand -> demand.deviceClass().metadata().name().equals(name))
                .findFirst()
                .orElseThrow()
                .deviceClass()
                .spec()
                .config();
    }

    private static DeviceAllocationConfiguration clearedIfForAll(
            DeviceAllocationConfiguration entry, List<ReferenceDemand> chosen) {
        return chosen.stream().allMatch(demand -> isNamed(demand, entry.requests()))
                ? new DeviceAllocationConfiguration(
                        entry.source(), List.of(), entry.configuration())
                : entry;
    }

    private static boolean isNamed(ReferenceDemand demand, List<String> names) {
        return names.contains(demand.fullName())
                || demand.parent().map(names::contains).orElse(false);
    }

    private List<ReferenceDemand> chosen(int claim) {
        var chosen = new ArrayList<ReferenceDemand>();
        for (var i = 0; i < requests.get(claim).size(); i++) {
            var request = requests.get(claim).get(i);
            chosen.add(request.alternatives().get(state.alternative(claim, i)));
        }
        return chosen;
    }

    private Optional<NodeSelector> nodeSelector(
            ResourceClaim claim, List<ReferencePlacement> placements) {
        var fields = new ArrayList<NodeSelectorRequirement>();
        var labels = new ArrayList<NodeSelectorRequirement>();
        for (var placement : placements) {
            var scope = scope(placement.candidate());
            if (scope.orElse(null) instanceof NodeScope.OneNode
                    || placement.candidate().device().bindsToNode().orElse(false)) {
                return Optional.of(NodeSelector.ofNode(allocationRequest.node().name()));
            }
            if (scope.orElse(null) instanceof NodeScope.MatchingNodes(var selector)) {
                var terms = selector.terms();
                if (terms.size() > 1) {
                    throw new AllocationFault(
                            ("create NodeSelector for claim %s:"
                                            + " unsupported ResourceSlice.NodeSelector"
                                            + " with %d terms")
                                    .formatted(claim.metadata().name(), terms.size()));
                }
                terms.forEach(term -> term.matchFields().forEach(one -> add(one, fields)));
                terms.forEach(term -> term.matchExpressions().forEach(one -> add(one, labels)));
            }
        }
        return fields.isEmpty() && labels.isEmpty()
                ? Optional.empty()
                : Optional.of(new NodeSelector(List.of(new NodeSelectorTerm(labels, fields))));
    }

    private static Optional<NodeScope> scope(ReferenceCandidate candidate) {
        var scope = candidate.slice().spec().scope();
        if (scope instanceof SliceScope.PerDevice) {
            return candidate.device().scope() instanceof NodeScope known
                    ? Optional.of(known)
                    : Optional.empty();
        }
        return scope instanceof NodeScope known ? Optional.of(known) : Optional.empty();
    }

    private static void add(
            NodeSelectorRequirement requirement, List<NodeSelectorRequirement> known) {
        if (known.stream().noneMatch(one -> isSame(one, requirement))) {
            known.add(requirement);
        }
    }

    private static boolean isSame(NodeSelectorRequirement one, NodeSelectorRequirement other) {
        return one.key().equals(other.key())
                && one.operator().equals(other.operator())
                && new HashSet<>(one.values()).equals(new HashSet<>(other.values()));
    }
}
