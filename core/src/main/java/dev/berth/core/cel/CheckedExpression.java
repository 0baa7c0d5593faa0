package dev.berth.core.cel;

import dev.cel.common.CelAbstractSyntaxTree;
import dev.cel.common.types.CelType;

/// A parsed and type-checked expression with its estimated cost.
///
/// @param worstCaseCost upper bound that admission compares with its limit; `Long.MAX_VALUE` when
///   unbounded
public record CheckedExpression(
        String source,
        ExpressionPurpose purpose,
        CelEnvironment environment,
        CelAbstractSyntaxTree ast,
        long worstCaseCost) {

    /// The type of the whole expression.
    public CelType resultType() {
        return ast.getResultType();
    }
}
