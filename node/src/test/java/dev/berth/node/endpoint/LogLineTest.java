package dev.berth.node.endpoint;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Parsing of lines in the CRI log format.
class LogLineTest {

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    @Test
    void aLineHasATimeAndAText() {
        var line = LogLine.parse(bytes("2026-11-16T10:00:00.123456789+01:00 stdout F hello  you"));

        assertThat(line).isPresent();
        assertThat(line.get().time()).isEqualTo(Instant.parse("2026-11-16T09:00:00.123456789Z"));
        assertThat(line.get().isEnd()).isTrue();
        assertThat(new String(line.get().text(), StandardCharsets.UTF_8)).isEqualTo("hello  you");
    }

    @Test
    void aPartialLineIsNoEnd() {
        assertThat(LogLine.parse(bytes("2026-11-16T10:00:00Z stderr P half")))
                .hasValueSatisfying(line -> assertThat(line.isEnd()).isFalse());
    }

    @ParameterizedTest
    @ValueSource(strings = {"2026-11-16T10:00:00Z stdout F ", "2026-11-16T10:00:00Z stdout F"})
    void aLineMayBeEmpty(String text) {
        assertThat(LogLine.parse(bytes(text)))
                .hasValueSatisfying(line -> assertThat(line.text()).isEmpty());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "one",
                "yesterday stdout F x",
                "2026-11-16T10:00:00Z stdlog F x",
                "2026-11-16T10:00:00Z"
            })
    void otherFormatsAreRejected(String text) {
        assertThat(LogLine.parse(bytes(text))).isEmpty();
    }
}
