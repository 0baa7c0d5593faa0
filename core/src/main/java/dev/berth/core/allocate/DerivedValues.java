package dev.berth.core.allocate;

import dev.berth.core.cel.EvaluationResult;
import dev.berth.model.api.AttributeValue;
import dev.berth.model.api.DerivedAttribute;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/// The values that constraints compare: attributes of devices, or what a request computes of them.
final class DerivedValues {

    /// The constraints that bind an option, what each compares, and where that fails.
    record Compared(
            List<Constraint> constraints, List<int[][]> values, Map<Integer, String> faults) {}

    private final NodeDevices arena;
    private final CompiledExpressions expressions;
    private final ValueNumbering numberings;
    private final ToleratedErrors tolerance;
    private final Map<Constraint, int[][]> published = new HashMap<>();

    DerivedValues(NodeDevices arena, SelectorCache selections, ToleratedErrors tolerance) {
        this.arena = arena;
        this.expressions = selections.expressions();
        this.numberings = selections.numberings();
        this.tolerance = tolerance;
    }

    /// What the constraints of an option compare.
    ///
    /// @param computed the attributes that some option computes
    Compared compared(RequestOptionDraft draft, List<Constraint> all, Set<String> computed) {
        var bound = new ArrayList<Constraint>();
        var values = new ArrayList<int[][]>();
        var faults = new HashMap<Integer, String>();
        for (var constraint : all) {
            if (!constraint.binds(draft.claim, draft.request, draft.name)
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

    /// Whether any device that the option could have has the attribute: a CPU has no PCIe root.
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

    /// The same array for every option, so that equal values can be told by identity.
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
        // Nowhere else can a match see one device twice.
        var once = !constraint.isPreference() && !arena.hasShareable();
        var common = constraint.isMatch() && once;
        var numbering = numberings.of(arena, constraint.attribute(), values.lists(), common);
        values.count(numbering);
        return numbering.in(arena);
    }

    /// The numbers of values that are compared with such as are computed, whatever those will be.
    private int[][] numbered(Constraint constraint) {
        var values = new int[arena.size()][];
        for (var device = 0; device < values.length; device++) {
            values[device] =
                    arena.pool(device)
                            .attribute(arena.row(device), constraint.attribute())
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
        var values = new int[arena.size()][];
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
            case CompiledExpressions.Meaning.Broken(var detail) -> {
                faults.putIfAbsent(
                        device,
                        "compile derived attribute %s failed: %s"
                                .formatted(attribute.name(), detail));
                yield Optional.empty();
            }
            case CompiledExpressions.Meaning.Ready(var program) -> {
                var pool = arena.pool(device);
                var row = arena.row(device);
                var view = new DeviceRowView(pool.slice(row), pool.rowInSlice(row));
                yield switch (program.evaluate(view)) {
                    case EvaluationResult.Derived(var value, _) -> Optional.of(value);
                    case EvaluationResult.Failed(var message, _) -> {
                        var fault =
                                "evaluate derived attribute %s on device %s failed: %s"
                                        .formatted(attribute.name(), arena.id(device), message);
                        if (!tolerance.passesOver(fault)) {
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
