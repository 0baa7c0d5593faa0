package dev.berth.app.service;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine.TypeConversionException;

class LogOptionsTest {

    @ParameterizedTest
    @CsvSource({"0, warn", "1, info", "3, info", "4, debug", "5, debug", "6, trace", "10, trace"})
    void verbositiesAreThoseOfKlog(int verbosity, String level) {
        assertThat(LogOptions.level(verbosity)).isEqualTo(level);
    }

    @ParameterizedTest
    @ValueSource(strings = {"-1", "11", "much", ""})
    void otherVerbositiesAreRefused(String text) {
        assertThatThrownBy(() -> new LogOptions.Verbosity().convert(text))
                .isInstanceOf(TypeConversionException.class)
                .hasMessage("\"%s\" is not a number from 0 to 10".formatted(text));
    }

    @Test
    void theMetricsPortIsAPortOrOff() {
        var converter = new MetricsPort.Converter();
        assertThat(converter.convert("off")).isEqualTo(new MetricsPort.Off());
        assertThat(converter.convert("10259")).isEqualTo(new MetricsPort.Port(10_259, true));
        assertThatThrownBy(() -> converter.convert("65536"))
                .hasMessage("\"65536\" is not a port or off");
    }
}
