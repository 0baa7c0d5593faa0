package dev.berth.model.api.selector;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.model.api.selector.NodeSelectorOperator.Known;
import dev.berth.model.api.selector.NodeSelectorOperator.Unrecognised;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class NodeSelectorOperatorTest {

    @ParameterizedTest
    @CsvSource({
        "In, a, true",
        "In, c, false",
        "In, '', false",
        "NotIn, a, false",
        "NotIn, c, true",
        "NotIn, '', true",
        "Exists, c, true",
        "Exists, '', true",
        "DoesNotExist, a, false",
        "Gt, a, false",
        "Near, a, false"
    })
    void labelsAreComparedWithTheValues(String operator, String label, boolean isMatch) {
        assertThat(matches(operator, Optional.of(label), "a", "b")).isEqualTo(isMatch);
    }

    @ParameterizedTest
    @CsvSource({
        "In, false",
        "NotIn, true",
        "Exists, false",
        "DoesNotExist, true",
        "Gt, false",
        "Lt, false",
        "Near, false"
    })
    void absentLabelsMatchNotInAndDoesNotExistOnly(String operator, boolean isMatch) {
        assertThat(matches(operator, Optional.empty(), "5")).isEqualTo(isMatch);
    }

    @ParameterizedTest
    @CsvSource({
        "Gt, 6, true",
        "Gt, 5, false",
        "Gt, -6, false",
        "Lt, 4, true",
        "Lt, 5, false",
        "Lt, -6, true",
        "Gt, six, false",
        "Lt, '', false"
    })
    void integersAreComparedWithTheOnlyValue(String operator, String label, boolean isMatch) {
        assertThat(matches(operator, Optional.of(label), "5")).isEqualTo(isMatch);
        assertThat(matches(operator, Optional.of(label), "5", "5")).isFalse();
        assertThat(matches(operator, Optional.of(label))).isFalse();
        assertThat(matches(operator, Optional.of(label), "five")).isFalse();
    }

    @Test
    void inAndNotInWithoutValuesMatchNothingAndEverything() {
        assertThat(matches("In", Optional.of("a"))).isFalse();
        assertThat(matches("NotIn", Optional.of("a"))).isTrue();
    }

    @Test
    void labelSelectorsHaveFourOperators() {
        assertThat(List.of("In", "NotIn", "Exists", "DoesNotExist"))
                .allMatch(text -> NodeSelectorOperator.setBased(text) instanceof Known);
        assertThat(List.of("Gt", "Lt", "Near", ""))
                .allMatch(
                        text -> NodeSelectorOperator.setBased(text).equals(new Unrecognised(text)));
    }

    private static boolean matches(String operator, Optional<String> label, String... values) {
        return NodeSelectorOperator.of(operator).matches(label, List.of(values));
    }
}
