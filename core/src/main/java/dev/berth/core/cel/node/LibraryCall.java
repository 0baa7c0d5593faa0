package dev.berth.core.cel.node;

import dev.berth.core.cel.library.CelError;
import dev.berth.core.cel.library.Libraries;
import dev.berth.core.cel.library.Overload;
import dev.berth.core.cel.library.Overload.Charge;
import dev.berth.core.cel.value.Conversions;
import java.util.List;

/// A call of a library function. If the checker left several overloads, the runtime types of the
/// arguments select one.
public final class LibraryCall extends ExpressionNode {

    private final String function;
    private final Overload[] candidates;
    private final OverloadSignature[] signatures;
    private final Charge charge;
    private final ExpressionNode[] arguments;

    /// Calls with up to two arguments of one overload evaluate all arguments before checking for
    /// errors; others stop at the first error.
    private final boolean evaluatesAll;

    public LibraryCall(String function, List<Overload> candidates, List<ExpressionNode> arguments) {
        this.function = function;
        this.candidates = candidates.toArray(Overload[]::new);
        this.signatures =
                candidates.stream().map(OverloadSignature::new).toArray(OverloadSignature[]::new);
        this.charge =
                candidates.size() == 1
                        ? candidates.getFirst().charge()
                        : Libraries.charge(candidates);
        this.arguments = arguments.toArray(ExpressionNode[]::new);
        this.evaluatesAll = candidates.size() == 1 && arguments.size() <= 2;
    }

    @Override
    public List<ExpressionNode> children() {
        return List.of(arguments);
    }

    @Override
    public Object eval(EvaluationFrame frame) {
        var values = new Object[arguments.length];
        Object failure = null;
        for (var i = 0; i < arguments.length; i++) {
            var value = arguments[i].eval(frame);
            values[i] = value;
            if (failure == null && value instanceof CelError) {
                failure = value;
                if (!evaluatesAll && i < arguments.length - 1) {
                    return failure;
                }
            }
        }
        if (failure != null) {
            frame.charge(1);
            return failure;
        }
        return call(frame, values);
    }

    private Object call(EvaluationFrame frame, Object[] values) {
        for (var i = 0; i < candidates.length; i++) {
            if (signatures[i].accepts(values)) {
                var result = candidates[i].call().apply(values);
                frame.charge(charge.of(values, result));
                return result;
            }
        }
        frame.charge(1);
        return Conversions.unsupported(function, values);
    }
}
