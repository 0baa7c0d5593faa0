package dev.berth.testkit.verify;

import dev.berth.core.allocate.AllocationRequest;
import dev.berth.core.allocate.AllocatorFeature;
import dev.berth.core.allocate.Leniency;
import dev.berth.model.api.AllocatedDevice;
import dev.berth.model.api.AllocationResult;
import dev.berth.model.api.DeviceDemand;
import dev.berth.model.api.DeviceRequest;
import dev.berth.model.api.ResourceClaim;
import dev.berth.testkit.cel.ReferenceExpressions;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/// Checks an allocation rule by rule. It says whether the allocation is allowed, not whether it is
/// the first one in the order of visiting.
public final class AllocationVerifier {

    private static final int MOST_DEVICES = 32;

    private final ReferenceExpressions expressions;
    private final Set<Leniency> leniencies;

    public AllocationVerifier(ReferenceExpressions expressions) {
        this(expressions, Set.of());
    }

    /// A verifier of allocators that are kinder than Kubernetes in some respects.
    public AllocationVerifier(ReferenceExpressions expressions, Set<Leniency> leniencies) {
        this.expressions = expressions;
        this.leniencies = Set.copyOf(leniencies);
    }

    /// The rules that the results break; empty when there are none.
    public List<String> violations(AllocationRequest question, List<AllocationResult> results) {
        var findings = new RuleViolations();
        findings.expect(
                results.size() == question.claims().size(),
                "%d results for %d claims",
                results.size(),
                question.claims().size());
        if (results.size() != question.claims().size()) {
            return findings.texts();
        }
        var inventory = new Inventory(question);
        var grants = new ArrayList<AllocatedRow>();
        for (var i = 0; i < results.size(); i++) {
            grants.addAll(grants(i, question, results.get(i), inventory, findings));
        }
        var selection = new SelectionRules(question, inventory, expressions, leniencies, findings);
        var claims = new ClaimRules(question, expressions, findings);
        for (var i = 0; i < results.size(); i++) {
            var index = i;
            var own = grants.stream().filter(grant -> grant.claimIndex() == index).toList();
            var claim = question.claims().get(i);
            selection.checkCounts(claim, own);
            claims.check(claim, own, results.get(i));
        }
        grants.forEach(selection::check);
        new HoldingRules(question, inventory, findings).check(grants);
        new CapacityRules(question, findings).check(grants);
        return findings.texts();
    }

    private static List<AllocatedRow> grants(
            int index,
            AllocationRequest question,
            AllocationResult result,
            Inventory inventory,
            RuleViolations findings) {
        var claim = question.claims().get(index);
        findings.expect(
                result.devices().size() <= MOST_DEVICES,
                "claim %s: %d devices are more than %d",
                claim.ref(),
                result.devices().size(),
                MOST_DEVICES);
        findings.expect(
                result.allocationTimestamp().isEmpty(),
                "claim %s: the time is not the allocator's to set",
                claim.ref());
        var grants = new ArrayList<AllocatedRow>();
        for (var device : result.devices()) {
            var spot = inventory.find(device.id());
            var grant = spot.flatMap(one -> grant(index, claim, device, one));
            findings.expect(
                    spot.isPresent(), "claim %s: no device %s here", claim.ref(), device.id());
            findings.expect(
                    spot.isEmpty() || grant.isPresent(),
                    "claim %s: no request %s",
                    claim.ref(),
                    device.request());
            grant.ifPresent(grants::add);
        }
        grants.forEach(grant -> checkCopies(question, grant, findings));
        return grants;
    }

    private static Optional<AllocatedRow> grant(
            int index, ResourceClaim claim, AllocatedDevice device, PublishedDevice spot) {
        for (var request : claim.spec().requests()) {
            switch (request) {
                case DeviceRequest.Exactly exactly -> {
                    if (exactly.name().equals(device.request())) {
                        return Optional.of(
                                grant(
                                        index,
                                        claim,
                                        request,
                                        exactly.demand(),
                                        exactly.isAdmin(),
                                        device,
                                        spot));
                    }
                }
                case DeviceRequest.FirstAvailable choice -> {
                    for (var one : choice.alternatives()) {
                        if ((choice.name() + "/" + one.name()).equals(device.request())) {
                            return Optional.of(
                                    grant(
                                            index,
                                            claim,
                                            request,
                                            one.demand(),
                                            false,
                                            device,
                                            spot));
                        }
                    }
                }
                case DeviceRequest.Unrecognised _ -> {}
            }
        }
        return Optional.empty();
    }

    private static AllocatedRow grant(
            int index,
            ResourceClaim claim,
            DeviceRequest request,
            DeviceDemand demand,
            boolean admin,
            AllocatedDevice device,
            PublishedDevice spot) {
        return new AllocatedRow(index, claim, request.name(), demand, admin, device, spot);
    }

    /// What a result repeats of the request, the device and the slice.
    private static void checkCopies(
            AllocationRequest question, AllocatedRow grant, RuleViolations findings) {
        var result = grant.device();
        var device = grant.spot().device();
        var binds = question.features().contains(AllocatorFeature.DEVICE_BINDING_AND_STATUS);
        findings.expect(
                result.adminAccess().equals(grant.admin() ? Optional.of(true) : Optional.empty()),
                "%s: wrong adminAccess",
                grant);
        findings.expect(
                result.tolerations().equals(grant.demand().tolerations()),
                "%s: wrong tolerations",
                grant);
        findings.expect(
                result.bindingConditions().equals(binds ? device.bindingConditions() : List.of()),
                "%s: wrong bindingConditions",
                grant);
        findings.expect(
                result.bindingFailureConditions()
                        .equals(binds ? device.bindingFailureConditions() : List.of()),
                "%s: wrong bindingFailureConditions",
                grant);
        findings.expect(
                result.skipNodeOperations()
                        .equals(grant.spot().slice().spec().skipNodeOperations()),
                "%s: wrong skipNodeOperations",
                grant);
    }
}
