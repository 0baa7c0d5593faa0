package dev.berth.core.cel;

import dev.cel.common.ast.CelExpr;
import java.util.HashMap;
import java.util.Map;

/// Guesses how large the types in an expression get, before they are checked.
///
/// A map literal has a type that holds the types of its keys and values, so `{a: a}` doubles the
/// type of `a`; thirty nested bindings of that kind would keep the checker busy for days. The guess
/// is a generous upper bound in one pass; it stops counting at [#LIMIT].
final class TypeSizeEstimate {

    /// The heaviest type that the checker is asked to work with. What people write is below 50.
    static final int LIMIT = 5_000;

    private static final int VARIABLE = 10;

    private final Map<String, Integer> locals = new HashMap<>();
    private boolean exceeded;

    private TypeSizeEstimate() {}

    static boolean isExceededBy(CelExpr expr) {
        var weight = new TypeSizeEstimate();
        weight.of(expr);
        return weight.exceeded;
    }

    private int of(CelExpr expr) {
        var weight =
                switch (expr.getKind()) {
                    case CONSTANT, NOT_SET -> 1;
                    case IDENT -> locals.getOrDefault(expr.ident().name(), VARIABLE);
                    case SELECT -> of(expr.select().operand());
                    case CALL -> call(expr);
                    case LIST -> 1 + heaviest(expr.list().elements());
                    case MAP -> map(expr);
                    case STRUCT -> {
                        expr.struct().entries().forEach(entry -> of(entry.value()));
                        yield VARIABLE;
                    }
                    case COMPREHENSION -> comprehension(expr.comprehension());
                };
        exceeded |= weight > LIMIT;
        return Math.min(weight, LIMIT + 1);
    }

    private int call(CelExpr expr) {
        var call = expr.call();
        var arguments = heaviest(call.args());
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
        // The accumulator takes on the type of the step. Inserting into a map takes key and value.
        locals.put(loop.accuVar(), Math.max(init, of(loop.loopStep()) + range));
        var result = of(loop.result());
        locals.clear();
        locals.putAll(hidden);
        return result;
    }

    private int heaviest(Iterable<CelExpr> exprs) {
        var heaviest = 0;
        for (var expr : exprs) {
            heaviest = Math.max(heaviest, of(expr));
        }
        return heaviest;
    }
}
