package dev.berth.core.lint;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SpellingSuggestionsTest {

    private static final List<String> KNOWN =
            List.of("memory", "model", "driverVersion", "productName", "numaNode");

    @ParameterizedTest
    @CsvSource({
        "memroy,memory",
        "Memory,memory",
        "modle,model",
        "driverversion,driverVersion",
        "productname,productName",
        "numanodes,numaNode",
    })
    void aMisspeltNameFindsTheMostSimilarOne(String wanted, String meant) {
        assertThat(SpellingSuggestions.nearest(wanted, KNOWN)).contains(meant);
    }

    @Test
    void namesOfObjectsDifferInFewLetters() {
        var classes = List.of("gpu.nvidia.com");
        assertThat(SpellingSuggestions.nearestObject("gpu.nvidia.co", classes))
                .contains("gpu.nvidia.com");
        assertThat(SpellingSuggestions.nearestObject("mig.nvidia.com", classes)).isEmpty();
    }

    @Test
    void aDifferentNameIsNotAMisspelling() {
        assertThat(SpellingSuggestions.nearest("bandwidth", KNOWN)).isEmpty();
    }
}
