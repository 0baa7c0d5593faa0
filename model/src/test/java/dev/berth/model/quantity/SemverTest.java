package dev.berth.model.quantity;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class SemverTest {

    private static final List<String> ASCENDING =
            List.of(
                    "0.0.0-0",
                    "0.0.0",
                    "0.0.1",
                    "0.2.0",
                    "1.0.0-alpha",
                    "1.0.0-alpha.1",
                    "1.0.0-alpha.beta",
                    "1.0.0-beta",
                    "1.0.0-beta.2",
                    "1.0.0-beta.11",
                    "1.0.0-rc.1",
                    "1.0.0",
                    "1.0.1",
                    "1.10.0",
                    "9223372036854775807.0.0",
                    "9223372036854775808.0.0",
                    "18446744073709551615.0.0");

    @Test
    void ordersByPrecedence() {
        for (var i = 0; i < ASCENDING.size(); i++) {
            for (var j = 0; j < ASCENDING.size(); j++) {
                var order =
                        Semver.parse(ASCENDING.get(i)).compareTo(Semver.parse(ASCENDING.get(j)));
                assertThat(Integer.signum(order))
                        .as("%s, %s", ASCENDING.get(i), ASCENDING.get(j))
                        .isEqualTo(Integer.compare(i, j));
            }
        }
    }

    @Test
    void ignoresBuildMetadataButPrintsIt() {
        var a = Semver.parse("1.2.3-rc.1+build.5");
        assertThat(a).isEqualTo(Semver.parse("1.2.3-rc.1+other"));
        assertThat(a).hasSameHashCodeAs(Semver.parse("1.2.3-rc.1"));
        assertThat(a).hasToString("1.2.3-rc.1+build.5");
    }

    @Test
    void exposesItsNumbers() {
        var version = Semver.parse("1.20.300");
        assertThat(List.of(version.major(), version.minor(), version.patch()))
                .containsExactly(1L, 20L, 300L);
        assertThat(Semver.parse("18446744073709551615.0.0").major()).isEqualTo(-1);
        assertThat(Semver.parse("18446744073709551615.0.0"))
                .hasToString("18446744073709551615.0.0");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "''|Version string empty",
                "1|No Major.Minor.Patch elements found",
                "1.2|No Major.Minor.Patch elements found",
                "200K|No Major.Minor.Patch elements found",
                "v1.0.0|Invalid character(s) found in major number \"v1\"",
                "1.x.0|Invalid character(s) found in minor number \"x\"",
                "1.2.3.4|Invalid character(s) found in patch number \"3.4\"",
                "01.2.3|Major number must not contain leading zeroes \"01\"",
                "1.02.3|Minor number must not contain leading zeroes \"02\"",
                "1.2.03|Patch number must not contain leading zeroes \"03\"",
                "1..3|strconv.ParseUint: parsing \"\": invalid syntax",
                "1.2.-x|strconv.ParseUint: parsing \"\": invalid syntax",
                "1.2.3-|Prerelease is empty",
                "1.2.3-a..b|Prerelease is empty",
                "1.2.3-01|Numeric PreRelease version must not contain leading zeroes \"01\"",
                "1.2.3-a_b|Invalid character(s) found in prerelease \"a_b\"",
                "1.2.3+|Build meta data is empty",
                "1.2.3+a_b|Invalid character(s) found in build meta data \"a_b\"",
                "1.2.3-ä|Invalid character(s) found in prerelease \"ä\"",
                "18446744073709551616.0.0|strconv.ParseUint: parsing \"18446744073709551616\":"
                        + " value out of range"
            })
    void rejectsMalformedVersionsWithTheMessagesOfKubernetes(String text, String reason) {
        assertThat(Semver.tryParse(text)).isEmpty();
        assertThatThrownBy(() -> Semver.parse(text))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage(reason);
    }

    @ParameterizedTest
    @CsvSource({
        "v1.0.0, 1.0.0",
        "1, 1.0.0",
        "v1.2, 1.2.0",
        "01.01.01, 1.1.1",
        "00.0.0, 0.0.0",
        "1.2.03-rc.1+b, 1.2.3-rc.1+b",
        "1.2.0-rc.01x, 1.2.0-rc.01x",
        "1.2.00-rc, 1.2.0-rc"
    })
    void readsTolerantly(String text, String version) {
        assertThat(Semver.parseTolerantly(text)).hasToString(version);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "1.0-alpha|short version cannot contain PreRelease/Build meta data",
                "1+x|short version cannot contain PreRelease/Build meta data",
                "1.0-alpha.1|Invalid character(s) found in minor number \"0-alpha\"",
                "vv1|Invalid character(s) found in major number \"0v1\"",
                "' 1.0.0'|'Invalid character(s) found in major number \"0 1\"'",
                "''|strconv.ParseUint: parsing \"\": invalid syntax",
                "1.2.3-01|Numeric PreRelease version must not contain leading zeroes \"01\""
            })
    void rejectsMalformedVersionsTolerantlyToo(String text, String reason) {
        assertThatThrownBy(() -> Semver.parseTolerantly(text)).hasMessage(reason);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "1.2.3",
                "1.2.3-rc.1+b",
                "99999999999999999999.0.0",
                "1.0.0-99999999999999999999"
            })
    void formIsIndependentOfSize(String text) {
        assertThat(Semver.isWellFormed(text)).isTrue();
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "1.2", "v1.2.3", "1.2.3-01", "01.2.3", "1..3", "1.2.3-", "1.2.3+"})
    void otherFormsAreMalformed(String text) {
        assertThat(Semver.isWellFormed(text)).isFalse();
    }

    @Test
    void readsLongTexts() {
        var identifiers = new String[100_000];
        Arrays.fill(identifiers, "a");
        var text = "1.2.3-" + String.join(".", identifiers);
        assertThat(Semver.isWellFormed(text)).isTrue();
        assertThat(Semver.parse(text)).hasToString(text);
    }
}
