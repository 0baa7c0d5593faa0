package dev.berth.core.allocate.selector;

import dev.berth.core.allocate.state.LruCache;
import dev.berth.core.cel.CelCompiler;
import dev.berth.core.cel.CelEnvironment;
import dev.berth.core.cel.CelFeatures;
import dev.berth.core.cel.CelProgram;
import dev.berth.core.cel.Compilation;

/// LRU cache of compiled CEL expressions, shared by pods and nodes.
public final class CompiledExpressions {

    /// The result of compiling an expression.
    public sealed interface Entry {
        record Valid(CelProgram program) implements Entry {}

        record Invalid(String detail) implements Entry {}
    }

    private static final int MAX_EXPRESSIONS = 10_000;

    private final CelCompiler compiler =
            new CelCompiler(CelEnvironment.STORED, new CelFeatures(true, true));
    private final LruCache<String, Entry> selectors = new LruCache<>(MAX_EXPRESSIONS);
    private final LruCache<String, Entry> derived = new LruCache<>(MAX_EXPRESSIONS);

    Entry selector(String text) {
        return selectors.computeIfAbsent(text, it -> entry(compiler.compileSelector(it)));
    }

    public Entry derived(String text) {
        return derived.computeIfAbsent(text, it -> entry(compiler.compileDerived(it)));
    }

    private static Entry entry(Compilation compilation) {
        return switch (compilation) {
            case Compilation.Compiled(var expression) -> new Entry.Valid(CelProgram.of(expression));
            case Compilation.Rejected rejected -> new Entry.Invalid(rejected.detail());
        };
    }
}
