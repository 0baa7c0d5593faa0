package dev.berth.core.allocate.request;

import dev.berth.core.allocate.rule.ToleratedErrors;
import dev.berth.core.allocate.selector.CompiledExpressions;
import dev.berth.core.allocate.selector.DeviceRowView;
import dev.berth.core.allocate.selector.SelectorCache;
import dev.berth.core.allocate.state.BitSets;
import dev.berth.core.allocate.state.Constraint;
import dev.berth.core.allocate.state.ConstraintValues;
import dev.berth.core.allocate.state.NodeDevices;
import dev.berth.core.allocate.state.ValueNumbering;
import dev.berth.core.cel.EvaluationResult;
import dev.berth.model.api.claim.DerivedAttribute;
import dev.berth.model.api.slice.AttributeValue;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/// Computes the values that constraints compare: published attributes of devices, or derived
/// attributes of a request.
final class DerivedValues {

    /// The constraints of an option, the values that each compares, and errors by device.
    record Compared(
            List<Constraint> constraints, List<int[][]> values, Map<Integer, String> faults) {}

    private final NodeDevices nodeDevices;
    private final CompiledExpressions expressions;
    private final ValueNumbering numberings;
    private final ToleratedErrors toleratedErrors;
    private final Map<Constraint, int[][]> published = new HashMap<>();

    DerivedValues(
            NodeDevices nodeDevices, SelectorCache selectorCache, ToleratedErrors toleratedErrors) {
        this.nodeDevices = nodeDevices;
        this.expressions = selectorCache.expressions();
        this.numberings = selectorCache.numberings();
        this.toleratedErrors = toleratedErrors;
    }

    /// The values that the constraints of an option compare.
    ///
    /// @param computed names of the attributes that any option derives
    Compared compared(RequestOptionDraft draft, List<Constraint> all, Set<String> computed) {
        var bound = new ArrayList<Constraint>();
        var values = new ArrayList<int[][]>();
        var faults = new HashMap<Integer, String>();
        for (var constraint : all) {
            if (!constraint.appliesTo(draft.claim, draft.request, draft.name)
                    || (constraint.isPreference() && !hasAny(draft, constraint, computed))) {
                continue;
            }
            bound.add(constraint);
            values.add(
                    draft.demand.derivedAttributes().stream()
                            .filter(attribute -> attribute.name().equals(constraint.attribute()))
                            .findFirst()
                            .map(attribute -> computed(draft, constraint, attribute, faults))
                            .orElseGet(() -> published(constraint, computed)));
        }
        return new Compared(bound, values, faults);
    }

    /// Whether any candidate has the attribute. Preferences do not apply to devices without it: a
    /// CPU has no PCIe root.
    private boolean hasAny(RequestOptionDraft draft, Constraint constraint, Set<String> computed) {
        var values = published(constraint, computed);
        for (var device = BitSets.next(draft.candidates, 0);
                device >= 0;
                device = BitSets.next(draft.candidates, device + 1)) {
            if (!ConstraintValues.isAbsent(values[device])) {
                return true;
            }
        }
        return false;
    }

    /// The same array for every option, so that equal values are recognised by identity.
    private int[][] published(Constraint constraint, Set<String> computed) {
        return published.computeIfAbsent(
                constraint,
                _ ->
                        computed.contains(constraint.attribute())
                                ? numbered(constraint)
                                : numberedBefore(constraint));
    }

    private int[][] numberedBefore(Constraint constraint) {
        var values = constraint.values();
        // Only with shareable devices or across claims can a match contain one device twice.
        var once = !constraint.isPreference() && !nodeDevices.hasShareable();
        var common = constraint.isMatch() && once;
        var numbering = numberings.of(nodeDevices, constraint.attribute(), values.lists(), common);
        values.count(numbering);
        return numbering.in(nodeDevices);
    }

    /// Numbers the published values of an attribute that other options derive. Values that only one
    /// device has are kept, since a derived value may equal them.
    private int[][] numbered(Constraint constraint) {
        var values = new int[nodeDevices.size()][];
        for (var device = 0; device < values.length; device++) {
            values[device] =
                    nodeDevices
                            .pool(device)
                            .attribute(nodeDevices.row(device), constraint.attribute())
                            .map(constraint.values()::numbers)
                            .orElse(ConstraintValues.ABSENT);
        }
        return values;
    }

    private int[][] computed(
            RequestOptionDraft draft,
            Constraint constraint,
            DerivedAttribute attribute,
            Map<Integer, String> faults) {
        var values = new int[nodeDevices.size()][];
        Arrays.fill(values, ConstraintValues.ABSENT);
        for (var device = BitSets.next(draft.candidates, 0);
                device >= 0;
                device = BitSets.next(draft.candidates, device + 1)) {
            var value = value(attribute, device, faults);
            values[device] =
                    value.map(constraint.values()::numbers)
                            .orElse(
                                    faults.containsKey(device)
                                            ? ConstraintValues.FAULTY
                                            : ConstraintValues.ABSENT);
        }
        return values;
    }

    private Optional<AttributeValue> value(
            DerivedAttribute attribute, int device, Map<Integer, String> faults) {
        return switch (expressions.derived(attribute.expression())) {
            case CompiledExpressions.Entry.Invalid(var detail) -> {
                faults.putIfAbsent(
                        device,
                        "compile derived attribute %s failed: %s"
                                .formatted(attribute.name(), detail));
                yield Optional.empty();
            }
            case CompiledExpressions.Entry.Valid(var program) -> {
                var pool = nodeDevices.pool(device);
                var row = nodeDevices.row(device);
                var view = new DeviceRowView(pool.slice(row), pool.rowInSlice(row));
                yield switch (program.evaluate(view)) {
                    case EvaluationResult.Derived(var value, _) -> Optional.of(value);
                    case EvaluationResult.Failed(var message, _) -> {
                        var fault =
                                "evaluate derived attribute %s on device %s failed: %s"
                                        .formatted(
                                                attribute.name(), nodeDevices.id(device), message);
                        if (!toleratedErrors.tolerates(fault)) {
                            faults.putIfAbsent(device, fault);
                        }
                        yield Optional.empty();
                    }
                    case EvaluationResult.Matched _ ->
                            throw new IllegalStateException(program.source());
                };
            }
        };
    }
}
