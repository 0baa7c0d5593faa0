package dev.berth.core.allocate;

import dev.berth.model.api.AllocatedDevice;
import dev.berth.model.api.AllocationResult;
import dev.berth.model.api.ConfigSource;
import dev.berth.model.api.DeviceAllocationConfiguration;
import dev.berth.model.api.DeviceClass;
import dev.berth.model.api.ResourceClaim;
import dev.berth.model.quantity.Quantity;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;

/// Writes down what the search has found, as the API stores it.
final class ResultBuilder {

    private final Arena arena;
    private final List<SearchRequest> requests;
    private final Map<String, DeviceClass> classes;
    private final boolean recordsBinding;
    private final Supplier<String> shareIds;
    private final NodeReach reach;

    ResultBuilder(
            Arena arena,
            List<SearchRequest> requests,
            Map<String, DeviceClass> classes,
            Set<AllocatorFeature> features,
            Supplier<String> shareIds) {
        this.arena = arena;
        this.requests = requests;
        this.classes = classes;
        this.recordsBinding = features.contains(AllocatorFeature.DEVICE_BINDING_AND_STATUS);
        this.shareIds = shareIds;
        this.reach = new NodeReach(arena);
    }

    List<AllocationResult> results(List<ResourceClaim> claims, Search.Finding.Found found) {
        var results = new ArrayList<AllocationResult>();
        for (var claim = 0; claim < claims.size(); claim++) {
            results.add(result(claim, claims.get(claim), found));
        }
        return results;
    }

    private AllocationResult result(int number, ResourceClaim claim, Search.Finding.Found found) {
        var devices = new ArrayList<AllocatedDevice>();
        var chosen = new ArrayList<Integer>();
        for (var choice : found.choices()) {
            var request = requests.get(choice.request());
            if (request.claim() == number) {
                devices.add(device(request.options().get(choice.option()), choice.device()));
                chosen.add(choice.device());
            }
        }
        var options = new ArrayList<Option>();
        for (var i = 0; i < requests.size(); i++) {
            if (requests.get(i).claim() == number) {
                options.add(requests.get(i).options().get(found.chosenOptions()[i]));
            }
        }
        return new AllocationResult(
                devices, configuration(claim, options), reach.of(chosen), Optional.empty());
    }

    private AllocatedDevice device(Option option, int device) {
        var traits = arena.traits(device);
        return new AllocatedDevice(
                option.name(),
                arena.id(device),
                option.admin() ? Optional.of(true) : Optional.empty(),
                option.demand().tolerations(),
                recordsBinding ? traits.bindingConditions() : List.of(),
                recordsBinding ? traits.bindingFailureConditions() : List.of(),
                arena.isShareable(device) ? Optional.of(shareIds.get()) : Optional.empty(),
                arena.isShareable(device) ? consumed(option, device) : Map.of(),
                arena.pool(device).slice(arena.row(device)).skipNodeOperations());
    }

    private static Map<String, Quantity> consumed(Option option, int device) {
        var amounts = option.consumed().get(device);
        return amounts == null ? Map.of() : amounts;
    }

    /// Parameters of the classes first, then those of the claim: later ones win with drivers.
    private List<DeviceAllocationConfiguration> configuration(
            ResourceClaim claim, List<Option> options) {
        var configuration = new ArrayList<DeviceAllocationConfiguration>();
        var users = new LinkedHashMap<String, List<String>>();
        for (var option : options) {
            users.computeIfAbsent(option.demand().deviceClassName(), _ -> new ArrayList<>())
                    .add(option.name());
        }
        users.forEach((name, names) -> {
            var deviceClass = classes.get(name);
            if (deviceClass != null) {
                for (var parameters : deviceClass.spec().config()) {
                    configuration.add(
                            new DeviceAllocationConfiguration(
                                    ConfigSource.Known.FROM_CLASS,
                                    scoped(names, options),
                                    parameters));
                }
            }
        });
        for (var entry : claim.spec().config()) {
            if (entry.requests().isEmpty()
                    || entry.requests().stream().anyMatch(name -> isMeant(name, options))) {
                configuration.add(
                        new DeviceAllocationConfiguration(
                                ConfigSource.Known.FROM_CLAIM,
                                scoped(entry.requests(), options),
                                entry.configuration()));
            }
        }
        return configuration;
    }

    private static boolean isMeant(String name, List<Option> options) {
        return options.stream()
                .anyMatch(option -> option.request().equals(name) || option.name().equals(name));
    }

    /// Names that cover every request are left out: none means all.
    private static List<String> scoped(List<String> names, List<Option> options) {
        var coversAll =
                options.stream()
                        .allMatch(option ->
                                names.contains(option.request()) || names.contains(option.name()));
        return coversAll ? List.of() : names;
    }
}
