package dev.berth.app;

import dev.berth.app.print.TerminalText;
import java.time.ZoneId;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.Locale;
import java.util.Set;
import java.util.logging.Formatter;
import java.util.logging.LogRecord;

/// Formats log records: one line for the message, then the stack trace if there is one.
///
/// Messages may hold text of requests, objects and files, also in messages of exceptions. Both are
/// escaped, line feeds included, so that no text can pass for a record of its own.
public final class LogFormatter extends Formatter {

    private static final DateTimeFormatter TIME =
            DateTimeFormatter.ofPattern("yyyy-MM-dd HH:mm:ss", Locale.ROOT);

    /// Public because the JDK calls it.
    public LogFormatter() {}

    @Override
    public String format(LogRecord record) {
        var time = ZonedDateTime.ofInstant(record.getInstant(), ZoneId.systemDefault());
        var text =
                new StringBuilder()
                        .append(TIME.format(time))
                        .append(' ')
                        .append(record.getLevel().getName())
                        .append(' ')
                        .append(TerminalText.escapeLine(String.valueOf(record.getLoggerName())))
                        .append(": ")
                        .append(TerminalText.escapeLine(String.valueOf(formatMessage(record))))
                        .append('\n');
        var thrown = record.getThrown();
        if (thrown != null) {
            appendTrace(text, thrown, "", "", Collections.newSetFromMap(new IdentityHashMap<>()));
        }
        return text.toString();
    }

    private static void appendTrace(
            StringBuilder text,
            Throwable thrown,
            String indent,
            String caption,
            Set<Throwable> seen) {
        text.append(indent)
                .append(caption)
                .append(TerminalText.escapeLine(thrown.toString()))
                .append('\n');
        if (!seen.add(thrown)) {
            return;
        }
        for (var frame : thrown.getStackTrace()) {
            text.append(indent).append("\tat ").append(frame).append('\n');
        }
        for (var suppressed : thrown.getSuppressed()) {
            appendTrace(text, suppressed, indent + "\t", "Suppressed: ", seen);
        }
        if (thrown.getCause() != null) {
            appendTrace(text, thrown.getCause(), indent, "Caused by: ", seen);
        }
    }
}
