package dev.berth.core.allocate;

import dev.berth.core.cel.CelCompiler;
import dev.berth.core.cel.CelFeatures;
import dev.berth.core.cel.Compilation;
import dev.berth.core.cel.Environment;
import dev.berth.core.cel.Program;

/// Compiled expressions, so that each is compiled once for many pods and nodes.
final class Expressions {

    /// What a text is worth.
    sealed interface Meaning {
        record Ready(Program program) implements Meaning {}

        record Broken(String detail) implements Meaning {}
    }

    private static final int MAX_EXPRESSIONS = 10_000;

    private final CelCompiler compiler =
            new CelCompiler(Environment.STORED, new CelFeatures(true, true));
    private final Recent<String, Meaning> selectors = new Recent<>(MAX_EXPRESSIONS);
    private final Recent<String, Meaning> derived = new Recent<>(MAX_EXPRESSIONS);

    Meaning selector(String text) {
        return selectors.of(text, it -> meaning(compiler.compileSelector(it)));
    }

    Meaning derived(String text) {
        return derived.of(text, it -> meaning(compiler.compileDerived(it)));
    }

    private static Meaning meaning(Compilation compilation) {
        return switch (compilation) {
            case Compilation.Compiled(var expression) -> new Meaning.Ready(Program.of(expression));
            case Compilation.Rejected rejected -> new Meaning.Broken(rejected.detail());
        };
    }
}
