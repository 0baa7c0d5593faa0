package dev.berth.core.cel;

import dev.cel.common.ast.CelExpr;
import java.util.HashMap;
import java.util.Map;

/// Estimates how large the types in an expression get, before it is type-checked.
///
/// The type of a map literal contains the types of its keys and values, so `{a: a}` doubles the
/// type of `a`; thirty nested bindings of that kind would keep the checker busy for days. The
/// estimate is an upper bound computed in one pass; it saturates at [#LIMIT].
final class TypeSizeEstimate {

    /// Maximum type size that is passed to the checker. Practical expressions are below 50.
    static final int LIMIT = 5_000;

    private static final int VARIABLE = 10;

    private final Map<String, Integer> locals = new HashMap<>();
    private boolean exceeded;

    private TypeSizeEstimate() {}

    static boolean isExceededBy(CelExpr expr) {
        var size = new TypeSizeEstimate();
        size.of(expr);
        return size.exceeded;
    }

    private int of(CelExpr expr) {
        var size =
                switch (expr.getKind()) {
                    case CONSTANT, NOT_SET -> 1;
                    case IDENT -> locals.getOrDefault(expr.ident().name(), VARIABLE);
                    case SELECT -> of(expr.select().operand());
                    case CALL -> call(expr);
                    case LIST -> 1 + largest(expr.list().elements());
                    case MAP -> map(expr);
                    case STRUCT -> {
                        expr.struct().entries().forEach(entry -> of(entry.value()));
                        yield VARIABLE;
                    }
                    case COMPREHENSION -> comprehension(expr.comprehension());
                };
        exceeded |= size > LIMIT;
        return Math.min(size, LIMIT + 1);
    }

    private int call(CelExpr expr) {
        var call = expr.call();
        var arguments = largest(call.args());
        return 1 + call.target().map(target -> Math.max(of(target), arguments)).orElse(arguments);
    }

    private int map(CelExpr expr) {
        var keys = 0;
        var values = 0;
        for (var entry : expr.map().entries()) {
            keys = Math.max(keys, of(entry.key()));
            values = Math.max(values, of(entry.value()));
        }
        return 1 + keys + values;
    }

    private int comprehension(CelExpr.CelComprehension loop) {
        var range = of(loop.iterRange());
        var init = of(loop.accuInit());
        var hidden = new HashMap<>(locals);
        locals.put(loop.iterVar(), range);
        locals.put(loop.iterVar2(), range);
        locals.put(loop.accuVar(), init);
        of(loop.loopCondition());
        // The accumulator gets the type of the step. Insertion into a map has the types of key and
        // value.
        locals.put(loop.accuVar(), Math.max(init, of(loop.loopStep()) + range));
        var result = of(loop.result());
        locals.clear();
        locals.putAll(hidden);
        return result;
    }

    private int largest(Iterable<CelExpr> exprs) {
        var largest = 0;
        for (var expr : exprs) {
            largest = Math.max(largest, of(expr));
        }
        return largest;
    }
}
