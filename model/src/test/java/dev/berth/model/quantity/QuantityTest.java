package dev.berth.model.quantity;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class QuantityTest {

    private static final String GRAMMAR =
            "quantities must match the regular expression"
                    + " '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'";
    private static final String BAD_SUFFIX = "unable to parse quantity's suffix";
    private static final String BAD_NUMBER = "unable to parse numeric part of quantity";

    @ParameterizedTest
    @CsvSource({
        "0, 0",
        "12, 12",
        "-12, -12",
        "1.5, 1.5",
        ".5, 0.5",
        "5., 5",
        "1.G, 1000000000",
        "500m, 0.5",
        "3u, 0.000003",
        "7n, 0.000000007",
        "2k, 2000",
        "2M, 2000000",
        "2T, 2000000000000",
        "2P, 2000000000000000",
        "2E, 2000000000000000000",
        "1Ki, 1024",
        "1.5Ki, 1536",
        "1Mi, 1048576",
        "1Ti, 1099511627776",
        "2Pi, 2251799813685248",
        "3Ei, 3458764513820540928",
        "12e6, 12000000",
        "12E6, 12000000",
        "12e-2, 0.12",
        "1e+3, 1000",
        "007, 7",
        "0.0001Ki, 0.1024"
    })
    void readsAmounts(String text, String amount) {
        assertThat(Quantity.parse(text).amount()).isEqualByComparingTo(amount);
    }

    // A short number without digits is 0: unintended in Kubernetes, but clusters have such objects.
    @ParameterizedTest
    @ValueSource(strings = {"+", "-", ".", "-.", "Mi", "k", "n", "-0", "0.0", "00", "0Ei", "Ti"})
    void readsZero(String text) {
        assertThat(Quantity.parse(text)).isEqualTo(Quantity.ZERO);
        assertThat(Quantity.parse(text)).hasToString("0");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"", " 1", "1 ", "1.1.M", "1+1.0M", "0.1am", "aoeu", "1,3G", "Three", "1e3k"})
    void refusesTextsOfAnotherShape(String text) {
        refuses(text, GRAMMAR);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "1K",
                "0.1mi",
                ".5i",
                "1i",
                "-3.01i",
                "-3.01e-",
                "1ee3",
                "1Ki5",
                "10MM",
                "1e1001",
                "1e-1001",
                "1e99999999999"
            })
    void refusesUnknownSuffixes(String text) {
        refuses(text, BAD_SUFFIX);
    }

    @ParameterizedTest
    @ValueSource(strings = {"Pi", "Ei", "e-20", ".e-20"})
    void refusesMissingDigitsWhereTheNumberIsLarge(String text) {
        refuses(text, BAD_NUMBER);
    }

    private static void refuses(String text, String reason) {
        assertThat(Quantity.tryParse(text)).isEmpty();
        assertThatThrownBy(() -> Quantity.parse(text))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage(reason);
    }

    @ParameterizedTest
    @CsvSource({
        // Below a billionth everything is rounded away from zero.
        "0.0000000001, 1n",
        "-0.0000000001, -1n",
        "1.0000000001, 1000000001n",
        "0.1n, 1n",
        "1e-10, 1e-9",
        // Binary amounts end at 2^63-1, decimal ones do not end.
        "8Ei, 9223372036854775807",
        "-8Ei, -9223372036854775807",
        "100Ei, 9223372036854775807",
        "10E, 10E",
        "9223372036854775808, 9223372036854775808"
    })
    void roundsAndCaps(String text, String canonical) {
        assertThat(Quantity.parse(text)).hasToString(canonical);
    }

    @ParameterizedTest
    @CsvSource({
        "1024Mi, 1Gi",
        "1536Mi, 1536Mi",
        "1.5Gi, 1536Mi",
        "1000Ki, 1000Ki",
        "0.5Ki, 512",
        "0.0001Ki, 102400u",
        "1.00001Ki, 1024010240u",
        "1500m, 1500m",
        "1.5, 1500m",
        "1000m, 1",
        "0.5, 500m",
        "1000k, 1M",
        "1000, 1k",
        "1234, 1234",
        "12e6, 12e6",
        "12e4, 120e3",
        "12e0, 12e0",
        "120e-2, 1200e-3",
        "-1024Ki, -1Mi",
        // Spelled well enough to be kept.
        "+5, +5",
        "007, 007",
        "1.500, 1.500",
        "12E6, 12E6",
        "+3Gi, +3Gi"
    })
    void printsTheCanonicalForm(String text, String canonical) {
        assertThat(Quantity.parse(text)).hasToString(canonical);
    }

    @Test
    void comparesAmountsNotSpellings() {
        assertThat(Quantity.parse("1Gi")).isEqualTo(Quantity.parse("1024Mi"));
        assertThat(Quantity.parse("1Gi")).hasSameHashCodeAs(Quantity.parse("1024Mi"));
        assertThat(Quantity.parse("200M")).isEqualTo(Quantity.parse("0.2G"));
        assertThat(Quantity.parse("50M")).isLessThan(Quantity.parse("50Mi"));
        assertThat(Quantity.parse("-1")).isLessThan(Quantity.ZERO);
    }

    @ParameterizedTest
    @CsvSource({
        "50k, 20, 50020, 49980",
        "1Gi, 1Mi, 1025Mi, 1023Mi",
        "1Ki, 24, 1048, 1k",
        "0, 1Ki, 1Ki, -1Ki",
        "0, 5, 5, -5",
        "100m, 0.2, 300m, -100m",
        "9223372036854775807, 1, 9223372036854775808, 9223372036854775806",
        "1n, 1E, 1000000000000000000000000001n, -999999999999999999999999999n"
    })
    void addsAndSubtractsExactly(String a, String b, String sum, String difference) {
        assertThat(Quantity.parse(a).plus(Quantity.parse(b))).hasToString(sum);
        assertThat(Quantity.parse(a).minus(Quantity.parse(b))).hasToString(difference);
    }

    @ParameterizedTest
    @CsvSource({
        "50k, 50000",
        "1.5k, 1500",
        "1Ti, 1099511627776",
        "0, 0",
        "-3, -3",
        "999999999999999999, 999999999999999999"
    })
    void isAnIntegerWhereKubernetesKeepsItAsOne(String text, long value) {
        assertThat(Quantity.parse(text).asPlainLong()).hasValue(value);
    }

    // Whole by value, but kept as a fraction or as a number of any size.
    @ParameterizedTest
    @ValueSource(
            strings = {
                "1000m",
                "1.0",
                "0.0",
                "1.0Gi",
                "1Pi",
                "1Ei",
                "100000Gi",
                "1000000000000000000"
            })
    void isNoIntegerWhereKubernetesDoesNotKeepItAsOne(String text) {
        assertThat(Quantity.parse(text).asPlainLong()).isEmpty();
        assertThat(Quantity.parse(text).asLong()).isPresent();
    }

    @Test
    void sumsArePlainIfTheirPartsAre() {
        var half = Quantity.parse("500m");
        assertThat(half.plus(half).asPlainLong()).isEmpty();
        assertThat(half.plus(half).asLong()).hasValue(1);
        assertThat(Quantity.parse("50k").plus(Quantity.of(20)).asPlainLong()).hasValue(50020);
        assertThat(Quantity.ZERO.plus(Quantity.of(7)).asPlainLong()).hasValue(7);
        assertThat(Quantity.of(7).minus(Quantity.parse("1Pi")).asPlainLong()).isEmpty();
    }

    @Test
    void isNoIntegerBeyondSixtyFourBits() {
        assertThat(Quantity.parse("9999999999G").asLong()).isEmpty();
        assertThat(Quantity.parse("9999999999G").asPlainLong()).isEmpty();
        assertThat(Quantity.parse("1.5").asLong()).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({
        "50.703k, 50703",
        "1.1, 1.1",
        "3.3, 3.3000000000000003",
        "-2Ki, -2048",
        "1e400, Infinity",
        "-1e400, -Infinity"
    })
    void approximatesByDigitsAndPowerOfTen(String text, double value) {
        assertThat(Quantity.parse(text).asApproximateDouble()).isEqualTo(value);
    }

    @Test
    void roundsUpToWholeNumbers() {
        assertThat(Quantity.parse("1.1").roundedUp()).isEqualTo(2);
        assertThat(Quantity.parse("-1.1").roundedUp()).isEqualTo(-1);
        assertThat(Quantity.parse("10E").roundedUp()).isEqualTo(Long.MAX_VALUE);
        assertThat(Quantity.parse("0.0001").milliRoundedUp()).isEqualTo(1);
    }

    @Test
    void rejectsTextsBeyondTheLimits() {
        assertThat(Quantity.tryParse("1".repeat(1001))).isEmpty();
        assertThat(Quantity.tryParse("1".repeat(1000))).isPresent();
        assertThat(Quantity.tryParse("0".repeat(5000))).contains(Quantity.ZERO);
    }

    @Test
    void printedQuantitiesParseUpToTheMaximum() {
        for (var text : List.of("1000e996", "9".repeat(1000) + ".5", "-" + "9".repeat(997) + "k")) {
            var read = Quantity.parse(text);
            assertThat(Quantity.parse(read.plus(Quantity.ZERO).toString())).isEqualTo(read);
        }
        assertThat(Quantity.tryParse("1000e1000")).isEmpty();
    }
}
