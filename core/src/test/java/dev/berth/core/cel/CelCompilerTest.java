package dev.berth.core.cel;

import static dev.berth.core.cel.Compilers.NEW_WITHOUT_GATES;
import static dev.berth.core.cel.Compilers.NEW_WITH_CONSUMABLE_CAPACITY;
import static dev.berth.core.cel.Compilers.NEW_WITH_LISTS;
import static dev.berth.core.cel.Compilers.STORED;
import static dev.berth.core.cel.Compilers.compiled;
import static dev.berth.core.cel.Compilers.rejected;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.core.cel.Compilation.Kind;
import dev.cel.common.types.SimpleType;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class CelCompilerTest {

    @ParameterizedTest
    @ValueSource(
            strings = {
                "true",
                "device.driver == 'gpu.example.com'",
                "device.attributes['gpu'].ecc",
                "device.attributes['gpu'].?ecc.orValue(false)",
                "device.attributes[?'gpu'].?numa.optMap(n, n < 2).orValue(true)",
                "device.attributes['gpu'].numa < 2.5",
                "device.attributes.exists(domain, domain.startsWith('gpu'))",
                "device.attributes['gpu'].exists(id, value, id == 'a' && value == 1)",
                "cel.bind(gpu, device.attributes['gpu'], gpu.ecc && gpu.nvlink)",
                "device.capacity['gpu'].memory.compareTo(quantity('40Gi')) >= 0",
                "device.attributes['gpu'].version.isLessThan(semver('v1.2', true))",
                "[dyn(1), dyn('a')].size() == 2",
                "{'a': [1], 'b': []}['a'] == [1]",
                "timestamp('2026-01-01T00:00:00Z') > timestamp(0)",
                "duration('1h30m') > duration('90s')",
                "b'abc' != bytes('abc')",
                "type(1) == int",
                "type(ip('10.0.0.1')) == net.IP",
                "int(duration(7)) == 7",
                "[3, 1].sortBy(x, -x)[0] == 3",
                "[1, 2].existsOne(x, x == 1)",
                "{'a': 1}.transformMapEntry(k, v, {v: k})[1] == 'a'",
                "optional.of(1).optFlatMap(x, optional.none()).hasValue()",
                "[optional.of(1)].unwrapOpt().first().hasValue()",
                "optional.unwrap([optional.of(1)]).last() == optional.of(1)",
                "url('https://example.com').getHost() == 'example.com'",
                "cidr('10.0.0.0/8').containsIP('10.0.0.1')",
                "format.dns1123Label().validate(device.driver).hasValue()",
                "sets.contains(device.driver.split('.'), ['gpu'])",
                "lists.range(3).distinct().sum() == 3",
                "'a-b'.findAll('[a-z]').join('.') == 'a.b'",
            })
    void commonLanguageCompilesInEveryEnvironment(String expression) {
        for (var compiler : List.of(NEW_WITHOUT_GATES, NEW_WITH_LISTS, STORED)) {
            assertThat(compiled(compiler.compileSelector(expression)).source())
                    .isEqualTo(expression);
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "device.name == 'gpu-0'",
                "device.attributes == 1",
                "device.driver == 1",
                "device.driver.memory",
                "claim.name == 'x'",
                "1 == 1.0",
                "1 + 'a' == 'b'",
                "device.attributes['gpu'].?ecc == true",
                "quantity('1').sign() == 1",
                "math.greatest(1, 2) == 2",
                "base64.decode('aGVsbG8=') == b'hello'",
                "'abc'.reverse() == 'cba'",
                "cel.block([1], true)",
                "`device`.driver == ''",
                "while == 1",
                "{'a': 1, 'b': 'x'}.size() == 2",
            })
    void otherFunctionsAreRejectedInEveryEnvironment(String expression) {
        for (var compiler : List.of(NEW_WITH_LISTS, STORED)) {
            assertThat(rejected(compiler.compileSelector(expression)).kind())
                    .isEqualTo(Kind.INVALID);
        }
    }

    @Test
    void allowMultipleAllocationsRequiresGateOrStoredExpression() {
        var expression = "device.allowMultipleAllocations";
        assertThat(rejected(NEW_WITHOUT_GATES.compileSelector(expression)).detail())
                .contains("undefined field 'allowMultipleAllocations'");
        compiled(NEW_WITH_CONSUMABLE_CAPACITY.compileSelector(expression));
        compiled(STORED.compileSelector(expression));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "device.attributes['gpu'].lanes.exists(l, l == 8)",
                "device.attributes['gpu'].lanes.includes(8)",
                "dyn(true)",
                "device.attributes['gpu'].a.b"
            })
    void listAttributesRequireGateOrStoredExpression(String expression) {
        rejected(NEW_WITHOUT_GATES.compileSelector(expression));
        compiled(NEW_WITH_LISTS.compileSelector(expression));
        compiled(STORED.compileSelector(expression));
    }

    @Test
    void attributesHaveAnUnknownTypeThatSelectorsMayReturn() {
        var expression = "device.attributes['gpu'].ecc";
        assertThat(compiled(NEW_WITHOUT_GATES.compileSelector(expression)).resultType())
                .isEqualTo(SimpleType.ANY);
        assertThat(compiled(STORED.compileSelector(expression)).resultType())
                .isEqualTo(SimpleType.DYN);
    }

    @Test
    void selectorsReturnBooleans() {
        assertThat(rejected(STORED.compileSelector("device.attributes['gpu']")).detail())
                .isEqualTo("must evaluate to bool or the unknown type, not map(string, dyn)");
        assertThat(rejected(NEW_WITHOUT_GATES.compileSelector("dyn(true)")).detail())
                .isEqualTo("must evaluate to bool or the unknown type, not dyn");
        assertThat(rejected(STORED.compileSelector("optional.of(true)")).detail())
                .isEqualTo("must evaluate to bool or the unknown type, not optional_type(bool)");
    }

    @Test
    void derivedAttributesAreScalars() {
        for (var expression :
                List.of("true", "7", "'a'", "semver('1.0.0')", "dyn(7)", "device.driver")) {
            compiled(NEW_WITHOUT_GATES.compileDerived(expression));
        }
        for (var expression : List.of("[7]", "7u", "7.5", "{'a': 1}", "quantity('1')", "device")) {
            assertThat(rejected(NEW_WITHOUT_GATES.compileDerived(expression)).detail())
                    .startsWith(
                            "must evaluate to a primitive scalar (string, integer, boolean,"
                                    + " semver), not ");
        }
    }

    @Test
    void derivedAttributesAreListsWhereAttributesAre() {
        for (var compiler : List.of(NEW_WITH_LISTS, STORED)) {
            for (var expression : List.of("[7]", "[]", "[semver('1.0.0')]", "[dyn(1)]")) {
                compiled(compiler.compileDerived(expression));
            }
            assertThat(rejected(compiler.compileDerived("[[1]]")).detail())
                    .isEqualTo(
                            "must evaluate to a primitive scalar (string, integer, boolean,"
                                    + " semver) or a list of these scalars, not list(list(int))");
        }
    }

    @Test
    void checkedExpressionHasItsSource() {
        var selector = compiled(STORED.compileSelector("true"));
        assertThat(selector.purpose()).isEqualTo(ExpressionPurpose.SELECTOR);
        assertThat(selector.environment()).isEqualTo(CelEnvironment.STORED);
        assertThat(selector.ast().isChecked()).isTrue();
        assertThat(compiled(NEW_WITH_LISTS.compileDerived("1")).purpose())
                .isEqualTo(ExpressionPurpose.DERIVED);
    }
}
