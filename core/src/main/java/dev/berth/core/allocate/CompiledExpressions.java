package dev.berth.core.allocate;

import dev.berth.core.cel.CelCompiler;
import dev.berth.core.cel.CelEnvironment;
import dev.berth.core.cel.CelFeatures;
import dev.berth.core.cel.CelProgram;
import dev.berth.core.cel.Compilation;

/// Compiled expressions, so that each is compiled once for many pods and nodes.
final class CompiledExpressions {

    /// What a text is worth.
    sealed interface Meaning {
        record Ready(CelProgram program) implements Meaning {}

        record Broken(String detail) implements Meaning {}
    }

    private static final int MAX_EXPRESSIONS = 10_000;

    private final CelCompiler compiler =
            new CelCompiler(CelEnvironment.STORED, new CelFeatures(true, true));
    private final LruCache<String, Meaning> selectors = new LruCache<>(MAX_EXPRESSIONS);
    private final LruCache<String, Meaning> derived = new LruCache<>(MAX_EXPRESSIONS);

    Meaning selector(String text) {
        return selectors.of(text, it -> meaning(compiler.compileSelector(it)));
    }

    Meaning derived(String text) {
        return derived.of(text, it -> meaning(compiler.compileDerived(it)));
    }

    private static Meaning meaning(Compilation compilation) {
        return switch (compilation) {
            case Compilation.Compiled(var expression) ->
                    new Meaning.Ready(CelProgram.of(expression));
            case Compilation.Rejected rejected -> new Meaning.Broken(rejected.detail());
        };
    }
}
