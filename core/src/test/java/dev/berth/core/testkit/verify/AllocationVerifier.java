package dev.berth.core.testkit.verify;

import dev.berth.core.allocate.AllocationRequest;
import dev.berth.core.allocate.rule.AllocatorFeature;
import dev.berth.core.allocate.rule.Leniency;
import dev.berth.core.testkit.cel.ReferenceExpressions;
import dev.berth.model.api.claim.AllocatedDevice;
import dev.berth.model.api.claim.AllocationResult;
import dev.berth.model.api.claim.DeviceDemand;
import dev.berth.model.api.claim.DeviceRequest;
import dev.berth.model.api.claim.ResourceClaim;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/// Verifies an allocation rule by rule: whether it is valid, not whether it is the first one in
/// search order.
public final class AllocationVerifier {

    private static final int MOST_DEVICES = 32;

    private final ReferenceExpressions expressions;
    private final Set<Leniency> leniencies;

    public AllocationVerifier(ReferenceExpressions expressions) {
        this(expressions, Set.of());
    }

    /// A verifier of allocators that tolerate some errors on which Kubernetes fails.
    public AllocationVerifier(ReferenceExpressions expressions, Set<Leniency> leniencies) {
        this.expressions = expressions;
        this.leniencies = Set.copyOf(leniencies);
    }

    /// The rules that the results violate; empty for a valid allocation.
    public List<String> violations(
            AllocationRequest allocationRequest, List<AllocationResult> results) {
        var violations = new RuleViolations();
        violations.expect(
                results.size() == allocationRequest.claims().size(),
                "%d results for %d claims",
                results.size(),
                allocationRequest.claims().size());
        if (results.size() != allocationRequest.claims().size()) {
            return violations.texts();
        }
        var inventory = new Inventory(allocationRequest);
        var rows = new ArrayList<AllocatedRow>();
        for (var i = 0; i < results.size(); i++) {
            rows.addAll(rows(i, allocationRequest, results.get(i), inventory, violations));
        }
        var selection =
                new SelectionRules(
                        allocationRequest, inventory, expressions, leniencies, violations);
        var claims = new ClaimRules(allocationRequest, expressions, violations);
        for (var i = 0; i < results.size(); i++) {
            var index = i;
            var own = rows.stream().filter(row -> row.claimIndex() == index).toList();
            var claim = allocationRequest.claims().get(i);
            selection.checkCounts(claim, own);
            claims.check(claim, own, results.get(i));
        }
        rows.forEach(selection::check);
        new HoldingRules(allocationRequest, inventory, violations).check(rows);
        new CapacityRules(allocationRequest, violations).check(rows);
        return violations.texts();
    }

    private static List<AllocatedRow> rows(
            int index,
            AllocationRequest allocationRequest,
            AllocationResult result,
            Inventory inventory,
            RuleViolations violations) {
        var claim = allocationRequest.claims().get(index);
        violations.expect(
                result.devices().size() <= MOST_DEVICES,
                "claim %s: %d devices are more than %d",
                claim.ref(),
                result.devices().size(),
                MOST_DEVICES);
        violations.expect(
                result.allocationTimestamp().isEmpty(),
                "claim %s: the time is not the allocator's to set",
                claim.ref());
        var rows = new ArrayList<AllocatedRow>();
        for (var device : result.devices()) {
            var published = inventory.find(device.id());
            var row = published.flatMap(one -> row(index, claim, device, one));
            violations.expect(
                    published.isPresent(), "claim %s: no device %s here", claim.ref(), device.id());
            violations.expect(
                    published.isEmpty() || row.isPresent(),
                    "claim %s: no request %s",
                    claim.ref(),
                    device.request());
            row.ifPresent(rows::add);
        }
        rows.forEach(row -> checkCopies(allocationRequest, row, violations));
        return rows;
    }

    private static Optional<AllocatedRow> row(
            int index, ResourceClaim claim, AllocatedDevice device, PublishedDevice published) {
        for (var request : claim.spec().requests()) {
            switch (request) {
                case DeviceRequest.Exactly exactly -> {
                    if (exactly.name().equals(device.request())) {
                        return Optional.of(
                                row(
                                        index,
                                        claim,
                                        request,
                                        exactly.demand(),
                                        exactly.isAdmin(),
                                        device,
                                        published));
                    }
                }
                case DeviceRequest.FirstAvailable choice -> {
                    for (var one : choice.alternatives()) {
                        if ((choice.name() + "/" + one.name()).equals(device.request())) {
                            return Optional.of(
                                    row(
                                            index,
                                            claim,
                                            request,
                                            one.demand(),
                                            false,
                                            device,
                                            published));
                        }
                    }
                }
                case DeviceRequest.Unrecognised _ -> {}
            }
        }
        return Optional.empty();
    }

    private static AllocatedRow row(
            int index,
            ResourceClaim claim,
            DeviceRequest request,
            DeviceDemand demand,
            boolean admin,
            AllocatedDevice device,
            PublishedDevice published) {
        return new AllocatedRow(index, claim, request.name(), demand, admin, device, published);
    }

    /// Checks fields that are copied from the request, the device and the slice.
    private static void checkCopies(
            AllocationRequest allocationRequest, AllocatedRow row, RuleViolations violations) {
        var result = row.device();
        var device = row.published().device();
        var binds =
                allocationRequest.features().contains(AllocatorFeature.DEVICE_BINDING_AND_STATUS);
        violations.expect(
                result.adminAccess().equals(row.admin() ? Optional.of(true) : Optional.empty()),
                "%s: wrong adminAccess",
                row);
        violations.expect(
                result.tolerations().equals(row.demand().tolerations()),
                "%s: wrong tolerations",
                row);
        violations.expect(
                result.bindingConditions().equals(binds ? device.bindingConditions() : List.of()),
                "%s: wrong bindingConditions",
                row);
        violations.expect(
                result.bindingFailureConditions()
                        .equals(binds ? device.bindingFailureConditions() : List.of()),
                "%s: wrong bindingFailureConditions",
                row);
        violations.expect(
                result.skipNodeOperations()
                        .equals(row.published().slice().spec().skipNodeOperations()),
                "%s: wrong skipNodeOperations",
                row);
    }
}
