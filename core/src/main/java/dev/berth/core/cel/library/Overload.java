package dev.berth.core.cel.library;

import dev.berth.core.cel.cost.ArgumentEstimate;
import dev.berth.core.cel.cost.CallEstimate;
import dev.berth.core.cel.cost.CostRange;
import dev.cel.common.types.CelType;
import java.util.List;

/// One way to call a function: its declaration, its meaning and its cost, in one place.
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

    /// What the function does. Arguments are never failures; a failed call returns a [CelError].
    public interface Call {
        Object apply(Object[] arguments);
    }

    /// The worst case of one call, without the cost of its arguments. The receiver of a member call
    /// is the first argument.
    public interface Estimate {
        Estimate ONE = _ -> CallEstimate.of(CostRange.ONE);

        CallEstimate of(List<ArgumentEstimate> arguments);
    }

    /// What one call did cost, without the cost of its arguments.
    public interface Charge {
        Charge ONE = (_, _) -> 1;

        long of(Object[] arguments, Object result);
    }
}
