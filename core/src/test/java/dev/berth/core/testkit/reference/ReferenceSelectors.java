package dev.berth.core.testkit.reference;

import dev.berth.core.allocate.AllocationRequest;
import dev.berth.core.allocate.rule.AllocatorFeature;
import dev.berth.core.allocate.rule.Leniency;
import dev.berth.core.testkit.cel.ReferenceExpressions;
import dev.berth.core.testkit.cel.SelectorResult;
import dev.berth.core.testkit.cel.SliceDeviceView;
import dev.berth.model.api.claim.DeviceSelector;
import dev.berth.model.api.claim.ResourceClaim;
import dev.berth.model.api.slice.Device;
import dev.berth.model.api.slice.SliceScope;
import java.util.List;
import java.util.Set;

/// Evaluates the selectors of a request on devices.
final class ReferenceSelectors {

    private final AllocationRequest allocationRequest;
    private final ReferenceExpressions expressions;
    private final ReferenceNodeScope reach;
    private final Set<Leniency> leniencies;

    ReferenceSelectors(
            AllocationRequest allocationRequest,
            ReferenceExpressions expressions,
            Set<Leniency> leniencies) {
        this.leniencies = leniencies;
        this.allocationRequest = allocationRequest;
        this.expressions = expressions;
        this.reach = new ReferenceNodeScope(allocationRequest.node());
    }

    boolean select(ResourceClaim claim, ReferenceDemand demand, ReferenceCandidate candidate) {
        if (!allocationRequest.features().contains(AllocatorFeature.DEVICE_BINDING_AND_STATUS)
                && !candidate.device().bindingConditions().isEmpty()) {
            return false;
        }
        var deviceClass = demand.deviceClass();
        return match(
                        "class " + deviceClass.metadata().name(),
                        deviceClass.spec().selectors(),
                        candidate)
                && match("claim " + claim.ref(), demand.deviceDemand().selectors(), candidate)
                && isOnNode(candidate);
    }

    private boolean match(
            String owner, List<DeviceSelector> selectors, ReferenceCandidate candidate) {
        for (var i = 0; i < selectors.size(); i++) {
            if (!matches(owner + ": selector #" + i, selectors.get(i), candidate)) {
                return false;
            }
        }
        return true;
    }

    private boolean matches(String label, DeviceSelector selector, ReferenceCandidate candidate) {
        return switch (selector) {
            case DeviceSelector.Unrecognised _ ->
                    throw new AllocationFault(
                            label + ": CEL expression empty (unsupported selector type?)");
            case DeviceSelector.Cel(var expression) ->
                    switch (expressions.select(expression, seen(candidate))) {
                        case SelectorResult.Selected(var matches) -> matches;
                        case SelectorResult.NotCompiled(var cause) ->
                                throw new AllocationFault(label + ": CEL compile error: " + cause);
                        case SelectorResult.Failed(var cause) -> {
                            if (leniencies.contains(Leniency.TOLERATE_SELECTOR_ERRORS)) {
                                yield false;
                            }
                            throw new AllocationFault(
                                    "%s on device %s: CEL runtime error: %s"
                                            .formatted(label, candidate.id(), cause));
                        }
                    };
        };
    }

    /// Whether an unusable pool of a driver concerns a request for all devices. The classes of
    /// random requests select a driver by an expression of nothing else.
    boolean concerns(ReferenceDemand demand, String driver) {
        if (!leniencies.contains(Leniency.IGNORE_UNRELATED_POOLS)) {
            return true;
        }
        var bare = SliceDeviceView.of(driver, Device.named("any"));
        for (var selector : demand.deviceClass().spec().selectors()) {
            if (selector instanceof DeviceSelector.Cel(var text)
                    && text.startsWith("device.driver == ")
                    && !text.contains("&&")
                    && !text.contains("||")
                    && expressions.select(text, bare).equals(new SelectorResult.Selected(false))) {
                return false;
            }
        }
        return true;
    }

    private boolean isOnNode(ReferenceCandidate candidate) {
        return !(candidate.slice().spec().scope() instanceof SliceScope.PerDevice)
                || reach.reaches(candidate.device().scope());
    }

    static SliceDeviceView seen(ReferenceCandidate candidate) {
        return SliceDeviceView.of(candidate.pool().id().driver(), candidate.device());
    }
}
