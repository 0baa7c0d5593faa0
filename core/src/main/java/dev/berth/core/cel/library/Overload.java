package dev.berth.core.cel.library;

import dev.berth.core.cel.cost.ArgumentEstimate;
import dev.berth.core.cel.cost.CallEstimate;
import dev.berth.core.cel.cost.CostRange;
import dev.cel.common.types.CelType;
import java.util.List;

/// One overload of a function: declaration, implementation and cost.
///
/// @param function the name that expressions use, such as `isGreaterThan` or `sets.contains`
/// @param id unique over all libraries, the same as in cel-go and Kubernetes
/// @param member true for `x.f(y)`, false for `f(x, y)`; the receiver is the first argument
/// @param arguments types as the checker sees them
/// @param result type as the checker sees it
public record Overload(
        String function,
        String id,
        boolean member,
        List<CelType> arguments,
        CelType result,
        Call call,
        Estimate estimate,
        Charge charge) {

    public Overload {
        arguments = List.copyOf(arguments);
    }

    /// Implementation of the function. Arguments are never errors; a failed call returns a
    /// [CelError].
    public interface Call {
        Object apply(Object[] arguments);
    }

    /// Cost estimate of one call, without the cost of its arguments. The receiver of a member call
    /// is the first argument.
    public interface Estimate {
        Estimate ONE = _ -> CallEstimate.of(CostRange.ONE);

        CallEstimate of(List<ArgumentEstimate> arguments);
    }

    /// Actual cost of one call, without the cost of its arguments.
    public interface Charge {
        Charge ONE = (_, _) -> 1;

        long of(Object[] arguments, Object result);
    }
}
