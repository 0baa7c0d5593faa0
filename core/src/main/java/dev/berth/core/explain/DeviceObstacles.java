package dev.berth.core.explain;

import dev.berth.core.allocate.rule.AllocatorFeature;
import dev.berth.core.allocate.rule.CapacityRounding;
import dev.berth.core.cel.DeviceView;
import dev.berth.core.cel.ListedDevice;
import dev.berth.core.cel.value.AttributeValues;
import dev.berth.core.explain.Obstacle.Occurrence;
import dev.berth.core.inventory.CounterConsumption;
import dev.berth.core.inventory.Pool;
import dev.berth.core.inventory.PoolView;
import dev.berth.core.taint.Taints;
import dev.berth.model.api.meta.QualifiedName;
import dev.berth.model.api.node.Node;
import dev.berth.model.api.slice.AttributeValue;
import dev.berth.model.api.slice.DeviceId;
import dev.berth.model.api.slice.NodeScope;
import dev.berth.model.api.slice.SliceScope;
import dev.berth.model.api.taint.DeviceTaint;
import dev.berth.model.quantity.Quantity;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// Finds all obstacles that keep a device from serving a request, in the order in which Kubernetes
/// checks them. A device without obstacles can be allocated.
public final class DeviceObstacles {

    /// Result of checking a device against a request.
    ///
    /// @param ofClass whether the selectors of the class match
    /// @param matching whether the device counts for a request with allocation mode All
    public record DeviceFit(boolean ofClass, boolean matching, List<Occurrence> occurrences) {
        boolean isFree() {
            return occurrences.isEmpty();
        }
    }

    private final ExplainInputs inputs;
    private final DeviceHolders deviceHolders;
    private final SelectorEvaluation selectors;
    private final CapacityRounding rounding;
    private final Map<PoolView, BigInteger[]> countersLeft = new HashMap<>();
    private final Map<Object, Optional<SelectorEvaluation.DecisiveFields>> decisiveFields =
            new HashMap<>();
    private final Map<Object, Selection> selections = new HashMap<>();

    public DeviceObstacles(
            ExplainInputs inputs, DeviceHolders deviceHolders, SelectorEvaluation selectors) {
        this.inputs = inputs;
        this.deviceHolders = deviceHolders;
        this.selectors = selectors;
        this.rounding = new CapacityRounding(has(AllocatorFeature.FRACTIONAL_CAPACITY_RANGE));
    }

    private boolean has(AllocatorFeature feature) {
        return inputs.features().contains(feature);
    }

    public DeviceFit evaluate(RequestAlternative alternative, Node node, PoolView pool, int row) {
        var found = new ArrayList<Occurrence>();
        if (!has(AllocatorFeature.DEVICE_BINDING_AND_STATUS)
                && !pool.traits(row).bindingConditions().isEmpty()) {
            found.add(unsupported("binding conditions"));
        }
        var selection = selection(alternative, pool, row);
        var ofClass = selection.ofClass;
        found.addAll(ofClass);
        addConditions(found, selection.ofRequest);
        if (pool.scope(row) instanceof SliceScope.PerDevice
                && !Pool.reaches(pool.traits(row).scope(), node)) {
            found.add(new Occurrence(new Obstacle.OutOfReach(), ""));
        }
        var amounts = amounts(alternative, pool, row, found);
        var matching = found.isEmpty();
        addUse(alternative, node, pool, row, amounts, found);
        return new DeviceFit(ofClass.isEmpty(), matching, found);
    }

    /// Results of the selectors of the class and of the request for one device.
    private record Selection(List<Occurrence> ofClass, List<Occurrence> ofRequest) {}

    /// Evaluates selectors once for all devices that are equal in the fields that they read.
    private Selection selection(RequestAlternative alternative, PoolView pool, int row) {
        var fields =
                decisiveFields.computeIfAbsent(
                        List.of(alternative.claim(), alternative.name()),
                        _ -> selectors.decisiveFields(alternative));
        return fields.isEmpty() || hasFault(pool, row)
                ? select(alternative, pool, row)
                : selections.computeIfAbsent(
                        key(alternative, fields.get(), pool, row),
                        _ -> select(alternative, pool, row));
    }

    private Selection select(RequestAlternative alternative, PoolView pool, int row) {
        var view = view(pool, row);
        return new Selection(
                selectors.ofClass(alternative, view), selectors.ofRequest(alternative, view));
    }

    /// A value that cannot be read makes every selector fail.
    private static boolean hasFault(PoolView pool, int row) {
        for (var value : pool.attributes(row).values()) {
            if (AttributeValues.fault(value).isPresent()) {
                return true;
            }
        }
        return false;
    }

    private static Object key(
            RequestAlternative alternative,
            SelectorEvaluation.DecisiveFields fields,
            PoolView pool,
            int row) {
        var key = new ArrayList<Object>();
        key.add(alternative.claim());
        key.add(alternative.name());
        key.add(pool.id().driver());
        key.add(pool.traits(row).shareable());
        for (var name : fields.attributes()) {
            key.add(pool.attribute(row, name.toString()));
        }
        key.add(fields.capacities() ? pool.capacities(row) : Map.of());
        return key;
    }

    private static void addConditions(List<Occurrence> found, List<Occurrence> more) {
        for (var occurrence : more) {
            if (found.isEmpty() || occurrence.obstacle() instanceof Obstacle.Condition) {
                found.add(occurrence);
            }
        }
    }

    private static Occurrence unsupported(String what) {
        return new Occurrence(new Obstacle.Unsupported(what), "");
    }

    public static DeviceView view(PoolView pool, int row) {
        var driver = pool.id().driver();
        var attributes = new LinkedHashMap<QualifiedName, AttributeValue>();
        pool.attributes(row)
                .forEach((name, value) -> attributes.put(QualifiedName.of(name, driver), value));
        var capacity = new LinkedHashMap<QualifiedName, Quantity>();
        pool.capacities(row)
                .forEach((name, value) ->
                        capacity.put(QualifiedName.of(name, driver), value.value()));
        return new ListedDevice(driver, pool.traits(row).shareable(), attributes, capacity);
    }

    private Map<String, Quantity> amounts(
            RequestAlternative alternative, PoolView pool, int row, List<Occurrence> found) {
        if (!has(AllocatorFeature.CONSUMABLE_CAPACITY)) {
            return Map.of();
        }
        return switch (rounding.of(pool.capacities(row), alternative.demand().capacity())) {
            case CapacityRounding.Result.Consumes(var amounts) -> amounts;
            case CapacityRounding.Result.Unsuitable(var reason) -> {
                found.add(new Occurrence(new Obstacle.CapacityRefused(), reason));
                yield Map.of();
            }
            case CapacityRounding.Result.Unrepresentable(var message) -> {
                found.add(new Occurrence(new Obstacle.CapacityRefused(), message));
                yield Map.of();
            }
        };
    }

    /// Checks the features of the cluster and node, taints, holders, counters, capacities and
    /// constraints.
    private void addUse(
            RequestAlternative alternative,
            Node node,
            PoolView pool,
            int row,
            Map<String, Quantity> amounts,
            List<Occurrence> found) {
        var traits = pool.traits(row);
        if (!pool.slice(row).skipNodeOperations().isEmpty()
                && (!has(AllocatorFeature.OPTIONAL_NODE_OPERATIONS)
                        || !node.status().canSkipOperations())) {
            found.add(unsupported("skipNodeOperations"));
        }
        if (!traits.consumes().isEmpty() && !has(AllocatorFeature.PARTITIONABLE_DEVICES)) {
            found.add(unsupported("partitionable devices"));
        }
        if (hasSeveralTerms(pool, row) && !traits.bindsToNode()) {
            found.add(unsupported("a node selector with several terms"));
        }
        if (has(AllocatorFeature.DEVICE_TAINTS)) {
            Taints.untolerated(traits.taints(), alternative.demand().tolerations())
                    .map(t -> new DeviceTaint(t.key(), t.value(), t.effect(), Optional.empty()))
                    .ifPresent(taint -> found.add(new Occurrence(new Obstacle.Tainted(taint), "")));
        }
        var id = pool.device(row);
        if (!alternative.admin() && deviceHolders.holdings().exclusive().contains(id)) {
            found.add(new Occurrence(new Obstacle.Held(), "", deviceHolders.holders(id)));
        }
        var shareable = has(AllocatorFeature.CONSUMABLE_CAPACITY) && traits.shareable();
        if (!shareable || !deviceHolders.isShared(id)) {
            addCounters(pool, pool.consumption(row), found);
        }
        addCapacity(id, pool, row, amounts, found);
        for (var attribute : alternative.comparedAttributes()) {
            if (pool.attribute(row, attribute).filter(this::isComparable).isEmpty()) {
                found.add(new Occurrence(new Obstacle.MissingAttribute(attribute), ""));
            }
        }
    }

    /// The intersection of such a selector with others cannot be expressed in an AllocationResult.
    private static boolean hasSeveralTerms(PoolView pool, int row) {
        Object scope =
                pool.scope(row) instanceof SliceScope.PerDevice
                        ? pool.traits(row).scope()
                        : pool.scope(row);
        return scope instanceof NodeScope.MatchingNodes(var selector)
                && selector.terms().size() != 1;
    }

    /// With list-type attributes, an empty list neither matches nor differs.
    private boolean isComparable(AttributeValue value) {
        return !has(AllocatorFeature.LIST_TYPE_ATTRIBUTES)
                || switch (value) {
                    case AttributeValue.IntList(var values) -> !values.isEmpty();
                    case AttributeValue.BoolList(var values) -> !values.isEmpty();
                    case AttributeValue.StringList(var values) -> !values.isEmpty();
                    case AttributeValue.VersionList(var values) -> !values.isEmpty();
                    case AttributeValue.Unrecognised _ -> false;
                    case AttributeValue.IntValue _,
                            AttributeValue.BoolValue _,
                            AttributeValue.StringValue _,
                            AttributeValue.VersionValue _ ->
                            true;
                };
    }

    /// One overdrawn counter blocks all devices of the pool that draw on any counter, as in
    /// Kubernetes.
    private void addCounters(
            PoolView pool, CounterConsumption consumption, List<Occurrence> found) {
        if (consumption.isEmpty()) {
            return;
        }
        var counters = pool.counters();
        var left = countersLeft(pool);
        for (var counter = 0; counter < left.length; counter++) {
            var needed = needed(consumption, counter);
            if (left[counter].signum() < 0 || left[counter].compareTo(needed) < 0) {
                found.add(
                        new Occurrence(
                                new Obstacle.CountersShort(
                                        pool.id(), counters.counterName(counter)),
                                "needs %s, %s is left"
                                        .formatted(
                                                counters.quantity(counter, needed),
                                                counters.quantity(counter, left[counter])),
                                deviceHolders.counterHolders(pool, counter)));
            }
        }
        for (var i = 0; i < consumption.sets().length; i++) {
            if (clashes(
                    consumption.groups().get(i),
                    deviceHolders.groups(pool, consumption.sets()[i]))) {
                found.add(
                        new Occurrence(
                                new Obstacle.GroupsClash(pool.id()),
                                String.join(", ", consumption.groups().get(i)),
                                deviceHolders.counterSetHolders(pool, consumption.sets()[i])));
            }
        }
    }

    /// The free amounts of the counters of a pool.
    public BigInteger[] countersLeft(PoolView pool) {
        return countersLeft.computeIfAbsent(pool, deviceHolders::countersLeft);
    }

    private static BigInteger needed(CounterConsumption consumption, int counter) {
        for (var i = 0; i < consumption.counters().length; i++) {
            if (consumption.counters()[i] == counter) {
                return consumption.exactAmounts()[i];
            }
        }
        return BigInteger.ZERO;
    }

    private static boolean clashes(List<String> own, List<List<String>> inUse) {
        if (inUse.isEmpty()) {
            return false;
        }
        var common = new HashSet<>(own);
        inUse.forEach(common::retainAll);
        var noneHasGroups = own.isEmpty() && inUse.stream().allMatch(List::isEmpty);
        return common.isEmpty() && !noneHasGroups;
    }

    private void addCapacity(
            DeviceId id,
            PoolView pool,
            int row,
            Map<String, Quantity> amounts,
            List<Occurrence> found) {
        var taken = deviceHolders.holdings().consumed().getOrDefault(id, Map.of());
        for (var capacity : pool.capacities(row).entrySet()) {
            var name = capacity.getKey();
            var requested = amounts.get(name);
            var held = taken.get(name);
            if (requested == null || held == null) {
                continue;
            }
            var left = capacity.getValue().value().minus(held);
            if (requested.compareTo(left) > 0) {
                found.add(
                        new Occurrence(
                                new Obstacle.CapacityTaken(name),
                                "needs %s, %s of %s is left"
                                        .formatted(requested, left, capacity.getValue().value()),
                                deviceHolders.holders(id)));
            }
        }
    }
}
