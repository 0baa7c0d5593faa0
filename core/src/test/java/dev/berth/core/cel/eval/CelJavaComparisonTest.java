package dev.berth.core.cel.eval;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.common.primitives.UnsignedLong;
import dev.berth.core.cel.TestDevice;
import dev.berth.core.cel.library.CelError;
import dev.berth.core.cel.library.UInt;
import dev.cel.common.CelOptions;
import dev.cel.common.CelValidationException;
import dev.cel.compiler.CelCompiler;
import dev.cel.compiler.CelCompilerFactory;
import dev.cel.extensions.CelExtensions;
import dev.cel.parser.CelStandardMacro;
import dev.cel.runtime.CelEvaluationException;
import dev.cel.runtime.CelRuntime;
import dev.cel.runtime.CelRuntimeFactory;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

/// Compares the evaluator with cel-java's runtime: random expressions must give the same value, or
/// fail, in both.
class CelJavaComparisonTest {

    private static final long SEED = 20_260_731;
    private static final int EXPRESSIONS = 1_000;
    private static final CelOptions OPTIONS =
            CelOptions.current().enableHeterogeneousNumericComparisons(true).build();
    private static final CelCompiler COMPILER =
            CelCompilerFactory.standardCelCompilerBuilder()
                    .setOptions(OPTIONS)
                    .setStandardMacros(CelStandardMacro.STANDARD_MACROS)
                    .addLibraries(CelExtensions.bindings(), CelExtensions.optional())
                    .build();
    private static final CelRuntime RUNTIME =
            CelRuntimeFactory.plannerRuntimeBuilder()
                    .setOptions(OPTIONS)
                    .addLibraries(CelExtensions.optional())
                    .build();

    @Test
    void randomExpressionsEvaluateAsInCelJava() throws CelValidationException {
        var differences = new ArrayList<String>();
        var failures = 0;
        for (var i = 0; i < EXPRESSIONS; i++) {
            var text = new RandomExpressions(new Random(SEED + i)).any();
            var expected = theirs(text);
            var found = ours(text);
            failures += expected.equals("failure") ? 1 : 0;
            if (!expected.equals(found)) {
                differences.add(
                        "seed %d: %s%n  cel-java %s%n  ours     %s"
                                .formatted(SEED + i, text, expected, found));
            }
        }
        assertThat(differences).isEmpty();
        assertThat(failures).as("expressions that fail").isBetween(EXPRESSIONS / 50, EXPRESSIONS);
    }

    private static Object ours(String text) throws CelValidationException {
        var ast = COMPILER.compile(text).getAst();
        var value = Evaluator.of(text, ast, List.of()).evaluate(TestDevice.of("")).value();
        return value instanceof CelError ? "failure" : List.of(value);
    }

    private static Object theirs(String text) throws CelValidationException {
        try {
            var program = RUNTIME.createProgram(COMPILER.compile(text).getAst());
            return List.of(converted(program.eval()));
        } catch (CelEvaluationException e) {
            return "failure";
        }
    }

    private static Object converted(Object value) {
        return switch (value) {
            case UnsignedLong number -> new UInt(number.longValue());
            case List<?> list -> list.stream().map(CelJavaComparisonTest::converted).toList();
            case Map<?, ?> map -> {
                var entries = new LinkedHashMap<Object, Object>();
                map.forEach((key, element) -> entries.put(converted(key), converted(element)));
                yield entries;
            }
            default -> value;
        };
    }
}
