package dev.berth.core.allocate;

import dev.berth.model.api.AllocatedDevice;
import dev.berth.model.api.AllocationResult;
import dev.berth.model.api.ConfigSource;
import dev.berth.model.api.DeviceAllocationConfiguration;
import dev.berth.model.api.DeviceClass;
import dev.berth.model.api.ResourceClaim;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;

/// Writes down what the search has found, as the API stores it.
final class AllocationResultBuilder {

    private final NodeDevices arena;
    private final Map<String, DeviceClass> classes;
    private final boolean recordsBinding;
    private final Supplier<String> shareIds;
    private final AllocationNodes reach;

    AllocationResultBuilder(
            NodeDevices arena,
            Map<String, DeviceClass> classes,
            Set<AllocatorFeature> features,
            Supplier<String> shareIds) {
        this.arena = arena;
        this.classes = classes;
        this.recordsBinding = features.contains(AllocatorFeature.DEVICE_BINDING_AND_STATUS);
        this.shareIds = shareIds;
        this.reach = new AllocationNodes(arena);
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
        var chosen = new ArrayList<Integer>();
        for (var taken : solution.taken()) {
            if (taken.wish().claim() == number) {
                devices.add(device(taken));
                chosen.add(taken.device());
            }
        }
        var wishes = new ArrayList<Solution.Wish>();
        for (var wish : solution.wishes()) {
            if (wish.claim() == number) {
                wishes.add(wish);
            }
        }
        return new AllocationResult(
                devices, configuration(claim, wishes), reach.of(chosen), Optional.empty());
    }

    private AllocatedDevice device(Solution.Taken taken) {
        var device = taken.device();
        var traits = arena.traits(device);
        var shareable = arena.isShareable(device);
        return new AllocatedDevice(
                taken.wish().name(),
                arena.id(device),
                taken.wish().admin() ? Optional.of(true) : Optional.empty(),
                taken.wish().demand().tolerations(),
                recordsBinding ? traits.bindingConditions() : List.of(),
                recordsBinding ? traits.bindingFailureConditions() : List.of(),
                shareable ? Optional.of(shareIds.get()) : Optional.empty(),
                shareable ? taken.consumed() : Map.of(),
                arena.pool(device).slice(arena.row(device)).skipNodeOperations());
    }

    /// Parameters of the classes first, then those of the claim: later ones win with drivers.
    private List<DeviceAllocationConfiguration> configuration(
            ResourceClaim claim, List<Solution.Wish> wishes) {
        var configuration = new ArrayList<DeviceAllocationConfiguration>();
        var users = new LinkedHashMap<String, List<String>>();
        for (var wish : wishes) {
            users.computeIfAbsent(wish.demand().deviceClassName(), _ -> new ArrayList<>())
                    .add(wish.name());
        }
        users.forEach((name, names) -> {
            var deviceClass = classes.get(name);
            if (deviceClass != null) {
                for (var parameters : deviceClass.spec().config()) {
                    configuration.add(
                            new DeviceAllocationConfiguration(
                                    ConfigSource.Known.FROM_CLASS,
                                    scoped(names, wishes),
                                    parameters));
                }
            }
        });
        for (var entry : claim.spec().config()) {
            if (entry.requests().isEmpty()
                    || entry.requests().stream().anyMatch(name -> isMeant(name, wishes))) {
                configuration.add(
                        new DeviceAllocationConfiguration(
                                ConfigSource.Known.FROM_CLAIM,
                                scoped(entry.requests(), wishes),
                                entry.configuration()));
            }
        }
        return configuration;
    }

    private static boolean isMeant(String name, List<Solution.Wish> wishes) {
        return wishes.stream()
                .anyMatch(wish -> wish.request().equals(name) || wish.name().equals(name));
    }

    /// Names that cover every request are left out: none means all.
    private static List<String> scoped(List<String> names, List<Solution.Wish> wishes) {
        var coversAll =
                wishes.stream()
                        .allMatch(wish ->
                                names.contains(wish.request()) || names.contains(wish.name()));
        return coversAll ? List.of() : names;
    }
}
