package dev.berth.core.cel;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.core.cel.library.PatternCheck;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class LiteralsTest {

    @ParameterizedTest
    @ValueSource(
            strings = {"0", "-0", "1s", "+1.5h", "-.5m", "1.s", "1h2m3s4ms5us6µs7ns", "2562047h"})
    void goDurationsAreAccepted(String text) {
        assertThat(LiteralChecks.isDuration(text)).isTrue();
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "1", "s", ".s", "1d", "1 s", "1h-1m", "1e3s", "2562048h", "٣s"})
    void malformedDurationsAreRejected(String text) {
        assertThat(LiteralChecks.isDuration(text)).isFalse();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "2026-02-28T23:59:59Z",
                "2026-02-28T23:59:59.123456789123+01:00",
                "0001-01-01T00:00:00Z",
                "9999-12-31T23:59:59Z"
            })
    void timestampsAreRfc3339(String text) {
        assertThat(LiteralChecks.isTimestamp(text)).isTrue();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "2026-02-28",
                "2026-02-29T00:00:00Z",
                "2026-02-28T24:00:00Z",
                "2026-02-28 23:59:59Z",
                "2026-02-28T23:59:59",
                "0001-01-01T00:00:00+01:00",
                "10000-01-01T00:00:00Z"
            })
    void malformedTimestampsAreRejected(String text) {
        assertThat(LiteralChecks.isTimestamp(text)).isFalse();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "^gpu-[0-9]+$",
                "a{1000}",
                "(a{10}){100}",
                "[]{2000}]",
                "\\Q(((\\E",
                "(?i)a|b",
                "a{,5}",
                "\\{2000}",
                "[\\]{2000}]"
            })
    void patternsAreRe2(String text) {
        assertThat(PatternCheck.accepts(text)).isTrue();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"[", "(", "a**", "(?=a)", "\\1", "a{1001}", "(a{11}){100}", "((a{2}){501})"})
    void malformedPatternsAreRejected(String text) {
        assertThat(PatternCheck.accepts(text)).isFalse();
    }
}
