package dev.berth.core.allocate;

import dev.berth.core.allocate.rule.AllocatorFeature;
import dev.berth.core.allocate.search.Solution;
import dev.berth.core.allocate.state.NodeDevices;
import dev.berth.model.api.claim.AllocatedDevice;
import dev.berth.model.api.claim.AllocationResult;
import dev.berth.model.api.claim.ConfigSource;
import dev.berth.model.api.claim.DeviceAllocationConfiguration;
import dev.berth.model.api.claim.DeviceClass;
import dev.berth.model.api.claim.ResourceClaim;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;

/// Builds the AllocationResult of each claim from the solution of a search.
final class AllocationResultBuilder {

    private final NodeDevices nodeDevices;
    private final Map<String, DeviceClass> classes;
    private final boolean recordsBinding;
    private final Supplier<String> shareIds;
    private final AllocationNodes allocationNodes;

    AllocationResultBuilder(
            NodeDevices nodeDevices,
            Map<String, DeviceClass> classes,
            Set<AllocatorFeature> features,
            Supplier<String> shareIds) {
        this.nodeDevices = nodeDevices;
        this.classes = classes;
        this.recordsBinding = features.contains(AllocatorFeature.DEVICE_BINDING_AND_STATUS);
        this.shareIds = shareIds;
        this.allocationNodes = new AllocationNodes(nodeDevices);
    }

    List<AllocationResult> results(List<ResourceClaim> claims, Solution solution) {
        var results = new ArrayList<AllocationResult>();
        for (var claim = 0; claim < claims.size(); claim++) {
            results.add(result(claim, claims.get(claim), solution));
        }
        return results;
    }

    private AllocationResult result(int number, ResourceClaim claim, Solution solution) {
        var devices = new ArrayList<AllocatedDevice>();
        var numbers = new ArrayList<Integer>();
        for (var chosen : solution.devices()) {
            if (chosen.request().claim() == number) {
                devices.add(device(chosen));
                numbers.add(chosen.device());
            }
        }
        var served = new ArrayList<Solution.ServedRequest>();
        for (var request : solution.served()) {
            if (request.claim() == number) {
                served.add(request);
            }
        }
        return new AllocationResult(
                devices,
                configuration(claim, served),
                allocationNodes.of(numbers),
                Optional.empty());
    }

    private AllocatedDevice device(Solution.ChosenDevice chosen) {
        var device = chosen.device();
        var traits = nodeDevices.traits(device);
        var shareable = nodeDevices.isShareable(device);
        return new AllocatedDevice(
                chosen.request().name(),
                nodeDevices.id(device),
                chosen.request().admin() ? Optional.of(true) : Optional.empty(),
                chosen.request().demand().tolerations(),
                recordsBinding ? traits.bindingConditions() : List.of(),
                recordsBinding ? traits.bindingFailureConditions() : List.of(),
                shareable ? Optional.of(shareIds.get()) : Optional.empty(),
                shareable ? chosen.consumed() : Map.of(),
                nodeDevices.pool(device).slice(nodeDevices.row(device)).skipNodeOperations());
    }

    /// Configuration of the classes first, then of the claim: drivers let later entries override
    /// earlier ones.
    private List<DeviceAllocationConfiguration> configuration(
            ResourceClaim claim, List<Solution.ServedRequest> served) {
        var configuration = new ArrayList<DeviceAllocationConfiguration>();
        var users = new LinkedHashMap<String, List<String>>();
        for (var request : served) {
            users.computeIfAbsent(request.demand().deviceClassName(), _ -> new ArrayList<>())
                    .add(request.name());
        }
        users.forEach((name, names) -> {
            var deviceClass = classes.get(name);
            if (deviceClass != null) {
                for (var parameters : deviceClass.spec().config()) {
                    configuration.add(
                            new DeviceAllocationConfiguration(
                                    ConfigSource.Known.FROM_CLASS,
                                    scoped(names, served),
                                    parameters));
                }
            }
        });
        for (var entry : claim.spec().config()) {
            if (entry.requests().isEmpty()
                    || entry.requests().stream().anyMatch(name -> appliesTo(name, served))) {
                configuration.add(
                        new DeviceAllocationConfiguration(
                                ConfigSource.Known.FROM_CLAIM,
                                scoped(entry.requests(), served),
                                entry.configuration()));
            }
        }
        return configuration;
    }

    private static boolean appliesTo(String name, List<Solution.ServedRequest> served) {
        return served.stream()
                .anyMatch(request -> request.request().equals(name) || request.name().equals(name));
    }

    /// An empty list if the names cover all requests: no names means all requests.
    private static List<String> scoped(List<String> names, List<Solution.ServedRequest> served) {
        var coversAll =
                served.stream()
                        .allMatch(request ->
                                names.contains(request.request())
                                        || names.contains(request.name()));
        return coversAll ? List.of() : names;
    }
}
