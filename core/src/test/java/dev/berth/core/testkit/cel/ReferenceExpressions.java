package dev.berth.core.testkit.cel;

import dev.berth.core.cel.CelCompiler;
import dev.berth.core.cel.CelEnvironment;
import dev.berth.core.cel.CelFeatures;
import dev.berth.core.cel.CelProgram;
import dev.berth.core.cel.Compilation;
import dev.berth.core.cel.DeviceView;
import dev.berth.core.cel.EvaluationResult;
import dev.berth.core.cel.ExpressionPurpose;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/// Compiles CEL expressions on first use and caches them without a limit, since tests have few.
public final class ReferenceExpressions {

    private static final String HINT =
            " (consider using optional chaining \".?\" followed by \"orValue()\","
                    + " or guarding the access with \"has()\")";

    private final CelCompiler compiler =
            new CelCompiler(CelEnvironment.STORED, new CelFeatures(true, true));
    private final Map<Key, Compiled> compiled = new ConcurrentHashMap<>();

    private record Key(ExpressionPurpose purpose, String text) {}

    private sealed interface Compiled {

        record Valid(CelProgram program) implements Compiled {}

        record Invalid(String cause) implements Compiled {}
    }

    public SelectorResult select(String expression, DeviceView device) {
        return switch (compile(ExpressionPurpose.SELECTOR, expression)) {
            case Compiled.Invalid(var cause) -> new SelectorResult.NotCompiled(cause);
            case Compiled.Valid(var program) ->
                    switch (program.evaluate(device)) {
                        case EvaluationResult.Matched matched ->
                                new SelectorResult.Selected(matched.matches());
                        case EvaluationResult.Failed failed ->
                                new SelectorResult.Failed(hinted(failed));
                        case EvaluationResult.Derived derived ->
                                throw new IllegalStateException("not a selector: " + derived);
                    };
        };
    }

    private static String hinted(EvaluationResult.Failed failed) {
        var message = failed.message();
        return message.contains("no such key:") ? message + HINT : message;
    }

    public Derivation derive(String expression, DeviceView device) {
        return switch (compile(ExpressionPurpose.DERIVED, expression)) {
            case Compiled.Invalid(var cause) -> new Derivation.NotCompiled(cause);
            case Compiled.Valid(var program) ->
                    switch (program.evaluate(device)) {
                        case EvaluationResult.Derived derived ->
                                new Derivation.Derived(derived.value());
                        case EvaluationResult.Failed failed ->
                                new Derivation.Failed(failed.message());
                        case EvaluationResult.Matched matched ->
                                throw new IllegalStateException("not an attribute: " + matched);
                    };
        };
    }

    private Compiled compile(ExpressionPurpose purpose, String text) {
        return compiled.computeIfAbsent(new Key(purpose, text), this::compile);
    }

    private Compiled compile(Key key) {
        var compilation =
                switch (key.purpose()) {
                    case SELECTOR -> compiler.compileSelector(key.text());
                    case DERIVED -> compiler.compileDerived(key.text());
                };
        return switch (compilation) {
            case Compilation.Rejected rejected -> new Compiled.Invalid(rejected.detail());
            case Compilation.Compiled(var expression) -> {
                var program = CelProgram.of(expression);
                yield program.fault()
                        .<Compiled>map(fault ->
                                new Compiled.Invalid("program instantiation failed: " + fault))
                        .orElseGet(() -> new Compiled.Valid(program));
            }
        };
    }
}
