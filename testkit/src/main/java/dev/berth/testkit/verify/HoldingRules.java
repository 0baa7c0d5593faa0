package dev.berth.testkit.verify;

import dev.berth.core.allocate.AllocationRequest;
import dev.berth.core.allocate.AllocatorFeature;
import dev.berth.model.api.DeviceId;
import dev.berth.model.api.PoolId;
import dev.berth.model.quantity.Quantity;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/// Whether nobody got what others have: devices, and counters that devices draw on.
final class HoldingRules {

    private final AllocationRequest question;
    private final Inventory inventory;
    private final RuleViolations findings;

    HoldingRules(AllocationRequest question, Inventory inventory, RuleViolations findings) {
        this.question = question;
        this.inventory = inventory;
        this.findings = findings;
    }

    void check(List<AllocatedRow> grants) {
        for (var i = 0; i < grants.size(); i++) {
            checkDevice(grants.get(i), grants.subList(0, i));
        }
        var ids = grants.stream().flatMap(one -> one.device().share().stream()).toList();
        findings.expect(
                new HashSet<>(ids).size() == ids.size()
                        && ids.stream().noneMatch(question.holdings().shares()::contains),
                "a share has the id of another");
        inventory.stocks().forEach((id, stock) -> checkCounters(id, stock, grants));
    }

    private void checkDevice(AllocatedRow grant, List<AllocatedRow> earlier) {
        var isShareable =
                question.features().contains(AllocatorFeature.CONSUMABLE_CAPACITY)
                        && grant.spot().device().isShareable();
        findings.expect(
                isShareable == grant.device().shareId().isPresent(), "%s: wrong shareID", grant);
        findings.expect(
                grant.admin() || !question.holdings().exclusive().contains(grant.device().id()),
                "%s: is held by others",
                grant);
        if (isShareable) {
            return;
        }
        var rivals =
                earlier.stream()
                        .filter(one -> one.device().id().equals(grant.device().id()))
                        .filter(one -> !grant.admin() || one.claimIndex() == grant.claimIndex());
        findings.expect(rivals.findAny().isEmpty(), "%s: is given out twice", grant);
    }

    private void checkCounters(PoolId id, Inventory.Stock stock, List<AllocatedRow> grants) {
        var newcomers = newcomers(id, grants);
        if (newcomers.isEmpty()) {
            return;
        }
        var users = new ArrayList<>(stock.published().stream().filter(this::isHeld).toList());
        users.addAll(newcomers);
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
                findings.expect(
                        amount.compareTo(stock.counters().getOrDefault(counter, Quantity.ZERO))
                                <= 0,
                        "pool %s: %s of counter %s is drawn",
                        id,
                        amount,
                        counter));
        if (question.features().contains(AllocatorFeature.COMPATIBILITY_GROUPS)) {
            checkGroups(id, users, newcomers);
        }
    }

    /// Devices that start to draw on counters; a further share of a device does not.
    private List<PublishedDevice> newcomers(PoolId id, List<AllocatedRow> grants) {
        var newcomers = new ArrayList<PublishedDevice>();
        var sharedOut = new HashSet<DeviceId>(question.holdings().consumed().keySet());
        question.holdings().shares().forEach(share -> sharedOut.add(share.device()));
        for (var grant : grants) {
            if (!grant.device().id().poolId().equals(id)
                    || grant.spot().device().consumesCounters().isEmpty()) {
                continue;
            }
            if (grant.device().shareId().isEmpty() || sharedOut.add(grant.device().id())) {
                newcomers.add(grant.spot());
            }
        }
        return newcomers;
    }

    private boolean isHeld(PublishedDevice spot) {
        var holdings = question.holdings();
        return holdings.exclusive().contains(spot.id())
                || holdings.consumed().containsKey(spot.id())
                || holdings.shares().stream().anyMatch(one -> one.device().equals(spot.id()));
    }

    /// What was allocated before may contradict itself; newcomers must agree with each other and,
    /// where the old ones agree, with them.
    private void checkGroups(
            PoolId id, List<PublishedDevice> users, List<PublishedDevice> newcomers) {
        var old = users.subList(0, users.size() - newcomers.size());
        for (var set : setsOf(newcomers)) {
            var isOldSound = agree(groupsOn(set, old));
            var company = groupsOn(set, isOldSound ? users : newcomers);
            findings.expect(agree(company), "pool %s: groups %s on set %s", id, company, set);
        }
    }

    private static Set<String> setsOf(List<PublishedDevice> spots) {
        var sets = new LinkedHashSet<String>();
        spots.forEach(spot ->
                spot.device().consumesCounters().forEach(one -> sets.add(one.counterSet())));
        return sets;
    }

    private static List<Set<String>> groupsOn(String set, List<PublishedDevice> spots) {
        return spots.stream()
                .flatMap(spot -> spot.device().consumesCounters().stream())
                .filter(one -> one.counterSet().equals(set))
                .map(one -> Set.copyOf(one.compatibilityGroups()))
                .toList();
    }

    private static boolean agree(List<Set<String>> company) {
        if (company.stream().allMatch(Set::isEmpty)) {
            return true;
        }
        Map<String, Integer> votes = new HashMap<>();
        company.forEach(groups -> groups.forEach(one -> votes.merge(one, 1, Integer::sum)));
        return votes.containsValue(company.size());
    }
}
