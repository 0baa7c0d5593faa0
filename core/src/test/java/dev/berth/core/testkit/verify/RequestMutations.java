package dev.berth.core.testkit.verify;

import dev.berth.core.allocate.rule.AllocatorFeature;
import dev.berth.core.ledger.Holdings;
import dev.berth.model.api.claim.AllocationCount;
import dev.berth.model.api.claim.DeviceConstraint;
import dev.berth.model.api.claim.DeviceDemand;
import dev.berth.model.api.claim.DeviceRequest;
import dev.berth.model.api.claim.DeviceSelector;
import dev.berth.model.api.claim.DeviceSubRequest;
import dev.berth.model.api.claim.ResourceClaimSpec;
import dev.berth.model.api.claim.ShareId;
import dev.berth.model.api.slice.AttributeValue;
import dev.berth.model.api.slice.CounterSet;
import dev.berth.model.api.slice.Device;
import dev.berth.model.api.slice.DeviceCapacity;
import dev.berth.model.api.slice.DeviceCounterConsumption;
import dev.berth.model.api.slice.NodeScope;
import dev.berth.model.api.slice.ResourcePool;
import dev.berth.model.api.slice.ResourceSlice;
import dev.berth.model.api.slice.ResourceSliceSpec;
import dev.berth.model.api.taint.DeviceTaint;
import dev.berth.model.api.taint.TaintEffect;
import dev.berth.model.quantity.Quantity;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;

/// Mutations of the cluster or the claims that invalidate an allocation.
final class RequestMutations {
    private static final String MADE_UP = "made.up/name";

    private RequestMutations() {}

    static List<AllocationMutation> all() {
        return Stream.of(holdings(), inventory(), claims(), gates()).flatMap(List::stream).toList();
    }

    private static List<AllocationMutation> holdings() {
        return List.of(
                new AllocationMutation(
                        "another claim holds the device",
                        "held by others",
                        one -> !one.device().isAdmin(),
                        RequestMutations::hold),
                new AllocationMutation(
                        "another claim has the share",
                        "id of another",
                        one -> one.device().share().isPresent(),
                        RequestMutations::holdShare),
                new AllocationMutation(
                        "a second claim gets the same devices",
                        "given out twice",
                        one -> one.device().shareId().isEmpty() && !one.device().isAdmin(),
                        RequestMutations::repeatClaim),
                new AllocationMutation(
                        "the device is tainted",
                        "not tolerated",
                        one ->
                                one.has(AllocatorFeature.DEVICE_TAINTS)
                                        && one.device().tolerations().isEmpty(),
                        RequestMutations::taint),
                new AllocationMutation(
                        "counters are used up",
                        "is drawn",
                        one -> consumesCounters(one) && !one.published().isShareable(),
                        RequestMutations::emptyCounters),
                new AllocationMutation(
                        "groups do not agree",
                        "groups",
                        RequestMutations::sharesCounters,
                        RequestMutations::separateGroups),
                new AllocationMutation(
                        "capacity is smaller",
                        "capacity",
                        one ->
                                one.device().consumedCapacity().values().stream()
                                        .anyMatch(amount -> amount.signum() > 0),
                        RequestMutations::emptyCapacity));
    }

    private static List<AllocationMutation> inventory() {
        return List.of(
                AllocationMutation.always(
                        "selectors do not match",
                        "does not match",
                        RequestMutations::selectNothing),
                AllocationMutation.always(
                        "the pool is incomplete", "", RequestMutations::removeSlice),
                AllocationMutation.always(
                        "the pool names a device twice", "cannot be used", RequestMutations::twice),
                AllocationMutation.always(
                        "the pool is elsewhere", "no device", RequestMutations::move));
    }

    private static List<AllocationMutation> claims() {
        return List.of(
                new AllocationMutation(
                        "more devices are requested",
                        "instead of",
                        one -> exactRequest(one).isPresent(),
                        RequestMutations::requestMore),
                AllocationMutation.always(
                        "a constraint requires an attribute that no device has",
                        "no value",
                        one -> constrained(one, match())),
                new AllocationMutation(
                        "values do not match",
                        "values are",
                        one -> differentDevices(one) > 1,
                        one -> constrained(withAttribute(one, true), match())),
                new AllocationMutation(
                        "values are not distinct",
                        "values are",
                        one -> one.result().devices().size() > 1,
                        one ->
                                constrained(
                                        withAttribute(one, false),
                                        new DeviceConstraint.DistinctAttribute(
                                                List.of(), MADE_UP))));
    }

    private static List<AllocationMutation> gates() {
        return List.of(
                gate(
                        AllocatorFeature.PRIORITIZED_LIST,
                        "alternatives are off",
                        one -> one.device().request().contains("/")),
                gate(
                        AllocatorFeature.ADMIN_ACCESS,
                        "administrative access is off",
                        one -> one.device().isAdmin()),
                gate(
                        AllocatorFeature.CONSUMABLE_CAPACITY,
                        "capacity is off",
                        one -> demand(one).map(d -> d.capacity().isPresent()).orElse(false)),
                gate(
                        AllocatorFeature.DERIVED_ATTRIBUTES,
                        "derived attributes are off",
                        one ->
                                demand(one)
                                        .map(d -> !d.derivedAttributes().isEmpty())
                                        .orElse(false)),
                gate(
                        AllocatorFeature.PARTITIONABLE_DEVICES,
                        "is a partition",
                        one ->
                                consumesCounters(one)
                                        && one.slice().spec().scope() instanceof NodeScope),
                gate(
                        AllocatorFeature.DEVICE_BINDING_AND_STATUS,
                        "has binding conditions",
                        one -> !one.published().bindingConditions().isEmpty()),
                gate(
                        AllocatorFeature.OPTIONAL_NODE_OPERATIONS,
                        "cannot skip operations",
                        one -> !one.slice().spec().skipNodeOperations().isEmpty()));
    }

    private static AllocationMutation gate(
            AllocatorFeature feature, String symptom, Predicate<VerifiedAllocation> applies) {
        return new AllocationMutation(
                feature.upstreamName() + " is off", symptom, applies, one -> one.without(feature));
    }

    private static VerifiedAllocation hold(VerifiedAllocation one) {
        var holdings = one.allocationRequest().holdings();
        var exclusive = new HashSet<>(holdings.exclusive());
        exclusive.add(one.device().id());
        return one.withHoldings(new Holdings(exclusive, holdings.shares(), holdings.consumed()));
    }

    private static VerifiedAllocation holdShare(VerifiedAllocation one) {
        var holdings = one.allocationRequest().holdings();
        var shares = new HashSet<ShareId>(holdings.shares());
        shares.add(one.device().share().orElseThrow());
        return one.withHoldings(new Holdings(holdings.exclusive(), shares, holdings.consumed()));
    }

    private static VerifiedAllocation repeatClaim(VerifiedAllocation one) {
        var claims = new ArrayList<>(one.allocationRequest().claims());
        claims.add(one.resourceClaim());
        var results = new ArrayList<>(one.results());
        results.add(one.result());
        return one.withClaims(claims).withResults(results);
    }

    private static VerifiedAllocation taint(VerifiedAllocation one) {
        var taint = new DeviceTaint(MADE_UP, "", TaintEffect.Known.NO_EXECUTE, Optional.empty());
        return one.withEach((_, device) -> device.withTaints(List.of(taint)));
    }

    private static boolean consumesCounters(VerifiedAllocation one) {
        return one.published().consumesCounters().stream()
                .anyMatch(consumption -> !consumption.counters().isEmpty());
    }

    private static VerifiedAllocation emptyCounters(VerifiedAllocation one) {
        return one.withPool(spec ->
                new ResourceSliceSpec(
                        spec.driver(),
                        spec.pool(),
                        spec.scope(),
                        spec.devices(),
                        spec.sharedCounters().stream().map(RequestMutations::emptied).toList(),
                        spec.partitionTypeAttribute(),
                        spec.skipNodeOperations()));
    }

    private static CounterSet emptied(CounterSet set) {
        var counters = new HashMap<String, Quantity>();
        set.counters().keySet().forEach(name -> counters.put(name, Quantity.ZERO));
        return new CounterSet(set.name(), counters);
    }

    private static boolean sharesCounters(VerifiedAllocation one) {
        var isFirst = one.published().consumesCounters().stream();
        return one.has(AllocatorFeature.COMPATIBILITY_GROUPS)
                && one.allocationRequest().holdings().equals(Holdings.NONE)
                && isFirst.anyMatch(c -> c.counterSet().equals("board-0"))
                && one.result().devices().stream()
                                .filter(d -> d.id().poolId().equals(one.device().id().poolId()))
                                .filter(d -> consumesBoard(one, d.id().device()))
                                .map(d -> d.id())
                                .distinct()
                                .count()
                        > 1;
    }

    private static boolean consumesBoard(VerifiedAllocation one, String name) {
        return one.allocationRequest().slices().stream()
                .filter(slice -> slice.poolId().equals(one.device().id().poolId()))
                .flatMap(slice -> slice.spec().devices().stream())
                .filter(device -> device.name().equals(name))
                .allMatch(device ->
                        device.consumesCounters().stream()
                                .anyMatch(c -> c.counterSet().equals("board-0")));
    }

    private static VerifiedAllocation separateGroups(VerifiedAllocation one) {
        return one.withEach((_, device) ->
                device.withConsumesCounters(
                        device.consumesCounters().stream()
                                .map(c ->
                                        new DeviceCounterConsumption(
                                                c.counterSet(),
                                                c.counters(),
                                                List.of(device.name())))
                                .toList()));
    }

    private static VerifiedAllocation emptyCapacity(VerifiedAllocation one) {
        return one.withEach((_, device) -> device.withCapacity(emptied(device)));
    }

    private static Map<String, DeviceCapacity> emptied(Device device) {
        var capacity = new HashMap<String, DeviceCapacity>();
        device.capacity()
                .forEach((name, value) ->
                        capacity.put(
                                name, new DeviceCapacity(Quantity.ZERO, value.requestPolicy())));
        return capacity;
    }

    private static VerifiedAllocation selectNothing(VerifiedAllocation one) {
        return withDemands(
                one,
                demand ->
                        new DeviceDemand(
                                demand.deviceClassName(),
                                List.of(new DeviceSelector.Cel("false")),
                                demand.count(),
                                demand.tolerations(),
                                demand.capacity(),
                                demand.derivedAttributes()));
    }

    private static VerifiedAllocation removeSlice(VerifiedAllocation one) {
        return one.withPool(spec ->
                new ResourceSliceSpec(
                        spec.driver(),
                        new ResourcePool(
                                spec.pool().name(),
                                spec.pool().generation(),
                                spec.pool().resourceSliceCount() + 7),
                        spec.scope(),
                        spec.devices(),
                        spec.sharedCounters(),
                        spec.partitionTypeAttribute(),
                        spec.skipNodeOperations()));
    }

    private static VerifiedAllocation twice(VerifiedAllocation one) {
        return one.withPool(spec -> {
            var devices = new ArrayList<>(spec.devices());
            devices.addAll(spec.devices());
            return VerifiedAllocation.withContent(spec, devices);
        });
    }

    private static VerifiedAllocation move(VerifiedAllocation one) {
        return one.withPool(spec ->
                new ResourceSliceSpec(
                        spec.driver(),
                        spec.pool(),
                        new NodeScope.OneNode("node-7"),
                        spec.devices(),
                        spec.sharedCounters(),
                        spec.partitionTypeAttribute(),
                        spec.skipNodeOperations()));
    }

    private static Optional<DeviceRequest.Exactly> exactRequest(VerifiedAllocation one) {
        return one.resourceClaim().spec().requests().stream()
                .filter(request -> request.name().equals(one.device().request()))
                .filter(DeviceRequest.Exactly.class::isInstance)
                .map(DeviceRequest.Exactly.class::cast)
                .filter(request -> request.demand().count() instanceof AllocationCount.ExactCount)
                .findFirst();
    }

    private static VerifiedAllocation requestMore(VerifiedAllocation one) {
        return withDemands(
                one,
                demand ->
                        new DeviceDemand(
                                demand.deviceClassName(),
                                demand.selectors(),
                                new AllocationCount.ExactCount(31),
                                demand.tolerations(),
                                demand.capacity(),
                                demand.derivedAttributes()));
    }

    private static Optional<DeviceDemand> demand(VerifiedAllocation one) {
        return one.resourceClaim().spec().requests().stream()
                .filter(request -> request.name().equals(one.device().request()))
                .filter(DeviceRequest.Exactly.class::isInstance)
                .map(request -> ((DeviceRequest.Exactly) request).demand())
                .findFirst();
    }

    private static VerifiedAllocation withDemands(
            VerifiedAllocation one, UnaryOperator<DeviceDemand> change) {
        var spec = one.resourceClaim().spec();
        var requests = spec.requests().stream().map(request -> changed(request, change)).toList();
        return one.withSpec(new ResourceClaimSpec(requests, spec.constraints(), spec.config()));
    }

    private static DeviceRequest changed(
            DeviceRequest request, UnaryOperator<DeviceDemand> change) {
        return switch (request) {
            case DeviceRequest.Exactly(var name, var demand, var admin) ->
                    new DeviceRequest.Exactly(name, change.apply(demand), admin);
            case DeviceRequest.FirstAvailable(var name, var alternatives) ->
                    new DeviceRequest.FirstAvailable(
                            name,
                            alternatives.stream()
                                    .map(one ->
                                            new DeviceSubRequest(
                                                    one.name(), change.apply(one.demand())))
                                    .toList());
            case DeviceRequest.Unrecognised other -> other;
        };
    }

    private static DeviceConstraint match() {
        return new DeviceConstraint.MatchAttribute(List.of(), MADE_UP, Optional.empty());
    }

    private static VerifiedAllocation constrained(
            VerifiedAllocation one, DeviceConstraint constraint) {
        var spec = one.resourceClaim().spec();
        return one.withSpec(
                new ResourceClaimSpec(spec.requests(), List.of(constraint), spec.config()));
    }

    private static long differentDevices(VerifiedAllocation one) {
        return one.result().devices().stream().map(device -> device.id()).distinct().count();
    }

    private static VerifiedAllocation withAttribute(VerifiedAllocation one, boolean isUnique) {
        return one.withEach(
                (slice, device) -> device.withAttributes(value(slice, device, isUnique)));
    }

    private static Map<String, AttributeValue> value(
            ResourceSlice slice, Device device, boolean isUnique) {
        var attributes = new HashMap<>(device.attributes());
        var text = isUnique ? slice.poolId() + "/" + device.name() : "same";
        attributes.put(MADE_UP, new AttributeValue.StringValue(text));
        return attributes;
    }
}
