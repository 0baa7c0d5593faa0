package dev.berth.core.testkit.reference;

import dev.berth.core.testkit.cel.Derivation;
import dev.berth.core.testkit.cel.ReferenceExpressions;
import dev.berth.model.api.claim.DerivedAttribute;
import dev.berth.model.api.claim.DeviceConstraint;
import dev.berth.model.api.slice.AttributeValue;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/// Checks the constraints between the devices of one claim.
final class ReferenceConstraints {

    private final boolean lists;
    private final ReferenceExpressions expressions;
    private final boolean tolerant;

    /// @param lists whether lists are compared as sets; otherwise a list equals no other value
    /// @param tolerant whether a failing derived attribute counts as absent
    ReferenceConstraints(boolean lists, ReferenceExpressions expressions, boolean tolerant) {
        this.lists = lists;
        this.expressions = expressions;
        this.tolerant = tolerant;
    }

    /// Whether the constraint holds with an additional device.
    ///
    /// @param before devices assigned to the claim, in order
    boolean allows(
            DeviceConstraint constraint,
            List<ReferencePlacement> before,
            ReferenceDemand demand,
            ReferenceCandidate candidate) {
        if (!concerns(constraint, demand)) {
            return true;
        }
        var value = value(constraint, demand, candidate);
        if (value.isEmpty()) {
            return false;
        }
        var others = new ArrayList<AttributeValue>();
        for (var placement : before) {
            if (concerns(constraint, placement.demand())) {
                others.add(
                        value(constraint, placement.demand(), placement.candidate()).orElseThrow());
            }
        }
        return switch (constraint) {
            case DeviceConstraint.MatchAttribute _ ->
                    lists ? haveCommon(others, value.get()) : areEqual(others, value.get());
            case DeviceConstraint.DistinctAttribute _ ->
                    lists ? areDisjoint(others, value.get()) : differ(others, value.get());
            case DeviceConstraint.Unrecognised _ ->
                    throw new IllegalStateException("checked before the search");
        };
    }

    private static boolean concerns(DeviceConstraint constraint, ReferenceDemand demand) {
        var names = constraint.requests();
        return names.isEmpty()
                || names.contains(demand.fullName())
                || demand.parent().map(names::contains).orElse(false);
    }

    private Optional<AttributeValue> value(
            DeviceConstraint constraint, ReferenceDemand demand, ReferenceCandidate candidate) {
        var name =
                switch (constraint) {
                    case DeviceConstraint.MatchAttribute match -> match.attribute();
                    case DeviceConstraint.DistinctAttribute distinct -> distinct.attribute();
                    case DeviceConstraint.Unrecognised _ ->
                            throw new IllegalStateException("checked before the search");
                };
        // The last of several attributes with the same name applies.
        var derived =
                demand.deviceDemand().derivedAttributes().stream()
                        .filter(one -> one.name().equals(name))
                        .reduce((_, second) -> second);
        return derived.isPresent() ? derive(derived.get(), candidate) : published(name, candidate);
    }

    private Optional<AttributeValue> derive(
            DerivedAttribute derived, ReferenceCandidate candidate) {
        var name = derived.name();
        return switch (expressions.derive(
                derived.expression(), ReferenceSelectors.seen(candidate))) {
            case Derivation.Derived(var value) -> Optional.of(value);
            case Derivation.NotCompiled(var cause) ->
                    throw new AllocationFault(
                            "compile derived attribute %s failed: %s".formatted(name, cause));
            case Derivation.Failed _ when tolerant -> Optional.empty();
            case Derivation.Failed(var cause) ->
                    throw new AllocationFault(
                            "evaluate derived attribute %s on device %s failed: %s"
                                    .formatted(name, candidate.id(), cause));
        };
    }

    private static Optional<AttributeValue> published(String name, ReferenceCandidate candidate) {
        var attributes = candidate.device().attributes();
        if (attributes.containsKey(name)) {
            return Optional.ofNullable(attributes.get(name));
        }
        var ownDomain = candidate.pool().id().driver() + "/";
        return name.startsWith(ownDomain)
                ? Optional.ofNullable(attributes.get(name.substring(ownDomain.length())))
                : Optional.empty();
    }

    /// The first device may have any value, even a list; after it, lists equal nothing.
    private static boolean areEqual(List<AttributeValue> others, AttributeValue value) {
        return others.isEmpty() || (isScalar(value) && others.getFirst().equals(value));
    }

    private static boolean differ(List<AttributeValue> others, AttributeValue value) {
        return others.isEmpty() || (isScalar(value) && !others.contains(value));
    }

    private static boolean isScalar(AttributeValue value) {
        return switch (value) {
            case AttributeValue.IntValue _,
                    AttributeValue.BoolValue _,
                    AttributeValue.StringValue _,
                    AttributeValue.VersionValue _ ->
                    true;
            case AttributeValue.IntList _,
                    AttributeValue.BoolList _,
                    AttributeValue.StringList _,
                    AttributeValue.VersionList _,
                    AttributeValue.Unrecognised _ ->
                    false;
        };
    }

    private static boolean haveCommon(List<AttributeValue> others, AttributeValue value) {
        var common = new HashSet<>(elements(value));
        others.forEach(other -> common.retainAll(elements(other)));
        return !common.isEmpty();
    }

    private static boolean areDisjoint(List<AttributeValue> others, AttributeValue value) {
        var own = elements(value);
        return !own.isEmpty()
                && others.stream()
                        .flatMap(other -> elements(other).stream())
                        .noneMatch(own::contains);
    }

    /// Elements as scalars, so that the type is part of each; empty for unrecognised values.
    private static Set<AttributeValue> elements(AttributeValue value) {
        return switch (value) {
            case AttributeValue.IntList(var values) ->
                    values.stream()
                            .map(AttributeValue.IntValue::new)
                            .collect(Collectors.toUnmodifiableSet());
            case AttributeValue.BoolList(var values) ->
                    values.stream()
                            .map(AttributeValue.BoolValue::new)
                            .collect(Collectors.toUnmodifiableSet());
            case AttributeValue.StringList(var values) ->
                    values.stream()
                            .map(AttributeValue.StringValue::new)
                            .collect(Collectors.toUnmodifiableSet());
            case AttributeValue.VersionList(var values) ->
                    values.stream()
                            .map(AttributeValue.VersionValue::new)
                            .collect(Collectors.toUnmodifiableSet());
            case AttributeValue.Unrecognised _ -> Set.of();
            case AttributeValue.IntValue _,
                    AttributeValue.BoolValue _,
                    AttributeValue.StringValue _,
                    AttributeValue.VersionValue _ ->
                    Set.of(value);
        };
    }
}
