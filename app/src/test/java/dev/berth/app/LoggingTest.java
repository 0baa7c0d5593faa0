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
        "trace, ALL, INFO",
    })
    void librariesLogOneLevelLess(String asked, String ours, String theirs) throws Exception {
        var settings = new Properties();
        settings.load(new StringReader(Logging.settings(asked)));

        assertThat(settings).containsEntry("dev.berth.level", ours).containsEntry(".level", theirs);
    }
}
