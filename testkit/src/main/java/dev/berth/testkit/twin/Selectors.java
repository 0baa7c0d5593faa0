package dev.berth.testkit.twin;

import dev.berth.core.allocate.AllocationQuestion;
import dev.berth.core.allocate.AllocatorFeature;
import dev.berth.core.allocate.Leniency;
import dev.berth.model.api.Device;
import dev.berth.model.api.DeviceSelector;
import dev.berth.model.api.ResourceClaim;
import dev.berth.model.api.SliceScope;
import dev.berth.testkit.cel.Expressions;
import dev.berth.testkit.cel.SeenDevice;
import dev.berth.testkit.cel.Selection;
import java.util.List;
import java.util.Set;

/// Which devices a request could take if nothing were taken.
final class Selectors {

    private final AllocationQuestion question;
    private final Expressions expressions;
    private final NodeReach reach;
    private final Set<Leniency> leniencies;

    Selectors(AllocationQuestion question, Expressions expressions, Set<Leniency> leniencies) {
        this.leniencies = leniencies;
        this.question = question;
        this.expressions = expressions;
        this.reach = new NodeReach(question.node());
    }

    boolean select(ResourceClaim claim, Demand demand, Candidate candidate) {
        if (!question.features().contains(AllocatorFeature.DEVICE_BINDING_AND_STATUS)
                && !candidate.device().bindingConditions().isEmpty()) {
            return false;
        }
        var deviceClass = demand.deviceClass();
        return match(
                        "class " + deviceClass.metadata().name(),
                        deviceClass.spec().selectors(),
                        candidate)
                && match("claim " + claim.ref(), demand.wish().selectors(), candidate)
                && isOnNode(candidate);
    }

    private boolean match(String owner, List<DeviceSelector> selectors, Candidate candidate) {
        for (var i = 0; i < selectors.size(); i++) {
            if (!matches(owner + ": selector #" + i, selectors.get(i), candidate)) {
                return false;
            }
        }
        return true;
    }

    private boolean matches(String place, DeviceSelector selector, Candidate candidate) {
        return switch (selector) {
            case DeviceSelector.Unrecognised _ ->
                    throw new Fatal(place + ": CEL expression empty (unsupported selector type?)");
            case DeviceSelector.Cel(var expression) ->
                    switch (expressions.select(expression, seen(candidate))) {
                        case Selection.Selected(var matches) -> matches;
                        case Selection.NotCompiled(var cause) ->
                                throw new Fatal(place + ": CEL compile error: " + cause);
                        case Selection.Failed(var cause) -> {
                            if (leniencies.contains(Leniency.TOLERATE_SELECTOR_ERRORS)) {
                                yield false;
                            }
                            throw new Fatal(
                                    "%s on device %s: CEL runtime error: %s"
                                            .formatted(place, candidate.id(), cause));
                        }
                    };
        };
    }

    /// Whether a broken pool of a driver matters to a request for all devices. The classes of
    /// random questions say which driver they are for by an expression of nothing else.
    boolean concerns(Demand demand, String driver) {
        if (!leniencies.contains(Leniency.IGNORE_UNRELATED_POOLS)) {
            return true;
        }
        var bare = SeenDevice.of(driver, Device.named("any"));
        for (var selector : demand.deviceClass().spec().selectors()) {
            if (selector instanceof DeviceSelector.Cel(var text)
                    && text.startsWith("device.driver == ")
                    && !text.contains("&&")
                    && !text.contains("||")
                    && expressions.select(text, bare).equals(new Selection.Selected(false))) {
                return false;
            }
        }
        return true;
    }

    private boolean isOnNode(Candidate candidate) {
        return !(candidate.slice().spec().scope() instanceof SliceScope.PerDevice)
                || reach.reaches(candidate.device().scope());
    }

    static SeenDevice seen(Candidate candidate) {
        return SeenDevice.of(candidate.pool().id().driver(), candidate.device());
    }
}
