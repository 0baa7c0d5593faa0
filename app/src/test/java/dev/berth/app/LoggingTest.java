package dev.berth.app;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.StringReader;
import java.util.Properties;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class LoggingTest {

    @ParameterizedTest
    @CsvSource({
        "warn, WARNING, WARNING",
        "WARN, WARNING, WARNING",
        "nonsense, WARNING, WARNING",
        "error, SEVERE, SEVERE",
        "info, INFO, WARNING",
        "debug, FINE, INFO",
        "trace, ALL, FINE",
    })
    void librariesSayLessThanWeDo(String asked, String ours, String theirs) throws Exception {
        var settings = new Properties();
        settings.load(new StringReader(Logging.settings(asked)));

        assertThat(settings).containsEntry("dev.berth.level", ours).containsEntry(".level", theirs);
    }

    @ParameterizedTest
    @CsvSource({"'', a.b, oops"})
    void linesSayWhenHowBadWhereAndWhat(String cause, String name, String text) throws Exception {
        var settings = new Properties();
        settings.load(new StringReader(Logging.settings("warn")));
        var format = settings.getProperty("java.util.logging.SimpleFormatter.format");
        var time = java.time.ZonedDateTime.parse("2026-11-16T06:01:25Z");

        assertThat(String.format(format, time, "source", name, "WARNING", text, cause))
                .isEqualTo("2026-11-16 06:01:25 WARNING a.b: oops" + System.lineSeparator());
    }
}
