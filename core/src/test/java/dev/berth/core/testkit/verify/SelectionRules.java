package dev.berth.core.testkit.verify;

import dev.berth.core.allocate.AllocationRequest;
import dev.berth.core.allocate.rule.AllocatorFeature;
import dev.berth.core.allocate.rule.Leniency;
import dev.berth.core.testkit.cel.ReferenceExpressions;
import dev.berth.core.testkit.cel.SelectorResult;
import dev.berth.core.testkit.cel.SliceDeviceView;
import dev.berth.model.api.claim.AllocationCount;
import dev.berth.model.api.claim.DeviceDemand;
import dev.berth.model.api.claim.DeviceRequest;
import dev.berth.model.api.claim.DeviceSelector;
import dev.berth.model.api.claim.ResourceClaim;
import dev.berth.model.api.slice.DeviceId;
import dev.berth.model.api.taint.DeviceTaint;
import dev.berth.model.api.taint.DeviceToleration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/// Verifies that each request has the requested number of matching devices.
final class SelectionRules {

    private final AllocationRequest allocationRequest;
    private final Inventory inventory;
    private final ReferenceExpressions expressions;
    private final Set<Leniency> leniencies;
    private final RuleViolations violations;

    SelectionRules(
            AllocationRequest allocationRequest,
            Inventory inventory,
            ReferenceExpressions expressions,
            Set<Leniency> leniencies,
            RuleViolations violations) {
        this.allocationRequest = allocationRequest;
        this.inventory = inventory;
        this.expressions = expressions;
        this.leniencies = leniencies;
        this.violations = violations;
    }

    void check(AllocatedRow row) {
        var poolInventory = inventory.poolInventories().get(row.device().id().poolId());
        violations.expect(
                poolInventory != null && poolInventory.fault().isEmpty(),
                "%s: its pool cannot be used",
                row);
        violations.expect(
                selects(row.demand(), row.published()), "%s: does not match selectors", row);
        violations.expect(inventory.reaches(row.published()), "%s: is not on the node", row);
        violations.expect(
                row.published().device().bindingConditions().isEmpty()
                        || has(AllocatorFeature.DEVICE_BINDING_AND_STATUS),
                "%s: has binding conditions",
                row);
        violations.expect(
                row.published().slice().spec().skipNodeOperations().isEmpty()
                        || (has(AllocatorFeature.OPTIONAL_NODE_OPERATIONS)
                                && allocationRequest
                                        .node()
                                        .status()
                                        .declaredFeatures()
                                        .contains("DRAOptionalNodeOperations")),
                "%s: the node cannot skip operations",
                row);
        violations.expect(
                row.published().device().consumesCounters().isEmpty()
                        || has(AllocatorFeature.PARTITIONABLE_DEVICES),
                "%s: is a partition",
                row);
        if (has(AllocatorFeature.DEVICE_TAINTS)) {
            for (var taint : row.published().device().taints()) {
                violations.expect(
                        isTolerated(taint, row.demand().tolerations()),
                        "%s: taint %s is not tolerated",
                        row,
                        taint.key());
            }
        }
    }

    private static boolean isTolerated(DeviceTaint taint, List<DeviceToleration> tolerations) {
        if (!Set.of("NoSchedule", "NoExecute").contains(taint.effect().text())) {
            return true;
        }
        for (var one : tolerations) {
            var effectFits = one.effect().map(taint.effect()::equals).orElse(true);
            var keyFits = one.key().isEmpty() || one.key().equals(taint.key());
            var operator = one.operator().text();
            var valueFits =
                    operator.equals("Exists")
                            || (Set.of("", "Equal").contains(operator)
                                    && one.value().equals(taint.value()));
            if (effectFits && keyFits && valueFits) {
                return true;
            }
        }
        return false;
    }

    void checkCounts(ResourceClaim claim, List<AllocatedRow> rows) {
        var order = new ArrayList<String>();
        for (var request : claim.spec().requests()) {
            var own = rows.stream().filter(one -> one.request().equals(request.name())).toList();
            own.forEach(one -> order.add(one.device().request()));
            checkCount(claim, request, own);
        }
        violations.expect(
                rows.stream().map(one -> one.device().request()).toList().equals(order),
                "claim %s: devices are not in the order of requests",
                claim.ref());
    }

    private void checkCount(ResourceClaim claim, DeviceRequest request, List<AllocatedRow> own) {
        switch (request) {
            case DeviceRequest.Exactly exactly -> {
                violations.expect(
                        exactly.adminAccess().isEmpty() || has(AllocatorFeature.ADMIN_ACCESS),
                        "claim %s: administrative access is off",
                        claim.ref());
                checkCount(claim, exactly.demand(), own);
            }
            case DeviceRequest.FirstAvailable choice -> {
                violations.expect(
                        has(AllocatorFeature.PRIORITIZED_LIST),
                        "claim %s: alternatives are off",
                        claim.ref());
                violations.expect(
                        own.stream().map(one -> one.device().request()).distinct().count() == 1,
                        "claim %s: request %s must use one alternative",
                        claim.ref(),
                        choice.name());
                own.stream().findFirst().ifPresent(one -> checkCount(claim, one.demand(), own));
            }
            case DeviceRequest.Unrecognised _ ->
                    violations.expect(false, "claim %s: unknown type of request", claim.ref());
        }
    }

    private void checkCount(ResourceClaim claim, DeviceDemand demand, List<AllocatedRow> own) {
        violations.expect(
                demand.capacity().isEmpty() || has(AllocatorFeature.CONSUMABLE_CAPACITY),
                "claim %s: capacity is off",
                claim.ref());
        violations.expect(
                demand.derivedAttributes().isEmpty() || has(AllocatorFeature.DERIVED_ATTRIBUTES),
                "claim %s: derived attributes are off",
                claim.ref());
        var ids = own.stream().map(one -> one.device().id()).toList();
        violations.expect(
                new HashSet<>(ids).size() == ids.size(),
                "claim %s: one request has a device twice",
                claim.ref());
        switch (demand.count()) {
            case AllocationCount.ExactCount(var count) ->
                    violations.expect(
                            ids.size() == count,
                            "claim %s: %d devices instead of %d",
                            claim.ref(),
                            ids.size(),
                            count);
            case AllocationCount.All _ -> checkAll(claim, demand, ids);
            case AllocationCount.Unrecognised(var mode, _) -> {
                // Old claims may have a count beside the mode; it is ignored.
                if (mode.equals("All")) {
                    checkAll(claim, demand, ids);
                } else {
                    violations.expect(false, "claim %s: unknown mode", claim.ref());
                }
            }
        }
    }

    private void checkAll(ResourceClaim claim, DeviceDemand demand, List<DeviceId> ids) {
        violations.expect(
                !ids.isEmpty() && Optional.of(new HashSet<>(ids)).equals(all(demand)),
                "claim %s: %s are not all devices",
                claim.ref(),
                ids);
    }

    /// All devices that match the demand; empty when a pool is incomplete or invalid.
    private Optional<Set<DeviceId>> all(DeviceDemand demand) {
        var ids = new HashSet<DeviceId>();
        for (var entry : inventory.poolInventories().entrySet()) {
            var poolInventory = entry.getValue();
            if (poolInventory.fault().isPresent()) {
                if (isUnrelated(demand, entry.getKey().driver())) {
                    continue;
                }
                return Optional.empty();
            }
            for (var published : poolInventory.accessible()) {
                var binds = !published.device().bindingConditions().isEmpty();
                if ((!binds || has(AllocatorFeature.DEVICE_BINDING_AND_STATUS))
                        && selects(demand, published)
                        && inventory.reaches(published)
                        && CapacityRules.isEnough(allocationRequest, demand, published.device())) {
                    ids.add(published.id());
                }
            }
        }
        return Optional.of(ids);
    }

    /// Whether the demand selects another driver, and pools of other drivers may be ignored.
    private boolean isUnrelated(DeviceDemand demand, String driver) {
        var prefix = "device.driver == \"";
        return leniencies.contains(Leniency.IGNORE_UNRELATED_POOLS)
                && selectors(demand).stream()
                        .anyMatch(selector ->
                                selector instanceof DeviceSelector.Cel(var text)
                                        && text.startsWith(prefix)
                                        && text.indexOf('"', prefix.length()) == text.length() - 1
                                        && !text.equals(prefix + driver + "\""));
    }

    private List<DeviceSelector> selectors(DeviceDemand demand) {
        var selectors = new ArrayList<DeviceSelector>();
        allocationRequest.classes().stream()
                .filter(one -> one.metadata().name().equals(demand.deviceClassName()))
                .forEach(one -> selectors.addAll(one.spec().selectors()));
        selectors.addAll(demand.selectors());
        return selectors;
    }

    private boolean selects(DeviceDemand demand, PublishedDevice published) {
        var selectors = selectors(demand);
        var seen = SliceDeviceView.of(published.id().driver(), published.device());
        for (var selector : selectors) {
            if (!(selector instanceof DeviceSelector.Cel(var expression))
                    || !expressions
                            .select(expression, seen)
                            .equals(new SelectorResult.Selected(true))) {
                return false;
            }
        }
        return allocationRequest.classes().stream()
                .anyMatch(one -> one.metadata().name().equals(demand.deviceClassName()));
    }

    private boolean has(AllocatorFeature feature) {
        return allocationRequest.features().contains(feature);
    }
}
