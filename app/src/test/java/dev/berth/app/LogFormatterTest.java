package dev.berth.app;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.LocalDateTime;
import java.time.ZoneId;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import org.junit.jupiter.api.Test;

class LogFormatterTest {

    private static LogRecord warning(String message) {
        var record = new LogRecord(Level.WARNING, message);
        record.setLoggerName("a.b");
        record.setInstant(
                LocalDateTime.parse("2026-11-16T06:01:25")
                        .atZone(ZoneId.systemDefault())
                        .toInstant());
        return record;
    }

    @Test
    void aLineHasTimeLevelLoggerAndMessage() {
        assertThat(new LogFormatter().format(warning("pod default/p: no such image")))
                .isEqualTo("2026-11-16 06:01:25 WARNING a.b: pod default/p: no such image\n");
    }

    @Test
    void lineFeedsAndControlCharactersOfAMessageAreEscaped() {
        assertThat(new LogFormatter().format(warning("pod x\n2026-11-16 forged\r\u001b[2J\u202e")))
                .isEqualTo(
                        "2026-11-16 06:01:25 WARNING a.b: pod x\\u000a2026-11-16 forged"
                                + "\\u000d\\u001b[2J\\u202e\n");
    }

    @Test
    void tracesKeepTheirLinesAndMessagesOfExceptionsAreEscaped() {
        var inner = new IllegalStateException("\u001b[2J\nforged");
        inner.setStackTrace(new StackTraceElement[] {new StackTraceElement("C", "m", "C.java", 3)});
        var outer = new IllegalArgumentException("a\u009bb", inner);
        outer.setStackTrace(new StackTraceElement[0]);
        var suppressed = new IllegalStateException("s", outer);
        suppressed.setStackTrace(new StackTraceElement[0]);
        outer.addSuppressed(suppressed);
        var record = warning("oops");
        record.setThrown(outer);
        assertThat(new LogFormatter().format(record))
                .isEqualTo(
                        """
                        2026-11-16 06:01:25 WARNING a.b: oops
                        java.lang.IllegalArgumentException: a\\u009bb
                        \tSuppressed: java.lang.IllegalStateException: s
                        \tCaused by: java.lang.IllegalArgumentException: a\\u009bb
                        Caused by: java.lang.IllegalStateException: \\u001b[2J\\u000aforged
                        \tat C.m(C.java:3)
                        """);
    }
}
