package dev.berth.app.scenario;

import dev.berth.core.cel.CelCompiler;
import dev.berth.core.cel.CelEnvironment;
import dev.berth.core.cel.CelFeatures;
import dev.berth.core.cel.CelProgram;
import dev.berth.core.cel.Compilation;
import dev.berth.core.cel.EvaluationResult;
import dev.berth.core.cel.ListedDevice;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/// Compiles and caches CEL expressions and evaluates them on devices.
final class CompiledSelectors {

    private final CelCompiler compiler =
            new CelCompiler(CelEnvironment.STORED, new CelFeatures(true, true));
    private final Map<String, Optional<CelProgram>> programs = new ConcurrentHashMap<>();

    /// The compile error of an expression.
    Optional<String> fault(String expression) {
        return switch (compiler.compileSelector(expression)) {
            case Compilation.Compiled _ -> Optional.empty();
            case Compilation.Rejected rejected -> Optional.of(rejected.detail());
        };
    }

    /// Whether a device matches an expression; false if the evaluation fails.
    boolean matches(String expression, ListedDevice device) {
        return programs.computeIfAbsent(expression, this::program)
                .map(program -> program.evaluate(device))
                .filter(outcome -> outcome instanceof EvaluationResult.Matched(var is, _) && is)
                .isPresent();
    }

    private Optional<CelProgram> program(String expression) {
        return compiler.compileSelector(expression) instanceof Compilation.Compiled(var checked)
                ? Optional.of(CelProgram.of(checked))
                : Optional.empty();
    }
}
