package dev.berth.core.testkit.reference;

import dev.berth.core.allocate.AllocationRequest;
import dev.berth.core.allocate.rule.AllocatorFeature;
import dev.berth.model.api.claim.AllocationCount;
import dev.berth.model.api.claim.DeviceClass;
import dev.berth.model.api.claim.DeviceConstraint;
import dev.berth.model.api.claim.DeviceDemand;
import dev.berth.model.api.claim.DeviceRequest;
import dev.berth.model.api.claim.DeviceSelector;
import dev.berth.model.api.claim.DeviceSubRequest;
import dev.berth.model.api.claim.ResourceClaim;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// Validates the claims before the search and determines the device count of each request.
final class ReferencePreparation {

    static final int MOST_DEVICES_PER_CLAIM = 32;

    private final AllocationRequest allocationRequest;
    private final List<ReferencePool> pools;
    private final ReferenceSelectors selectors;
    private final ReferenceCapacities capacities;

    ReferencePreparation(
            AllocationRequest allocationRequest,
            List<ReferencePool> pools,
            ReferenceSelectors selectors,
            ReferenceCapacities capacities) {
        this.allocationRequest = allocationRequest;
        this.pools = pools;
        this.selectors = selectors;
        this.capacities = capacities;
    }

    /// The requests of each claim.
    List<List<ReferenceRequest>> prepare() {
        var prepared = new ArrayList<List<ReferenceRequest>>();
        for (var claim : allocationRequest.claims()) {
            var requests = new ArrayList<ReferenceRequest>();
            for (var request : claim.spec().requests()) {
                requests.add(prepare(claim, request));
            }
            var devices = requests.stream().mapToLong(ReferenceRequest::fewestDevices).sum();
            if (devices > MOST_DEVICES_PER_CLAIM) {
                throw new AllocationFault(
                        "claim %s: number of requested devices %d exceeds the claim limit of %d"
                                .formatted(claim.ref(), devices, MOST_DEVICES_PER_CLAIM));
            }
            checkConstraints(claim);
            prepared.add(List.copyOf(requests));
        }
        return prepared;
    }

    private ReferenceRequest prepare(ResourceClaim claim, DeviceRequest request) {
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
                yield new ReferenceRequest(exactly.name(), false, List.of(demand));
            }
            case DeviceRequest.FirstAvailable(var name, var alternatives) ->
                    prepareChoice(claim, name, alternatives);
            case DeviceRequest.Unrecognised(var name, _) ->
                    throw new AllocationFault(
                            place(claim, name)
                                    + ": missing device class name (unsupported request type?)");
        };
    }

    private ReferenceRequest prepareChoice(
            ResourceClaim claim, String name, List<DeviceSubRequest> alternatives) {
        if (!has(AllocatorFeature.PRIORITIZED_LIST)) {
            throw new AllocationFault(
                    place(claim, name)
                            + ": has subrequests, but the DRAPrioritizedList feature is disabled");
        }
        for (var alternative : alternatives) {
            refuseCapacity(claim, "subrequest", alternative.name(), alternative.demand());
        }
        var demands = new ArrayList<ReferenceDemand>();
        for (var alternative : alternatives) {
            demands.add(
                    prepare(
                            claim,
                            alternative.name(),
                            Optional.of(name),
                            alternative.demand(),
                            Optional.empty()));
        }
        return new ReferenceRequest(name, true, demands);
    }

    private void refuseCapacity(
            ResourceClaim claim, String kind, String name, DeviceDemand deviceDemand) {
        if (deviceDemand.capacity().isPresent() && !has(AllocatorFeature.CONSUMABLE_CAPACITY)) {
            throw new AllocationFault(
                    ("claim %s, %s %s: has capacity requests,"
                                    + " but the DRAConsumableCapacity feature is disabled")
                            .formatted(claim.ref(), kind, name));
        }
    }

    private ReferenceDemand prepare(
            ResourceClaim claim,
            String name,
            Optional<String> parent,
            DeviceDemand deviceDemand,
            Optional<Boolean> adminAccess) {
        var place = place(claim, name);
        if (!deviceDemand.derivedAttributes().isEmpty()
                && !has(AllocatorFeature.DERIVED_ATTRIBUTES)) {
            throw new AllocationFault(
                    place
                            + ": cannot handle request with derived attributes,"
                            + " the feature is disabled");
        }
        for (var i = 0; i < deviceDemand.selectors().size(); i++) {
            if (deviceDemand.selectors().get(i) instanceof DeviceSelector.Unrecognised) {
                throw new AllocationFault(
                        "%s, selector #%d: CEL expression empty (unsupported selector type?)"
                                .formatted(place, i));
            }
        }
        if (adminAccess.isPresent() && !has(AllocatorFeature.ADMIN_ACCESS)) {
            throw new AllocationFault(
                    place + ": admin access is requested, but the feature is disabled");
        }
        var deviceClass = classOf(place, deviceDemand.deviceClassName());
        var unsized =
                new ReferenceDemand(
                        name,
                        parent,
                        deviceDemand,
                        adminAccess.orElse(false),
                        deviceClass,
                        0,
                        Optional.empty());
        return switch (deviceDemand.count()) {
            case AllocationCount.ExactCount(var count) -> sized(unsized, count);
            case AllocationCount.All _ -> withAll(unsized, allDevices(claim, place, unsized));
            case AllocationCount.Unrecognised(var mode, _) when mode.equals("All") ->
                    withAll(unsized, allDevices(claim, place, unsized));
            case AllocationCount.Unrecognised(var mode, _) ->
                    throw new AllocationFault(place + ": unsupported count mode " + mode);
        };
    }

    private DeviceClass classOf(String place, String name) {
        if (name.isEmpty()) {
            throw new AllocationFault(
                    place + ": missing device class name (unsupported request type?)");
        }
        return allocationRequest.classes().stream()
                .filter(one -> one.metadata().name().equals(name))
                .findFirst()
                .orElseThrow(() ->
                        new AllocationFault(
                                ("%s: could not retrieve device class %s:"
                                                + " deviceclass.resource.k8s.io \"%s\" not found")
                                        .formatted(place, name, name)));
    }

    private static ReferenceDemand sized(ReferenceDemand demand, long count) {
        return new ReferenceDemand(
                demand.name(),
                demand.parent(),
                demand.deviceDemand(),
                demand.admin(),
                demand.deviceClass(),
                count,
                Optional.empty());
    }

    private static ReferenceDemand withAll(
            ReferenceDemand demand, List<ReferenceCandidate> devices) {
        return new ReferenceDemand(
                demand.name(),
                demand.parent(),
                demand.deviceDemand(),
                demand.admin(),
                demand.deviceClass(),
                devices.size(),
                Optional.of(devices));
    }

    private List<ReferenceCandidate> allDevices(
            ResourceClaim claim, String place, ReferenceDemand demand) {
        var devices = new ArrayList<ReferenceCandidate>();
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

    private static void refuseBroken(String place, ReferencePool pool) {
        switch (pool.state()) {
            case INCOMPLETE -> refuseAll(place, pool, "being updated");
            case INVALID -> refuseAll(place, pool, "invalid");
            case USABLE -> {}
        }
    }

    private static void refuseAll(String place, ReferencePool pool, String state) {
        throw new AllocationFault(
                "%s: asks for all devices, but resource pool %s is currently %s"
                        .formatted(place, pool.id(), state));
    }

    /// Checks the total capacity of the device; the search checks the remaining capacity.
    private boolean hasEnough(String place, ReferenceDemand demand, ReferenceCandidate candidate) {
        if (!has(AllocatorFeature.CONSUMABLE_CAPACITY)) {
            return true;
        }
        var device = candidate.device();
        try {
            return capacities.consumed(device, demand.deviceDemand(), Map.of()).isPresent();
        } catch (AllocationFault fault) {
            throw new AllocationFault(
                    "%s: checking capacity for device %s: %s"
                            .formatted(place, device.name(), fault.fault()));
        }
    }

    private static void checkConstraints(ResourceClaim claim) {
        var constraints = claim.spec().constraints();
        for (var i = 0; i < constraints.size(); i++) {
            if (constraints.get(i) instanceof DeviceConstraint.Unrecognised) {
                throw new AllocationFault(
                        "claim %s, constraint #%d: empty constraint (unsupported constraint type?)"
                                .formatted(claim.ref(), i));
            }
        }
    }

    private static String place(ResourceClaim claim, String request) {
        return "claim %s, request %s".formatted(claim.ref(), request);
    }

    private boolean has(AllocatorFeature feature) {
        return allocationRequest.features().contains(feature);
    }
}
