package dev.berth.app;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.model.json.JsonObject;
import dev.berth.model.json.JsonReader;
import dev.berth.model.json.ParseResult;
import java.time.Instant;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import org.junit.jupiter.api.Test;

class JsonLogFormatterTest {

    private static final String UNSAFE = "pod \"x\"\n\u001b[2J\u009b\u202e";

    private static LogRecord record(Level level, String message) {
        var record = new LogRecord(level, message);
        record.setLoggerName("a.b");
        record.setInstant(Instant.parse("2026-11-16T06:01:25.250Z"));
        return record;
    }

    private static JsonObject parsed(String line) {
        return JsonReader.read(line) instanceof ParseResult.Documents(var documents)
                        && documents.getFirst().root() instanceof JsonObject object
                ? object
                : JsonObject.EMPTY;
    }

    @Test
    void aRecordIsOneLineOfJson() {
        assertThat(new JsonLogFormatter().format(record(Level.FINE, "pod default/p queued")))
                .isEqualTo(
                        "{\"ts\":\"2026-11-16T06:01:25.250Z\",\"level\":\"debug\","
                                + "\"logger\":\"a.b\",\"msg\":\"pod default/p queued\"}\n");
    }

    @Test
    void unsafeTextIsEscapedAndKeepsItsMeaning() {
        var line = new JsonLogFormatter().format(record(Level.WARNING, UNSAFE));
        assertThat(line.strip()).doesNotContain("\n", "\u001b", "\u009b", "\u202e");
        assertThat(parsed(line).text("msg")).isEqualTo(UNSAFE);
    }

    @Test
    void exceptionsHaveMessageAndStack() {
        var record = record(Level.SEVERE, "oops");
        record.setThrown(new IllegalStateException(UNSAFE));
        var line = new JsonLogFormatter().format(record);
        assertThat(line.strip()).doesNotContain("\n");
        assertThat(parsed(line).text("level")).isEqualTo("error");
        assertThat(parsed(line).text("err"))
                .isEqualTo("java.lang.IllegalStateException: " + UNSAFE);
        assertThat(parsed(line).text("stack")).contains("\tat dev.berth.app.JsonLogFormatterTest");
    }
}
