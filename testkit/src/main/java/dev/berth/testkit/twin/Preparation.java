package dev.berth.testkit.twin;

import dev.berth.core.allocate.AllocationQuestion;
import dev.berth.core.allocate.AllocatorFeature;
import dev.berth.model.api.AllocationCount;
import dev.berth.model.api.DeviceClass;
import dev.berth.model.api.DeviceConstraint;
import dev.berth.model.api.DeviceDemand;
import dev.berth.model.api.DeviceRequest;
import dev.berth.model.api.DeviceSelector;
import dev.berth.model.api.DeviceSubRequest;
import dev.berth.model.api.ResourceClaim;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// Checks the claims before the search and finds out how many devices each request means.
final class Preparation {

    static final int MOST_DEVICES_PER_CLAIM = 32;

    private final AllocationQuestion question;
    private final List<Pool> pools;
    private final Selectors selectors;
    private final Capacities capacities;

    Preparation(
            AllocationQuestion question,
            List<Pool> pools,
            Selectors selectors,
            Capacities capacities) {
        this.question = question;
        this.pools = pools;
        this.selectors = selectors;
        this.capacities = capacities;
    }

    /// The requests of each claim.
    List<List<PreparedRequest>> prepare() {
        var prepared = new ArrayList<List<PreparedRequest>>();
        for (var claim : question.claims()) {
            var requests = new ArrayList<PreparedRequest>();
            for (var request : claim.spec().requests()) {
                requests.add(prepare(claim, request));
            }
            var devices = requests.stream().mapToLong(PreparedRequest::fewestDevices).sum();
            if (devices > MOST_DEVICES_PER_CLAIM) {
                throw new Fatal(
                        "claim %s: number of requested devices %d exceeds the claim limit of %d"
                                .formatted(claim.ref(), devices, MOST_DEVICES_PER_CLAIM));
            }
            checkConstraints(claim);
            prepared.add(List.copyOf(requests));
        }
        return prepared;
    }

    private PreparedRequest prepare(ResourceClaim claim, DeviceRequest request) {
        return switch (request) {
            case DeviceRequest.Exactly exactly -> {
                refuseCapacity(claim, "request", exactly.name(), exactly.demand());
                var demand =
                        prepare(
                                claim,
                                exactly.name(),
                                Optional.empty(),
                                exactly.demand(),
                                exactly.adminAccess());
                yield new PreparedRequest(exactly.name(), false, List.of(demand));
            }
            case DeviceRequest.FirstAvailable(var name, var alternatives) ->
                    prepareChoice(claim, name, alternatives);
            case DeviceRequest.Unrecognised(var name, _) ->
                    throw new Fatal(
                            place(claim, name)
                                    + ": missing device class name (unsupported request type?)");
        };
    }

    private PreparedRequest prepareChoice(
            ResourceClaim claim, String name, List<DeviceSubRequest> alternatives) {
        if (!has(AllocatorFeature.PRIORITIZED_LIST)) {
            throw new Fatal(
                    place(claim, name)
                            + ": has subrequests, but the DRAPrioritizedList feature is disabled");
        }
        for (var alternative : alternatives) {
            refuseCapacity(claim, "subrequest", alternative.name(), alternative.demand());
        }
        var demands = new ArrayList<Demand>();
        for (var alternative : alternatives) {
            demands.add(
                    prepare(
                            claim,
                            alternative.name(),
                            Optional.of(name),
                            alternative.demand(),
                            Optional.empty()));
        }
        return new PreparedRequest(name, true, demands);
    }

    private void refuseCapacity(ResourceClaim claim, String kind, String name, DeviceDemand wish) {
        if (wish.capacity().isPresent() && !has(AllocatorFeature.CONSUMABLE_CAPACITY)) {
            throw new Fatal(
                    ("claim %s, %s %s: has capacity requests,"
                                    + " but the DRAConsumableCapacity feature is disabled")
                            .formatted(claim.ref(), kind, name));
        }
    }

    private Demand prepare(
            ResourceClaim claim,
            String name,
            Optional<String> parent,
            DeviceDemand wish,
            Optional<Boolean> adminAccess) {
        var place = place(claim, name);
        if (!wish.derivedAttributes().isEmpty() && !has(AllocatorFeature.DERIVED_ATTRIBUTES)) {
            throw new Fatal(
                    place
                            + ": cannot handle request with derived attributes,"
                            + " the feature is disabled");
        }
        for (var i = 0; i < wish.selectors().size(); i++) {
            if (wish.selectors().get(i) instanceof DeviceSelector.Unrecognised) {
                throw new Fatal(
                        "%s, selector #%d: CEL expression empty (unsupported selector type?)"
                                .formatted(place, i));
            }
        }
        if (adminAccess.isPresent() && !has(AllocatorFeature.ADMIN_ACCESS)) {
            throw new Fatal(place + ": admin access is requested, but the feature is disabled");
        }
        var deviceClass = classOf(place, wish.deviceClassName());
        var unsized =
                new Demand(
                        name,
                        parent,
                        wish,
                        adminAccess.orElse(false),
                        deviceClass,
                        0,
                        Optional.empty());
        return switch (wish.count()) {
            case AllocationCount.ExactCount(var count) -> sized(unsized, count);
            case AllocationCount.All _ -> withAll(unsized, allDevices(claim, place, unsized));
            case AllocationCount.Unrecognised(var mode, _) when mode.equals("All") ->
                    withAll(unsized, allDevices(claim, place, unsized));
            case AllocationCount.Unrecognised(var mode, _) ->
                    throw new Fatal(place + ": unsupported count mode " + mode);
        };
    }

    private DeviceClass classOf(String place, String name) {
        if (name.isEmpty()) {
            throw new Fatal(place + ": missing device class name (unsupported request type?)");
        }
        return question.classes().stream()
                .filter(one -> one.metadata().name().equals(name))
                .findFirst()
                .orElseThrow(() ->
                        new Fatal(
                                ("%s: could not retrieve device class %s:"
                                                + " deviceclass.resource.k8s.io \"%s\" not found")
                                        .formatted(place, name, name)));
    }

    private static Demand sized(Demand demand, long count) {
        return new Demand(
                demand.name(),
                demand.parent(),
                demand.wish(),
                demand.admin(),
                demand.deviceClass(),
                count,
                Optional.empty());
    }

    private static Demand withAll(Demand demand, List<Candidate> devices) {
        return new Demand(
                demand.name(),
                demand.parent(),
                demand.wish(),
                demand.admin(),
                demand.deviceClass(),
                devices.size(),
                Optional.of(devices));
    }

    private List<Candidate> allDevices(ResourceClaim claim, String place, Demand demand) {
        var devices = new ArrayList<Candidate>();
        for (var pool : pools) {
            if (selectors.concerns(demand, pool.id().driver())) {
                refuseBroken(place, pool);
            }
            for (var candidate : pool.candidates()) {
                if (selectors.select(claim, demand, candidate)
                        && hasEnough(place, demand, candidate)) {
                    devices.add(candidate);
                }
            }
        }
        return List.copyOf(devices);
    }

    private static void refuseBroken(String place, Pool pool) {
        switch (pool.state()) {
            case INCOMPLETE -> refuseAll(place, pool, "being updated");
            case INVALID -> refuseAll(place, pool, "invalid");
            case USABLE -> {}
        }
    }

    private static void refuseAll(String place, Pool pool, String state) {
        throw new Fatal(
                "%s: asks for all devices, but resource pool %s is currently %s"
                        .formatted(place, pool.id(), state));
    }

    /// Only what the device has at all; what is left of it is for the search to find out.
    private boolean hasEnough(String place, Demand demand, Candidate candidate) {
        if (!has(AllocatorFeature.CONSUMABLE_CAPACITY)) {
            return true;
        }
        var device = candidate.device();
        try {
            return capacities.consumed(device, demand.wish(), Map.of()).isPresent();
        } catch (Fatal fault) {
            throw new Fatal(
                    "%s: checking capacity for device %s: %s"
                            .formatted(place, device.name(), fault.fault()));
        }
    }

    private static void checkConstraints(ResourceClaim claim) {
        var constraints = claim.spec().constraints();
        for (var i = 0; i < constraints.size(); i++) {
            if (constraints.get(i) instanceof DeviceConstraint.Unrecognised) {
                throw new Fatal(
                        "claim %s, constraint #%d: empty constraint (unsupported constraint type?)"
                                .formatted(claim.ref(), i));
            }
        }
    }

    private static String place(ResourceClaim claim, String request) {
        return "claim %s, request %s".formatted(claim.ref(), request);
    }

    private boolean has(AllocatorFeature feature) {
        return question.features().contains(feature);
    }
}
