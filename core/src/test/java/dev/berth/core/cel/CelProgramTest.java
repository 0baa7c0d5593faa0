package dev.berth.core.cel;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.core.cel.Compilation.Compiled;
import dev.berth.core.cel.EvaluationResult.Derived;
import dev.berth.core.cel.EvaluationResult.Failed;
import dev.berth.core.cel.EvaluationResult.Matched;
import dev.berth.model.api.slice.AttributeValue;
import dev.berth.model.json.JsonObject;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class CelProgramTest {

    private static final CelCompiler COMPILER =
            new CelCompiler(CelEnvironment.STORED, new CelFeatures(true, true));
    private static final TestDevice GPU =
            TestDevice.of("gpu.example.com")
                    .with("model", "A100")
                    .with("index", 3)
                    .with("healthy", true)
                    .with("nics.example.com/speed", 100)
                    .with("names", new AttributeValue.StringList(List.of("fish", "bird")))
                    .withVersion("firmware", "1.2.3-rc.1+build")
                    .withCapacity("memory", "40Gi");

    @ParameterizedTest
    @CsvSource(
            delimiterString = " @ ",
            quoteCharacter = '`',
            value = {
                // Fields of the device.
                "device.driver == 'gpu.example.com' @ true @ 4",
                "device.allowMultipleAllocations @ false @ 2",
                "device.attributes['gpu.example.com'].model == 'A100' @ true @ 5",
                "device.attributes['gpu.example.com']['index'] + 1 == 4 @ true @ 6",
                "device.attributes['gpu.example.com'].firmware.major() == 1 @ true @ 6",
                "device.capacity['gpu.example.com'].memory.isLessThan(quantity('1Ti')) @ true @ 6",
                "has(device.attributes['gpu.example.com'].model) @ true @ 3",
                "has(device.attributes['gpu.example.com'].nothing) @ false @ 3",
                "has(device.attributes.nowhere) @ true @ 2",
                "'nowhere' in device.attributes @ false @ 3",
                "'nics.example.com' in device.attributes @ true @ 3",
                "'speed' in device.attributes['nics.example.com'] @ true @ 4",
                "device.attributes['nowhere'].size() == 0 @ true @ 5",
                "device.attributes.size() == 2 @ true @ 4",
                "device.attributes.map(d, d)[1] == 'nics.example.com' @ true @ 33",
                // An absent optional field costs nothing.
                "device.attributes['nics.example.com'].?speed.orValue(0) == 100 @ true @ 5",
                "device.attributes['nics.example.com'].?duplex.orValue(false) @ false @ 3",
                "device.attributes[?'nowhere'].hasValue() @ true @ 4",
                "optional.of(1).optMap(x, x + 1).orValue(0) == 2 @ true @ 8",
                // Errors are absorbed by operands that decide the result.
                "device.attributes['d'].x || true @ true @ 4",
                "true || device.attributes['d'].x @ true @ 0",
                "device.attributes['d'].x == 1 || device.driver != '' @ true @ 7",
                "!(device.attributes['d'].x && false) @ true @ 5",
                // Literals and conversions of literals are free, and so is membership in a literal
                // list.
                "device.driver in ['a', 'gpu.example.com'] @ true @ 2",
                "int('3') == 3 @ true @ 1",
                "[1, 2, 3].exists(x, x == 3) @ true @ 19",
                "[1, 2, 3].filter(x, x > 1).size() == 2 @ true @ 35",
                // A variable is free as a branch and as an index; a conditional is always free.
                "cel.bind(l, [1, 2], cel.bind(i, 1, (l[i] > 1 ? i : 0) == 1)) @ true @ 4",
                "cel.bind(unused, device.attributes['d'].x, true) @ true @ 0",
                // The cost of strings depends on their length.
                "device.driver.startsWith('gpu') @ true @ 4",
                "device.driver.contains('example') @ true @ 4",
                "device.driver.matches('^gpu[.]') @ true @ 6",
                "device.driver + '!' == 'gpu.example.com!' @ true @ 6",
                "timestamp('2026-01-02T03:04:05Z').getHours('02:00') == 5 @ true @ 2",
                "duration('90m') > duration('1h') @ true @ 1",
                "string(duration('90m')) == '5400s' @ true @ 1",
                "{'a': 1, 'b': 2}.transformMap(k, v, v + 1) == {'a': 2, 'b': 3} @ true @ 12",
            })
    void selectorsHaveResultAndCostOfKubernetes(String selector, boolean matches, long cost) {
        assertThat(program(selector).evaluate(GPU)).isEqualTo(new Matched(matches, cost));
    }

    @ParameterizedTest
    @CsvSource(
            delimiterString = " @ ",
            quoteCharacter = '`',
            value = {
                "device.attributes['d'].x @ no such key: x",
                "device.attributes['gpu.example.com'].names[2] == '' @ index out of bounds: 2",
                "1 / (device.attributes['gpu.example.com'].index - 3) == 0 @ division by zero",
                "1 % (device.attributes['gpu.example.com'].index - 3) == 0 @ modulus by zero",
                "9223372036854775807 + dyn(1) > 0 @ integer overflow",
                "device.attributes['gpu.example.com'].model < 1 @ no such overload",
                "device.attributes['gpu.example.com'].names < 1 @ no such overload: _<_",
                "!device.attributes['gpu.example.com'].model @ no such overload: !_",
                "device.attributes['gpu.example.com'].model && true @ no such overload",
                "device.attributes['gpu.example.com'].model ? true : false @ no such overload",
                "1 in device.attributes['gpu.example.com'].model @ no such overload",
                "optional.none().value() @ optional.none() dereference",
                "device.attributes['gpu.example.com'].index.startsWith('x')"
                        + " @ no such overload: startsWith(int, string)",
                "device.attributes['gpu.example.com'].index.all(x, true)"
                        + " @ got 'types.Int', expected iterable type",
                "device.attributes['gpu.example.com'].model"
                        + " @ CEL result of type string could not be converted to bool:"
                        + " unsupported native conversion from string to 'bool'",
                "device.attributes['gpu.example.com'].index"
                        + " @ CEL result of type int could not be converted to bool:"
                        + " unsupported type conversion from 'int' to bool",
            })
    void errorMessagesEqualKubernetes(String selector, String message) {
        assertThat(program(selector).evaluate(GPU))
                .isInstanceOfSatisfying(
                        Failed.class, failed -> assertThat(failed.message()).isEqualTo(message));
    }

    @Test
    void derivedValuesBecomeAttributes() {
        assertThat(derive("device.attributes['gpu.example.com'].index + 1"))
                .isEqualTo(new Derived(new AttributeValue.IntValue(4), 5));
        assertThat(derive("device.attributes['gpu.example.com'].firmware"))
                .isEqualTo(new Derived(new AttributeValue.VersionValue("1.2.3-rc.1+build"), 4));
        assertThat(derive("device.attributes['gpu.example.com'].names.filter(n, n == '')"))
                .isInstanceOfSatisfying(
                        Derived.class,
                        found ->
                                assertThat(found.value())
                                        .isEqualTo(new AttributeValue.StringList(List.of())));
        assertThat(derive("dyn(1.5)"))
                .isEqualTo(new Failed("unsupported CEL return type: float64", 0));
        assertThat(derive("[dyn(1), dyn(true)]"))
                .isEqualTo(new Failed("expected list element at index 1 to be int, got bool", 0));
    }

    @Test
    void invalidDeviceFailsEveryExpression() {
        var wrongVersion = GPU.withVersion("other.example.com/v", "1");
        var unknownKind = GPU.with("x", new AttributeValue.Unrecognised(JsonObject.EMPTY));

        assertThat(program("true").evaluate(wrongVersion))
                .isInstanceOfSatisfying(
                        Failed.class,
                        failed ->
                                assertThat(failed.message())
                                        .startsWith("attribute other.example.com/v: parse"));
        assertThat(program("true").evaluate(unknownKind))
                .isEqualTo(new Failed("attribute x: unsupported attribute value", 0));
    }

    @Test
    void invalidConstantsAreReportedBeforeEvaluation() {
        var compiler = new CelCompiler(CelEnvironment.STORED, new CelFeatures(true, true));

        assertThat(compiler.compileSelector("int('x') == device.attributes['d'].x"))
                .isEqualTo(
                        new Compilation.Rejected(
                                Compilation.Kind.INTERNAL,
                                "program instantiation failed: type conversion error from"
                                        + " 'string' to 'int'",
                                Optional.empty()));
    }

    @Test
    void costLimitAbortsLoopsAndDoubling() {
        var limit = new Failed("operation cancelled: actual cost limit exceeded", 1_000_001);
        var tens = "[0, 1, 2, 3, 4, 5, 6, 7, 8, 9]";
        var nested = "true";
        for (var i = 0; i < 7; i++) {
            nested = "%s.all(x%d, %s)".formatted(tens, i, nested);
        }
        assertThat(program(nested).evaluate(GPU)).isEqualTo(limit);

        // Each binding doubles the string, at a cost of three units.
        var text = "size(s40) > 0";
        for (var i = 40; i > 0; i--) {
            text = "cel.bind(s%d, dyn(s%d) + dyn(s%d), %s)".formatted(i, i - 1, i - 1, text);
        }
        var doubling = "cel.bind(s0, dyn('abcdefgh'), %s)".formatted(text);
        assertThat(program(doubling).evaluate(GPU)).isEqualTo(limit);

        var list = doubling.replace("'abcdefgh'", "[1, 2]");
        assertThat(program(list).evaluate(GPU)).isEqualTo(limit);
    }

    private static EvaluationResult derive(String text) {
        return compiled(COMPILER.compileDerived(text)).evaluate(GPU);
    }

    private static CelProgram program(String text) {
        return compiled(COMPILER.compileSelector(text));
    }

    private static CelProgram compiled(Compilation compilation) {
        assertThat(compilation).isInstanceOf(Compiled.class);
        return CelProgram.of(((Compiled) compilation).expression());
    }
}
