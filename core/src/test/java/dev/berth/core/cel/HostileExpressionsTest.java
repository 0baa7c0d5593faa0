package dev.berth.core.cel;

import static dev.berth.core.cel.Compilers.STORED;
import static dev.berth.core.cel.Compilers.compiled;
import static dev.berth.core.cel.Compilers.rejected;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.core.cel.Compilation.Kind;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assertions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;

/// Adversarial expressions, which any user who may create claims can send.
class HostileExpressionsTest {

    private static final List<String> WORDS =
            List.of(
                    "device",
                    ".",
                    "attributes",
                    "[",
                    "]",
                    "'a'",
                    "(",
                    ")",
                    "{",
                    "}",
                    ":",
                    "?",
                    ",",
                    "1",
                    "2.5",
                    "3u",
                    "true",
                    "null",
                    "&&",
                    "+",
                    "-",
                    "!",
                    "==",
                    "<",
                    " in ",
                    "x",
                    "all(x,",
                    "map(x,",
                    "exists(i,v,",
                    "optMap(x,",
                    "sortBy(x,",
                    "has(",
                    "cel.bind(x,",
                    "size(",
                    "quantity(",
                    "matches('",
                    "format([",
                    "b'",
                    "\"",
                    "\n");

    private static final Duration PATIENCE = Duration.ofSeconds(20);

    static final List<String> TOO_MUCH =
            List.of(
                    "(".repeat(5_000) + "1" + ")".repeat(5_000),
                    "[".repeat(5_000),
                    "{1:".repeat(3_000),
                    "size(".repeat(2_000),
                    "1" + "+1".repeat(5_000) + " == 1",
                    "1" + "<1".repeat(5_000),
                    "device" + ".x".repeat(5_000),
                    "device" + "[0]".repeat(3_000),
                    "true?true:".repeat(1_000) + "true",
                    "[1].map(x, ".repeat(900) + "1" + ")".repeat(900),
                    "optional.of(1)" + ".optMap(x, x)".repeat(240) + ".hasValue()",
                    "optional.of([1].all(1, true)).optMap(x, x).hasValue()",
                    doublingTypes(70),
                    "\"" + "a".repeat(200_000) + "\" == ''",
                    "?!@#$%^&*".repeat(1_000),
                    "\"".repeat(9_999),
                    "'\\q'".repeat(1_000),
                    "[" + ",".repeat(5_000) + "]",
                    "\0\0\0",
                    "\"\ud800\"",
                    "",
                    "'a'.matches('" + "(a{1000}){1000}".repeat(9) + "')",
                    "'a'.matches('" + "(".repeat(4_000) + ")".repeat(4_000) + "')",
                    "duration('" + "9".repeat(5_000) + "h') == duration('1s')",
                    "timestamp('" + "9".repeat(5_000) + "') == timestamp(0)");

    private static String doublingTypes(int times) {
        var bindings =
                IntStream.range(1, times)
                        .mapToObj(i -> "cel.bind(a%d, {a%d: a%d}, ".formatted(i, i - 1, i - 1));
        return Stream.concat(Stream.of("cel.bind(a0, {1: 1}, "), bindings)
                        .reduce("", String::concat)
                + "true"
                + ")".repeat(times);
    }

    @ParameterizedTest
    @FieldSource("TOO_MUCH")
    void oversizedExpressionsAreRejectedQuickly(String expression) {
        var outcome =
                Assertions.assertTimeoutPreemptively(
                        PATIENCE, () -> STORED.compileSelector(expression));
        assertThat(rejected(outcome).kind()).isEqualTo(Kind.INVALID);
    }

    @Test
    void largeExpressionsCompile() {
        for (var expression :
                List.of(
                        "(".repeat(200) + "true" + ")".repeat(200),
                        "true" + " && true".repeat(1_200),
                        "!".repeat(9_998) + "true",
                        "1" + " + 1".repeat(240) + " == 241",
                        "device.driver in ['" + "a', '".repeat(1_000) + "']",
                        doublingTypes(8))) {
            compiled(STORED.compileSelector(expression));
        }
    }

    @Test
    void nestingErrorEqualsKubernetes() {
        assertThat(rejected(STORED.compileSelector("-(".repeat(300) + "1")).detail())
                .startsWith(
                        "compilation failed: ERROR: <input>:-1:0: expression recursion limit"
                                + " exceeded: 250");
    }

    @Test
    void randomTextNeverCrashesCompiler() {
        var random = new Random(20260801);
        for (var i = 0; i < 3_000; i++) {
            var text = new StringBuilder();
            var length = random.nextInt(1, 25);
            for (var j = 0; j < length; j++) {
                text.append(WORDS.get(random.nextInt(WORDS.size())));
            }
            var outcome = STORED.compileSelector(text.toString());
            assertThat(outcome)
                    .as("%s", text)
                    .satisfiesAnyOf(
                            compiled ->
                                    assertThat(compiled).isInstanceOf(Compilation.Compiled.class),
                            rejected ->
                                    assertThat(rejected(outcome).kind()).isEqualTo(Kind.INVALID));
        }
    }
}
