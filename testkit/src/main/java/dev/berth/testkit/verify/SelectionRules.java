package dev.berth.testkit.verify;

import dev.berth.core.allocate.AllocationRequest;
import dev.berth.core.allocate.AllocatorFeature;
import dev.berth.core.allocate.Leniency;
import dev.berth.model.api.AllocationCount;
import dev.berth.model.api.DeviceDemand;
import dev.berth.model.api.DeviceId;
import dev.berth.model.api.DeviceRequest;
import dev.berth.model.api.DeviceSelector;
import dev.berth.model.api.DeviceTaint;
import dev.berth.model.api.DeviceToleration;
import dev.berth.model.api.ResourceClaim;
import dev.berth.testkit.cel.ReferenceExpressions;
import dev.berth.testkit.cel.SeenDevice;
import dev.berth.testkit.cel.SelectorResult;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/// Whether each request got as many devices as it asked for, and of the right sort.
final class SelectionRules {

    private final AllocationRequest question;
    private final Inventory inventory;
    private final ReferenceExpressions expressions;
    private final Set<Leniency> leniencies;
    private final RuleViolations findings;

    SelectionRules(
            AllocationRequest question,
            Inventory inventory,
            ReferenceExpressions expressions,
            Set<Leniency> leniencies,
            RuleViolations findings) {
        this.question = question;
        this.inventory = inventory;
        this.expressions = expressions;
        this.leniencies = leniencies;
        this.findings = findings;
    }

    void check(AllocatedRow grant) {
        var stock = inventory.stocks().get(grant.device().id().poolId());
        findings.expect(
                stock != null && stock.fault().isEmpty(), "%s: its pool cannot be used", grant);
        findings.expect(
                selects(grant.demand(), grant.spot()), "%s: does not match selectors", grant);
        findings.expect(inventory.reaches(grant.spot()), "%s: is not on the node", grant);
        findings.expect(
                grant.spot().device().bindingConditions().isEmpty()
                        || has(AllocatorFeature.DEVICE_BINDING_AND_STATUS),
                "%s: has binding conditions",
                grant);
        findings.expect(
                grant.spot().slice().spec().skipNodeOperations().isEmpty()
                        || (has(AllocatorFeature.OPTIONAL_NODE_OPERATIONS)
                                && question.node()
                                        .status()
                                        .declaredFeatures()
                                        .contains("DRAOptionalNodeOperations")),
                "%s: the node cannot skip operations",
                grant);
        findings.expect(
                grant.spot().device().consumesCounters().isEmpty()
                        || has(AllocatorFeature.PARTITIONABLE_DEVICES),
                "%s: is a partition",
                grant);
        if (has(AllocatorFeature.DEVICE_TAINTS)) {
            for (var taint : grant.spot().device().taints()) {
                findings.expect(
                        isTolerated(taint, grant.demand().tolerations()),
                        "%s: taint %s is not tolerated",
                        grant,
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

    void checkCounts(ResourceClaim claim, List<AllocatedRow> grants) {
        var order = new ArrayList<String>();
        for (var request : claim.spec().requests()) {
            var own = grants.stream().filter(one -> one.request().equals(request.name())).toList();
            own.forEach(one -> order.add(one.device().request()));
            checkCount(claim, request, own);
        }
        findings.expect(
                grants.stream().map(one -> one.device().request()).toList().equals(order),
                "claim %s: devices are not in the order of requests",
                claim.ref());
    }

    private void checkCount(ResourceClaim claim, DeviceRequest request, List<AllocatedRow> own) {
        switch (request) {
            case DeviceRequest.Exactly exactly -> {
                findings.expect(
                        exactly.adminAccess().isEmpty() || has(AllocatorFeature.ADMIN_ACCESS),
                        "claim %s: administrative access is off",
                        claim.ref());
                checkCount(claim, exactly.demand(), own);
            }
            case DeviceRequest.FirstAvailable choice -> {
                findings.expect(
                        has(AllocatorFeature.PRIORITIZED_LIST),
                        "claim %s: alternatives are off",
                        claim.ref());
                findings.expect(
                        own.stream().map(one -> one.device().request()).distinct().count() == 1,
                        "claim %s: request %s must use one alternative",
                        claim.ref(),
                        choice.name());
                own.stream().findFirst().ifPresent(one -> checkCount(claim, one.demand(), own));
            }
            case DeviceRequest.Unrecognised _ ->
                    findings.expect(false, "claim %s: unknown sort of request", claim.ref());
        }
    }

    private void checkCount(ResourceClaim claim, DeviceDemand demand, List<AllocatedRow> own) {
        findings.expect(
                demand.capacity().isEmpty() || has(AllocatorFeature.CONSUMABLE_CAPACITY),
                "claim %s: capacity is off",
                claim.ref());
        findings.expect(
                demand.derivedAttributes().isEmpty() || has(AllocatorFeature.DERIVED_ATTRIBUTES),
                "claim %s: derived attributes are off",
                claim.ref());
        var ids = own.stream().map(one -> one.device().id()).toList();
        findings.expect(
                new HashSet<>(ids).size() == ids.size(),
                "claim %s: one request has a device twice",
                claim.ref());
        switch (demand.count()) {
            case AllocationCount.ExactCount(var count) ->
                    findings.expect(
                            ids.size() == count,
                            "claim %s: %d devices instead of %d",
                            claim.ref(),
                            ids.size(),
                            count);
            case AllocationCount.All _ -> checkAll(claim, demand, ids);
            case AllocationCount.Unrecognised(var mode, _) -> {
                // Old claims may have a count beside the mode; it means nothing.
                if (mode.equals("All")) {
                    checkAll(claim, demand, ids);
                } else {
                    findings.expect(false, "claim %s: unknown mode", claim.ref());
                }
            }
        }
    }

    private void checkAll(ResourceClaim claim, DeviceDemand demand, List<DeviceId> ids) {
        findings.expect(
                !ids.isEmpty() && Optional.of(new HashSet<>(ids)).equals(all(demand)),
                "claim %s: %s are not all devices",
                claim.ref(),
                ids);
    }

    /// All devices that the demand is about; empty when some pool is not fit to be counted.
    private Optional<Set<DeviceId>> all(DeviceDemand demand) {
        var ids = new HashSet<DeviceId>();
        for (var entry : inventory.stocks().entrySet()) {
            var stock = entry.getValue();
            if (stock.fault().isPresent()) {
                if (isUnrelated(demand, entry.getKey().driver())) {
                    continue;
                }
                return Optional.empty();
            }
            for (var spot : stock.offered()) {
                var binds = !spot.device().bindingConditions().isEmpty();
                if ((!binds || has(AllocatorFeature.DEVICE_BINDING_AND_STATUS))
                        && selects(demand, spot)
                        && inventory.reaches(spot)
                        && CapacityRules.isEnough(question, demand, spot.device())) {
                    ids.add(spot.id());
                }
            }
        }
        return Optional.of(ids);
    }

    /// Whether the demand names another driver, and pools of others may be ignored.
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
        question.classes().stream()
                .filter(one -> one.metadata().name().equals(demand.deviceClassName()))
                .forEach(one -> selectors.addAll(one.spec().selectors()));
        selectors.addAll(demand.selectors());
        return selectors;
    }

    private boolean selects(DeviceDemand demand, PublishedDevice spot) {
        var selectors = selectors(demand);
        var seen = SeenDevice.of(spot.id().driver(), spot.device());
        for (var selector : selectors) {
            if (!(selector instanceof DeviceSelector.Cel(var expression))
                    || !expressions
                            .select(expression, seen)
                            .equals(new SelectorResult.Selected(true))) {
                return false;
            }
        }
        return question.classes().stream()
                .anyMatch(one -> one.metadata().name().equals(demand.deviceClassName()));
    }

    private boolean has(AllocatorFeature feature) {
        return question.features().contains(feature);
    }
}
