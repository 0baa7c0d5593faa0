package dev.berth.core.cel;

import dev.cel.common.CelAbstractSyntaxTree;
import dev.cel.common.types.CelType;

/// An expression that was parsed and type-checked, and what evaluating it may cost.
///
/// @param worstCaseCost the estimate that admission compares with its limit; `Long.MAX_VALUE` where
///   nothing bounds it
public record CheckedExpression(
        String source,
        ExpressionPurpose purpose,
        CelEnvironment environment,
        CelAbstractSyntaxTree ast,
        long worstCaseCost) {

    /// The type that the checker found for the whole expression.
    public CelType resultType() {
        return ast.getResultType();
    }
}
