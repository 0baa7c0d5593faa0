package dev.berth.core.cel;

import dev.berth.core.cel.Compilation.Compiled;
import dev.berth.core.cel.Compilation.Rejected;

/// Compilers with different options, and shortcuts to read their results.
final class Compilers {

    static final CelCompiler STORED =
            new CelCompiler(CelEnvironment.STORED, new CelFeatures(false, false));
    static final CelCompiler NEW_WITHOUT_GATES =
            new CelCompiler(CelEnvironment.NEW, new CelFeatures(false, false));
    static final CelCompiler NEW_WITH_LISTS =
            new CelCompiler(CelEnvironment.NEW, new CelFeatures(false, true));
    static final CelCompiler NEW_WITH_CONSUMABLE_CAPACITY =
            new CelCompiler(CelEnvironment.NEW, new CelFeatures(true, false));

    private Compilers() {}

    static CheckedExpression compiled(Compilation outcome) {
        return switch (outcome) {
            case Compiled(var expression) -> expression;
            case Rejected rejected -> throw new AssertionError(rejected.detail());
        };
    }

    static Rejected rejected(Compilation outcome) {
        return switch (outcome) {
            case Rejected rejected -> rejected;
            case Compiled(var expression) ->
                    throw new AssertionError("compiled: " + expression.source());
        };
    }
}
