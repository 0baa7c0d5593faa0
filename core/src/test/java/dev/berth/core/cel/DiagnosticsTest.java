package dev.berth.core.cel;

import static dev.berth.core.cel.Compilers.NEW_WITHOUT_GATES;
import static dev.berth.core.cel.Compilers.STORED;
import static dev.berth.core.cel.Compilers.compiled;
import static dev.berth.core.cel.Compilers.rejected;
import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class DiagnosticsTest {

    @Test
    void errorsHavePositions() {
        var rejected = rejected(STORED.compileSelector("true && device.memory > 3"));
        assertThat(rejected.detail())
                .isEqualTo(
                        """
                        compilation failed: ERROR: <input>:1:15: undefined field 'memory'
                         | true && device.memory > 3
                         | ..............^\
                        """);
        assertThat(rejected.position()).contains(new ExpressionPosition(1, 15));
    }

    @Test
    void errorsAreInSourceOrder() {
        var rejected = rejected(STORED.compileSelector("device.a &&\n  device.b"));
        assertThat(rejected.detail())
                .isEqualTo(
                        """
                        compilation failed: ERROR: <input>:1:7: undefined field 'a'
                         | device.a &&
                         | ......^
                        ERROR: <input>:2:9: undefined field 'b'
                         |   device.b
                         | ........^\
                        """);
        assertThat(rejected.position()).contains(new ExpressionPosition(1, 7));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            textBlock =
                    """
                    nothing             | 1:1: undeclared reference to 'nothing' (in container '')
                    true &&             | 1:8: Syntax error: mismatched input '<EOF>' expecting
                    'a                  | 1:1: Syntax error: token recognition error at: ''a'
                    99999999999999999999| 1:1: invalid int literal
                    [1].all(1, true)    | 1:9: argument must be a simple name
                    cel.bind(1, 2, 3)   | 1:10: cel.bind() variable names must be simple identifiers
                    has(1)              | 1:4: invalid argument to has() macro
                    duration('1 day') == duration('1s') | 1:10: invalid duration argument
                    timestamp('today') == timestamp(0)  | 1:11: invalid timestamp argument
                    device.driver.matches('a(b')        | 1:23: invalid matches argument
                    [1, 'a'] == []      | 1:5: expected type 'int' but found 'string'
                    [dyn(1), 'a'] == [] | 1:10: expected type 'dyn' but found 'string'
                    {1: 2, 'a': 2} == {}| 1:8: expected type 'int' but found 'string'
                    """)
    void messagesEqualKubernetes(String expression, String error) {
        assertThat(rejected(STORED.compileSelector(expression)).detail())
                .startsWith("compilation failed: ERROR: <input>:" + error);
    }

    @Test
    void typesHaveTheirShortNames() {
        assertThat(rejected(STORED.compileSelector("timestamp(0) + 1 == 1")).detail())
                .contains(
                        "1:14: found no matching overload for '_+_' applied to '(timestamp, int)'");
        assertThat(
                        rejected(STORED.compileSelector("[timestamp(0), duration('1s')] == []"))
                                .detail())
                .contains("1:24: expected type 'timestamp' but found 'duration'\n");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            textBlock =
                    """
                    '%d'.format(['a'])   | 1:14: error during formatting: decimal clause can
                    '%f'.format([1])     | 1:14: error during formatting: fixed-point clause can
                    '%s'.format([device])| 1:14: error during formatting: string clause can
                    '%s'.format([[[quantity('1')]]]) | 1:24: error during formatting: string
                    '%s'.format([{1: optional.of(1)}]) | 1:29: error during formatting: string
                    '%x'.format([true])  | 1:14: error during formatting: only integers, byte
                    '%b'.format([1.5])   | 1:14: error during formatting: only integers and bools
                    '%o'.format([1.5])   | 1:14: error during formatting: octal clause can
                    '%e'.format([1])     | 1:14: error during formatting: scientific clause can
                    '%s %s'.format([1])  | 1:15: index 1 out of range
                    '%%'.format([1])     | 1:12: too many arguments supplied to string.format
                    '%z'.format([1])     | 1:12: could not parse formatting clause: unrecognized
                    '%.f'.format([1.5])  | 1:13: could not parse formatting clause: error while
                    '%.2'.format([1.5])  | 1:13: could not parse formatting clause: error while
                    '50%'.format([1])    | 1:13: unexpected end of string
                    """)
    void formatTemplatesAreCheckedAgainstArguments(String expression, String error) {
        assertThat(rejected(STORED.compileDerived(expression)).detail())
                .startsWith("compilation failed: ERROR: <input>:" + error);
    }

    @Test
    void argumentsOfFormatMayBeMixed() {
        compiled(STORED.compileDerived("'%s is %d, %.1f%%, %s'.format(['a', 1, 2.5, [1, 'b']])"));
        compiled(STORED.compileDerived("'%d'.format([device.attributes['gpu'].index])"));
        assertThat(
                        rejected(
                                NEW_WITHOUT_GATES.compileDerived(
                                        "'%d'.format([device.attributes.a.b])")))
                .extracting(Compilation.Rejected::detail)
                .asString()
                .contains("was given google.protobuf.Any");
    }

    @Test
    void scalarAttributesCannotBeIterated() {
        assertThat(rejected(NEW_WITHOUT_GATES.compileSelector("device.attributes.x.y.all(z, z)")))
                .extracting(Compilation.Rejected::detail)
                .asString()
                .contains(
                        "expression of type 'any' cannot be range of a comprehension (must be list,"
                                + " map, or dynamic)");
    }

    @Test
    void wrongResultTypeHasNoPosition() {
        assertThat(rejected(STORED.compileSelector("1")).position()).isEmpty();
    }
}
