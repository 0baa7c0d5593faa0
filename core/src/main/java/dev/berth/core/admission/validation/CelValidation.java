package dev.berth.core.admission.validation;

import dev.berth.core.admission.field.FieldError;
import dev.berth.core.admission.field.FieldErrors;
import dev.berth.core.cel.CelCompiler;
import dev.berth.core.cel.Compilation;
import dev.berth.core.text.GoText;
import dev.berth.model.json.FieldPath;
import dev.berth.model.json.JsonObject;
import java.util.List;

/// Validates CEL expressions: length, compilation and estimated cost.
///
/// Stored expressions are not validated again, so that a newer server with stricter rules still
/// accepts updates of stored objects.
final class CelValidation {

    static final int MAX_SELECTORS = 32;

    private final CelCompiler compiler;
    private long derivedCost;

    CelValidation(CelCompiler compiler) {
        this.compiler = compiler;
    }

    void selectors(
            List<JsonObject> selectors, FieldPath path, boolean stored, FieldErrors problems) {
        problems.list(
                selectors,
                MAX_SELECTORS,
                path,
                FieldErrors.Cover.SIZE,
                (selector, at) -> selector(selector, at.child("cel"), stored, problems));
    }

    private void selector(
            JsonObject selector, FieldPath path, boolean stored, FieldErrors problems) {
        var cel = selector.object("cel");
        if (cel.isEmpty()) {
            problems.add(FieldError.required(path));
        } else if (!stored) {
            expression(cel.get().text("expression"), path.child("expression"), false, problems);
        }
    }

    /// Checks the expression of a derived attribute and adds its cost to those of the same claim.
    void derived(String expression, FieldPath path, FieldErrors problems) {
        derivedCost += expression(expression, path, true, problems);
    }

    /// Reports an error when the derived attributes exceed the cost limit together.
    void derivedTogether(FieldPath path, FieldErrors problems) {
        if (derivedCost > CelCompiler.MAX_COST) {
            problems.add(
                    FieldError.forbidden(
                            path,
                            "too complex, total cost of derived attribute CEL expressions in the "
                                    + "claim exceeds cost limit"));
        }
    }

    private long expression(
            String expression, FieldPath path, boolean derived, FieldErrors problems) {
        if (GoText.bytes(expression) > CelCompiler.MAX_LENGTH_BYTES) {
            problems.add(FieldError.tooLong(path, CelCompiler.MAX_LENGTH_BYTES));
            return 0L;
        }
        var compilation =
                derived
                        ? compiler.compileDerived(expression)
                        : compiler.compileSelector(expression);
        return switch (compilation) {
            case Compilation.Compiled(var compiled) -> {
                if (compiled.worstCaseCost() > CelCompiler.MAX_COST) {
                    problems.add(FieldError.forbidden(path, "too complex, exceeds cost limit"));
                }
                // Costs can be Long.MAX_VALUE; their sum must not overflow.
                yield Math.min(compiled.worstCaseCost(), CelCompiler.MAX_COST + 1);
            }
            case Compilation.Rejected(var kind, var detail, _) -> {
                problems.add(
                        switch (kind) {
                            case INVALID -> FieldError.invalid(path, expression, detail);
                            case INTERNAL -> FieldError.internal(path, detail);
                        });
                yield 0L;
            }
        };
    }
}
