package dev.berth.app;

import dev.berth.app.print.TerminalText;
import dev.berth.model.json.Json;
import dev.berth.model.json.JsonObject;
import dev.berth.model.json.JsonWriter;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.Locale;
import java.util.logging.Formatter;
import java.util.logging.Level;
import java.util.logging.LogRecord;

/// Formats log records as JSON, one object per line: `ts`, `level`, `logger`, `msg` and, for
/// exceptions, `err` and `stack`.
///
/// Characters that would change what a terminal shows are escaped, which keeps their meaning in
/// JSON.
public final class JsonLogFormatter extends Formatter {

    /// Public because the JDK calls it.
    public JsonLogFormatter() {}

    @Override
    public String format(LogRecord record) {
        var object =
                JsonObject.of("ts", Json.of(record.getInstant().toString()))
                        .with("level", Json.of(level(record.getLevel())))
                        .with("logger", Json.of(String.valueOf(record.getLoggerName())))
                        .with("msg", Json.of(String.valueOf(formatMessage(record))));
        var thrown = record.getThrown();
        if (thrown != null) {
            object =
                    object.with("err", Json.of(thrown.toString()))
                            .with("stack", Json.of(stack(thrown)));
        }
        return TerminalText.escapeLine(JsonWriter.compact(object)) + "\n";
    }

    private static String level(Level level) {
        return switch (level.getName()) {
            case "SEVERE" -> "error";
            case "WARNING" -> "warn";
            case "FINE" -> "debug";
            case "FINER", "FINEST" -> "trace";
            default -> level.getName().toLowerCase(Locale.ROOT);
        };
    }

    private static String stack(Throwable thrown) {
        var text = new StringWriter();
        thrown.printStackTrace(new PrintWriter(text));
        return text.toString();
    }
}
