package dev.berth.core.explain;

import dev.berth.core.allocate.AllocatorFeature;
import dev.berth.core.allocate.CapacityRounding;
import dev.berth.core.cel.DeviceView;
import dev.berth.core.cel.ListedDevice;
import dev.berth.core.explain.Obstacle.Encounter;
import dev.berth.core.inventory.CounterConsumption;
import dev.berth.core.inventory.Pool;
import dev.berth.core.inventory.PoolView;
import dev.berth.core.taint.Taints;
import dev.berth.model.api.AttributeValue;
import dev.berth.model.api.DeviceId;
import dev.berth.model.api.DeviceTaint;
import dev.berth.model.api.Node;
import dev.berth.model.api.NodeScope;
import dev.berth.model.api.QualifiedName;
import dev.berth.model.api.SliceScope;
import dev.berth.model.quantity.Quantity;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// Finds all obstacles between a device and a request, in the order in which Kubernetes would meet
/// them; a device without any could be taken at once.
final class DeviceObstacles {

    /// What is found wrong with a device.
    ///
    /// @param ofClass whether the class selects it
    /// @param matching whether it is one of those that a request for all would want
    record Verdict(boolean ofClass, boolean matching, List<Encounter> encounters) {
        boolean isFree() {
            return encounters.isEmpty();
        }
    }

    private final ExplainInputs situation;
    private final DeviceHolders ledger;
    private final SelectorEvaluation selectors;
    private final CapacityRounding rounding;
    private final Map<PoolView, BigInteger[]> countersLeft = new HashMap<>();

    DeviceObstacles(ExplainInputs situation, DeviceHolders ledger, SelectorEvaluation selectors) {
        this.situation = situation;
        this.ledger = ledger;
        this.selectors = selectors;
        this.rounding = new CapacityRounding(has(AllocatorFeature.FRACTIONAL_CAPACITY_RANGE));
    }

    private boolean has(AllocatorFeature feature) {
        return situation.features().contains(feature);
    }

    Verdict judge(RequestAlternative want, Node node, PoolView pool, int row) {
        var found = new ArrayList<Encounter>();
        if (!has(AllocatorFeature.DEVICE_BINDING_AND_STATUS)
                && !pool.traits(row).bindingConditions().isEmpty()) {
            found.add(unsupported("binding conditions"));
        }
        var view = view(pool, row);
        var ofClass = selectors.ofClass(want, view);
        found.addAll(ofClass);
        var ofRequest = selectors.ofRequest(want, view);
        addConditions(found, ofRequest);
        if (pool.scope(row) instanceof SliceScope.PerDevice
                && !Pool.reaches(pool.traits(row).scope(), node)) {
            found.add(new Encounter(new Obstacle.OutOfReach(), ""));
        }
        var amounts = amounts(want, pool, row, found);
        var matching = found.isEmpty();
        addUse(want, node, pool, row, amounts, found);
        return new Verdict(ofClass.isEmpty(), matching, found);
    }

    private static void addConditions(List<Encounter> found, List<Encounter> more) {
        for (var encounter : more) {
            if (found.isEmpty() || encounter.obstacle() instanceof Obstacle.Condition) {
                found.add(encounter);
            }
        }
    }

    private static Encounter unsupported(String what) {
        return new Encounter(new Obstacle.Unsupported(what), "");
    }

    static DeviceView view(PoolView pool, int row) {
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
            RequestAlternative want, PoolView pool, int row, List<Encounter> found) {
        if (!has(AllocatorFeature.CONSUMABLE_CAPACITY)) {
            return Map.of();
        }
        return switch (rounding.of(pool.capacities(row), want.demand().capacity())) {
            case CapacityRounding.Result.Consumes(var amounts) -> amounts;
            case CapacityRounding.Result.Unsuitable(var reason) -> {
                found.add(new Encounter(new Obstacle.CapacityRefused(), reason));
                yield Map.of();
            }
            case CapacityRounding.Result.Unrepresentable(var message) -> {
                found.add(new Encounter(new Obstacle.CapacityRefused(), message));
                yield Map.of();
            }
        };
    }

    /// What depends on others: features, taints, holders, counters, capacities, constraints.
    private void addUse(
            RequestAlternative want,
            Node node,
            PoolView pool,
            int row,
            Map<String, Quantity> amounts,
            List<Encounter> found) {
        var traits = pool.traits(row);
        if (!pool.slice(row).skipNodeOperations().isEmpty()
                && (!has(AllocatorFeature.OPTIONAL_NODE_OPERATIONS)
                        || !node.status().canSkipOperations())) {
            found.add(unsupported("skipping node operations"));
        }
        if (!traits.consumes().isEmpty() && !has(AllocatorFeature.PARTITIONABLE_DEVICES)) {
            found.add(unsupported("partitions"));
        }
        if (hasSeveralTerms(pool, row) && !traits.bindsToNode()) {
            found.add(unsupported("a node selector of several terms"));
        }
        if (has(AllocatorFeature.DEVICE_TAINTS)) {
            Taints.untolerated(traits.taints(), want.demand().tolerations())
                    .map(t -> new DeviceTaint(t.key(), t.value(), t.effect(), Optional.empty()))
                    .ifPresent(taint -> found.add(new Encounter(new Obstacle.Tainted(taint), "")));
        }
        var id = pool.device(row);
        if (!want.admin() && ledger.holdings().exclusive().contains(id)) {
            found.add(new Encounter(new Obstacle.Held(), "", ledger.holders(id)));
        }
        var shareable = has(AllocatorFeature.CONSUMABLE_CAPACITY) && traits.shareable();
        if (!shareable || !ledger.isShared(id)) {
            addCounters(pool, pool.consumption(row), found);
        }
        addCapacity(id, pool, row, amounts, found);
        for (var attribute : want.comparedAttributes()) {
            if (pool.attribute(row, attribute).filter(this::isComparable).isEmpty()) {
                found.add(new Encounter(new Obstacle.MissingAttribute(attribute), ""));
            }
        }
    }

    /// What such a selector and others have in common cannot be written into a result.
    private static boolean hasSeveralTerms(PoolView pool, int row) {
        Object scope =
                pool.scope(row) instanceof SliceScope.PerDevice
                        ? pool.traits(row).scope()
                        : pool.scope(row);
        return scope instanceof NodeScope.MatchingNodes(var selector)
                && selector.terms().size() != 1;
    }

    /// Where lists are allowed, an empty one agrees with nothing and differs from nothing.
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

    /// One counter below zero blocks all devices of the pool that draw on any.
    private void addCounters(PoolView pool, CounterConsumption consumption, List<Encounter> found) {
        if (consumption.isEmpty()) {
            return;
        }
        var counters = pool.counters();
        var left = countersLeft.computeIfAbsent(pool, ledger::countersLeft);
        for (var counter = 0; counter < left.length; counter++) {
            var needed = needed(consumption, counter);
            if (left[counter].signum() < 0 || left[counter].compareTo(needed) < 0) {
                found.add(
                        new Encounter(
                                new Obstacle.CountersShort(
                                        pool.id(), counters.counterName(counter)),
                                "needs %s, %s is left"
                                        .formatted(
                                                counters.quantity(counter, needed),
                                                counters.quantity(counter, left[counter])),
                                ledger.drawers(pool, counter)));
            }
        }
        for (var i = 0; i < consumption.sets().length; i++) {
            if (clashes(consumption.groups().get(i), ledger.groups(pool, consumption.sets()[i]))) {
                found.add(
                        new Encounter(
                                new Obstacle.GroupsClash(pool.id()),
                                String.join(", ", consumption.groups().get(i)),
                                ledger.members(pool, consumption.sets()[i])));
            }
        }
    }

    private static BigInteger needed(CounterConsumption consumption, int counter) {
        for (var i = 0; i < consumption.counters().length; i++) {
            if (consumption.counters()[i] == counter) {
                return consumption.exactAmounts()[i];
            }
        }
        return BigInteger.ZERO;
    }

    private static boolean clashes(List<String> own, List<List<String>> members) {
        if (members.isEmpty()) {
            return false;
        }
        var common = new HashSet<>(own);
        members.forEach(common::retainAll);
        var nobodyHasAny = own.isEmpty() && members.stream().allMatch(List::isEmpty);
        return common.isEmpty() && !nobodyHasAny;
    }

    private void addCapacity(
            DeviceId id,
            PoolView pool,
            int row,
            Map<String, Quantity> amounts,
            List<Encounter> found) {
        var taken = ledger.holdings().consumed().getOrDefault(id, Map.of());
        for (var capacity : pool.capacities(row).entrySet()) {
            var name = capacity.getKey();
            var wanted = amounts.get(name);
            var held = taken.get(name);
            if (wanted == null || held == null) {
                continue;
            }
            var left = capacity.getValue().value().minus(held);
            if (wanted.compareTo(left) > 0) {
                found.add(
                        new Encounter(
                                new Obstacle.CapacityTaken(name),
                                "wants %s, %s of %s is left"
                                        .formatted(wanted, left, capacity.getValue().value()),
                                ledger.holders(id)));
            }
        }
    }
}
