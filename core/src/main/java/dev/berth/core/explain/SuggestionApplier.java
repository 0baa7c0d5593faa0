package dev.berth.core.explain;

import dev.berth.core.place.Rejection;
import dev.berth.core.place.filter.DynamicResourcesFilter;
import dev.berth.core.taint.TaintRules;
import dev.berth.model.api.claim.AllocationCount;
import dev.berth.model.api.claim.CapacityRequirements;
import dev.berth.model.api.claim.DeviceConstraint;
import dev.berth.model.api.claim.DeviceDemand;
import dev.berth.model.api.claim.DeviceRequest;
import dev.berth.model.api.claim.DeviceSelector;
import dev.berth.model.api.claim.DeviceSubRequest;
import dev.berth.model.api.claim.ResourceClaim;
import dev.berth.model.api.claim.ResourceClaimSpec;
import dev.berth.model.api.meta.ObjectRef;
import dev.berth.model.api.slice.ResourcePool;
import dev.berth.model.api.slice.ResourceSlice;
import dev.berth.model.api.slice.ResourceSliceSpec;
import dev.berth.model.api.taint.DeviceTaint;
import dev.berth.model.api.taint.DeviceToleration;
import dev.berth.model.api.taint.TolerationOperator;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.function.UnaryOperator;

/// Applies suggestions to the inputs of an explanation.
public final class SuggestionApplier {

    private SuggestionApplier() {}

    public static ExplainInputs apply(Suggestion suggestion, ExplainInputs inputs) {
        return switch (suggestion) {
            case Suggestion.Release(var claims) ->
                    inputs.withHolders(
                            inputs.holders().stream()
                                    .filter(holder -> !claims.contains(holder.ref()))
                                    .toList());
            case Suggestion.Tolerate(var claim, var request, var taints) ->
                    editDemand(inputs, claim, request, d -> tolerating(d, taints));
            case Suggestion.LowerCount(var claim, var request, _, var to) ->
                    editDemand(
                            inputs,
                            claim,
                            request,
                            d -> withCount(d, new AllocationCount.ExactCount(to)));
            case Suggestion.LowerCapacity c ->
                    editDemand(inputs, c.claim(), c.request(), d -> withCapacity(d, c));
            case Suggestion.EditSelector edit -> edit(inputs, edit);
            case Suggestion.RenameInConstraint(var claim, var number, _, var to) ->
                    editConstraint(inputs, claim, number, c -> Optional.of(renamed(c, to)));
            case Suggestion.DropConstraint(var claim, var number, _) ->
                    editConstraint(inputs, claim, number, _ -> Optional.empty());
            case Suggestion.UseClass(var claim, var request, _, var to) ->
                    editDemand(inputs, claim, request, d -> ofClass(d, to));
            case Suggestion.AllowNode(var node, var reasons) ->
                    deallocated(inputs.withoutRejections(node), reasons);
            case Suggestion.ShortenPool shorter -> shortened(inputs, shorter);
            case Suggestion.DeleteTaintRule(var rule, _) -> withoutRule(inputs, rule);
        };
    }

    /// Claims with devices on other nodes are deallocated, to be allocated on this node instead.
    private static ExplainInputs deallocated(ExplainInputs inputs, List<Rejection> reasons) {
        var changed = inputs;
        for (var reason : reasons) {
            if (reason instanceof DynamicResourcesFilter.ClaimNotOnNode(var claim)) {
                changed = changed.withoutAllocation(claim);
            }
        }
        return changed;
    }

    private static ExplainInputs edit(ExplainInputs inputs, Suggestion.EditSelector edit) {
        var at = edit.at();
        return editDemand(
                inputs,
                at.claim(),
                at.request(),
                d -> withSelectors(d, replaced(d.selectors(), at.number(), edit.expression())));
    }

    /// The taint of a rule is removed once per device, since the driver may publish the same.
    private static ExplainInputs withoutRule(ExplainInputs inputs, String name) {
        var rule =
                inputs.taintRules().stream()
                        .filter(one -> one.metadata().name().equals(name))
                        .findFirst()
                        .orElseThrow();
        return inputs.withSlices(
                inputs.slices().stream().map(slice -> TaintRules.remove(slice, rule)).toList());
    }

    private static List<DeviceSelector> replaced(
            List<DeviceSelector> selectors, int number, String expression) {
        var changed = new ArrayList<>(selectors);
        changed.set(number, new DeviceSelector.Cel(expression));
        return changed;
    }

    /// Edits the demand of a request or of one of its alternatives.
    static ExplainInputs editDemand(
            ExplainInputs inputs,
            ObjectRef claim,
            String request,
            UnaryOperator<DeviceDemand> edit) {
        return editSpec(
                inputs,
                claim,
                spec ->
                        new ResourceClaimSpec(
                                spec.requests().stream()
                                        .map(r -> edited(r, request, edit))
                                        .toList(),
                                spec.constraints(),
                                spec.config()));
    }

    static ExplainInputs editSpec(
            ExplainInputs inputs, ObjectRef claim, UnaryOperator<ResourceClaimSpec> edit) {
        return inputs.withClaims(
                inputs.claims().stream()
                        .map(c ->
                                c.ref().equals(claim)
                                        ? new ResourceClaim(
                                                c.metadata(), edit.apply(c.spec()), c.status())
                                        : c)
                        .toList());
    }

    private static DeviceRequest edited(
            DeviceRequest request, String name, UnaryOperator<DeviceDemand> edit) {
        return switch (request) {
            case DeviceRequest.Exactly exactly when exactly.name().equals(name) ->
                    new DeviceRequest.Exactly(
                            name, edit.apply(exactly.demand()), exactly.adminAccess());
            case DeviceRequest.FirstAvailable list ->
                    new DeviceRequest.FirstAvailable(
                            list.name(),
                            list.alternatives().stream()
                                    .map(a ->
                                            name.equals(list.name() + "/" + a.name())
                                                    ? new DeviceSubRequest(
                                                            a.name(), edit.apply(a.demand()))
                                                    : a)
                                    .toList());
            case DeviceRequest.Exactly _, DeviceRequest.Unrecognised _ -> request;
        };
    }

    private static ExplainInputs editConstraint(
            ExplainInputs inputs,
            ObjectRef claim,
            int number,
            Function<DeviceConstraint, Optional<DeviceConstraint>> edit) {
        return editSpec(
                inputs,
                claim,
                spec -> {
                    var constraints = new ArrayList<>(spec.constraints());
                    var changed = edit.apply(constraints.remove(number));
                    changed.ifPresent(c -> constraints.add(number, c));
                    return new ResourceClaimSpec(spec.requests(), constraints, spec.config());
                });
    }

    private static DeviceConstraint renamed(DeviceConstraint constraint, String attribute) {
        return switch (constraint) {
            case DeviceConstraint.MatchAttribute match ->
                    new DeviceConstraint.MatchAttribute(
                            match.requests(), attribute, match.ignoredDistinctAttribute());
            case DeviceConstraint.DistinctAttribute distinct ->
                    new DeviceConstraint.DistinctAttribute(distinct.requests(), attribute);
            case DeviceConstraint.Unrecognised unknown -> unknown;
        };
    }

    private static DeviceDemand tolerating(DeviceDemand demand, List<DeviceTaint> taints) {
        var tolerations = new ArrayList<>(demand.tolerations());
        for (var taint : taints) {
            tolerations.add(
                    new DeviceToleration(
                            taint.key(),
                            TolerationOperator.Known.EQUAL,
                            taint.value(),
                            Optional.of(taint.effect()),
                            OptionalLong.empty()));
        }
        return new DeviceDemand(
                demand.deviceClassName(),
                demand.selectors(),
                demand.count(),
                tolerations,
                demand.capacity(),
                demand.derivedAttributes());
    }

    private static DeviceDemand withCount(DeviceDemand demand, AllocationCount count) {
        return new DeviceDemand(
                demand.deviceClassName(),
                demand.selectors(),
                count,
                demand.tolerations(),
                demand.capacity(),
                demand.derivedAttributes());
    }

    private static DeviceDemand withSelectors(DeviceDemand demand, List<DeviceSelector> changed) {
        return new DeviceDemand(
                demand.deviceClassName(),
                changed,
                demand.count(),
                demand.tolerations(),
                demand.capacity(),
                demand.derivedAttributes());
    }

    private static DeviceDemand ofClass(DeviceDemand demand, String deviceClass) {
        return new DeviceDemand(
                deviceClass,
                demand.selectors(),
                demand.count(),
                demand.tolerations(),
                demand.capacity(),
                demand.derivedAttributes());
    }

    private static DeviceDemand withCapacity(
            DeviceDemand demand, Suggestion.LowerCapacity suggestion) {
        var requests =
                new TreeMap<>(demand.capacity().map(CapacityRequirements::requests).orElseThrow());
        requests.put(suggestion.capacity(), suggestion.to());
        return new DeviceDemand(
                demand.deviceClassName(),
                demand.selectors(),
                demand.count(),
                demand.tolerations(),
                Optional.of(new CapacityRequirements(requests)),
                demand.derivedAttributes());
    }

    private static ExplainInputs shortened(
            ExplainInputs inputs, Suggestion.ShortenPool suggestion) {
        return inputs.withSlices(
                inputs.slices().stream()
                        .map(slice ->
                                slice.poolId().equals(suggestion.pool())
                                        ? counting(slice, suggestion.present())
                                        : slice)
                        .toList());
    }

    private static ResourceSlice counting(ResourceSlice slice, long count) {
        var spec = slice.spec();
        return new ResourceSlice(
                slice.metadata(),
                new ResourceSliceSpec(
                        spec.driver(),
                        new ResourcePool(spec.pool().name(), spec.pool().generation(), count),
                        spec.scope(),
                        spec.devices(),
                        spec.sharedCounters(),
                        spec.partitionTypeAttribute(),
                        spec.skipNodeOperations()));
    }
}
