package dev.berth.core.testkit.verify;

import dev.berth.core.allocate.AllocationRequest;
import dev.berth.core.allocate.rule.AllocatorFeature;
import dev.berth.model.api.slice.DeviceId;
import dev.berth.model.api.slice.PoolId;
import dev.berth.model.quantity.Quantity;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/// Verifies that no device or counter is allocated twice.
final class HoldingRules {

    private final AllocationRequest allocationRequest;
    private final Inventory inventory;
    private final RuleViolations violations;

    HoldingRules(
            AllocationRequest allocationRequest, Inventory inventory, RuleViolations violations) {
        this.allocationRequest = allocationRequest;
        this.inventory = inventory;
        this.violations = violations;
    }

    void check(List<AllocatedRow> rows) {
        for (var i = 0; i < rows.size(); i++) {
            checkDevice(rows.get(i), rows.subList(0, i));
        }
        var ids = rows.stream().flatMap(one -> one.device().share().stream()).toList();
        violations.expect(
                new HashSet<>(ids).size() == ids.size()
                        && ids.stream().noneMatch(allocationRequest.holdings().shares()::contains),
                "a share has the id of another");
        inventory
                .poolInventories()
                .forEach((id, poolInventory) -> checkCounters(id, poolInventory, rows));
    }

    private void checkDevice(AllocatedRow row, List<AllocatedRow> earlier) {
        var isShareable =
                allocationRequest.features().contains(AllocatorFeature.CONSUMABLE_CAPACITY)
                        && row.published().device().isShareable();
        violations.expect(
                isShareable == row.device().shareId().isPresent(), "%s: wrong shareID", row);
        violations.expect(
                row.admin()
                        || !allocationRequest.holdings().exclusive().contains(row.device().id()),
                "%s: is held by others",
                row);
        if (isShareable) {
            return;
        }
        var rivals =
                earlier.stream()
                        .filter(one -> one.device().id().equals(row.device().id()))
                        .filter(one -> !row.admin() || one.claimIndex() == row.claimIndex());
        violations.expect(rivals.findAny().isEmpty(), "%s: is given out twice", row);
    }

    private void checkCounters(
            PoolId id, Inventory.PoolInventory poolInventory, List<AllocatedRow> rows) {
        var newConsumers = newConsumers(id, rows);
        if (newConsumers.isEmpty()) {
            return;
        }
        var users =
                new ArrayList<>(poolInventory.published().stream().filter(this::isHeld).toList());
        users.addAll(newConsumers);
        var drawn = new HashMap<List<String>, Quantity>();
        for (var user : users) {
            for (var consumption : user.device().consumesCounters()) {
                consumption
                        .counters()
                        .forEach((name, amount) ->
                                drawn.merge(
                                        List.of(consumption.counterSet(), name),
                                        amount,
                                        Quantity::plus));
            }
        }
        drawn.forEach((counter, amount) ->
                violations.expect(
                        amount.compareTo(
                                        poolInventory
                                                .counters()
                                                .getOrDefault(counter, Quantity.ZERO))
                                <= 0,
                        "pool %s: %s of counter %s is drawn",
                        id,
                        amount,
                        counter));
        if (allocationRequest.features().contains(AllocatorFeature.COMPATIBILITY_GROUPS)) {
            checkGroups(id, users, newConsumers);
        }
    }

    /// Devices that newly consume counters; a further share of a device does not.
    private List<PublishedDevice> newConsumers(PoolId id, List<AllocatedRow> rows) {
        var newConsumers = new ArrayList<PublishedDevice>();
        var sharedOut = new HashSet<DeviceId>(allocationRequest.holdings().consumed().keySet());
        allocationRequest.holdings().shares().forEach(share -> sharedOut.add(share.device()));
        for (var row : rows) {
            if (!row.device().id().poolId().equals(id)
                    || row.published().device().consumesCounters().isEmpty()) {
                continue;
            }
            if (row.device().shareId().isEmpty() || sharedOut.add(row.device().id())) {
                newConsumers.add(row.published());
            }
        }
        return newConsumers;
    }

    private boolean isHeld(PublishedDevice published) {
        var holdings = allocationRequest.holdings();
        return holdings.exclusive().contains(published.id())
                || holdings.consumed().containsKey(published.id())
                || holdings.shares().stream().anyMatch(one -> one.device().equals(published.id()));
    }

    /// Existing allocations may be inconsistent. New devices must agree with each other and, if the
    /// existing ones are consistent, with them.
    private void checkGroups(
            PoolId id, List<PublishedDevice> users, List<PublishedDevice> newConsumers) {
        var old = users.subList(0, users.size() - newConsumers.size());
        for (var set : setsOf(newConsumers)) {
            var isOldSound = agree(groupsOn(set, old));
            var groupSets = groupsOn(set, isOldSound ? users : newConsumers);
            violations.expect(agree(groupSets), "pool %s: groups %s on set %s", id, groupSets, set);
        }
    }

    private static Set<String> setsOf(List<PublishedDevice> publishedDevices) {
        var sets = new LinkedHashSet<String>();
        publishedDevices.forEach(published ->
                published.device().consumesCounters().forEach(one -> sets.add(one.counterSet())));
        return sets;
    }

    private static List<Set<String>> groupsOn(String set, List<PublishedDevice> publishedDevices) {
        return publishedDevices.stream()
                .flatMap(published -> published.device().consumesCounters().stream())
                .filter(one -> one.counterSet().equals(set))
                .map(one -> Set.copyOf(one.compatibilityGroups()))
                .toList();
    }

    private static boolean agree(List<Set<String>> groupSets) {
        if (groupSets.stream().allMatch(Set::isEmpty)) {
            return true;
        }
        Map<String, Integer> votes = new HashMap<>();
        groupSets.forEach(groups -> groups.forEach(one -> votes.merge(one, 1, Integer::sum)));
        return votes.containsValue(groupSets.size());
    }
}
