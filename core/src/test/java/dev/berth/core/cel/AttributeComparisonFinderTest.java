package dev.berth.core.cel;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class AttributeComparisonFinderTest {

    private static final CelCompiler COMPILER =
            new CelCompiler(CelEnvironment.STORED, new CelFeatures(true, true));

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            textBlock =
                    """
                    A.model == "x" | == string "x"
                    "x" != A.model | != string "x"
                    5 < A["model"] | < int 5
                    A.model >= 1.5 | >= int 1.5
                    A.model == true | == bool true
                    A.model == semver("1.0.0") | == version
                    A.model == device.capacity["d"].memory | == quantity
                    A.model in ["x", "y"] | in string
                    A.model in [1] | in int
                    A.model.startsWith("x") | startsWith() string
                    A.model.isLessThan(semver("1.0.0")) | isLessThan() version
                    """)
    void theRequiredTypeIsThatOfTheOtherOperand(String expression, String expected) {
        var found = find(expression.replace("A", "device.attributes[\"d\"]"));
        assertThat(found).hasSize(1);
        var one = found.getFirst();
        assertThat(one.attribute()).hasToString("d/model");
        assertThat("%s %s %s".formatted(one.operation(), one.type(), one.literal()).strip())
                .isEqualTo(expected);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            textBlock =
                    """
                    device.driver == "x" |
                    has(device.attributes["d"].model) |
                    device.attributes["d"].a == device.attributes["d"].b |
                    device.capacity["d"].memory.compareTo(quantity("1")) == 0 |
                    device.attributes[device.driver].model == 5 |
                    device.attributes["d"].a.includes("x") |
                    """)
    void otherPartsAreNotComparisonsOfAttributes(String expression) {
        assertThat(find(expression)).isEmpty();
    }

    @Test
    void comparisonsAreFoundInAllPartsOfAnExpression() {
        var expression =
                """
                device.driver == "x" && (device.attributes["d"].a > 1
                    || ["x"].exists(one, one == device.attributes["d"].b))
                """;
        assertThat(find(expression)).extracting(one -> one.attribute().id()).contains("a", "b");
    }

    private static List<AttributeComparison> find(String expression) {
        return switch (COMPILER.compileSelector(expression)) {
            case Compilation.Compiled(var checked) -> AttributeComparisonFinder.in(checked);
            case Compilation.Rejected rejected -> throw new AssertionError(rejected.detail());
        };
    }
}
