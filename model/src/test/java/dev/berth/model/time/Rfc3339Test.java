package dev.berth.model.time;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class Rfc3339Test {

    @Test
    void readsWhatTheGeneralParserReads() {
        var random = new Random(7);
        for (var i = 0; i < 10_000; i++) {
            var text = Rfc3339.write(Instant.ofEpochSecond(random.nextLong(253_402_300_799L)));
            assertThat(Rfc3339.isPlain(text)).as(text).isTrue();
            assertThat(Rfc3339.read(text)).contains(OffsetDateTime.parse(text).toInstant());
        }
    }

    @Test
    void readsOffsetsAndFractions() {
        assertThat(Rfc3339.read("2026-11-16T15:44:38.25+01:00"))
                .contains(Instant.parse("2026-11-16T14:44:38.25Z"));
    }

    @Test
    void handlesLeapYears() {
        assertThat(Rfc3339.read("2028-02-29T00:00:00Z"))
                .contains(Instant.parse("2028-02-29T00:00:00Z"));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "2027-02-29T00:00:00Z",
                "2026-04-31T00:00:00Z",
                "2026-13-01T00:00:00Z",
                "2026-00-01T00:00:00Z",
                "2026-01-00T00:00:00Z",
                "2026-01-01T24:00:00Z",
                "2026-01-01T00:60:00Z",
                "2026-01-01T00:00:60Z",
                "2026-01-01 00:00:00Z",
                "2026-01-01T00:00:00z0",
                "２026-01-01T00:00:00Z"
            })
    void rejectsMalformedTimes(String text) {
        assertThat(Rfc3339.isPlain(text)).isFalse();
        assertThat(Rfc3339.read(text)).isEmpty();
    }
}
