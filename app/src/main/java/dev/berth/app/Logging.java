package dev.berth.app;

import dev.berth.app.service.LogOptions;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.Optional;
import java.util.logging.Formatter;
import java.util.logging.Level;
import java.util.logging.LogManager;
import java.util.logging.Logger;

/// Configuration of the JDK's logging: warnings, or the level of `-v` or `BERTH_LOG`, as text or,
/// with `--log-format json`, as JSON.
///
/// The JDK creates an instance when the first record is logged, so that commands that log nothing
/// do not load it.
public final class Logging {

    static final String VARIABLE = "BERTH_LOG";

    private static final String CLASS = "java.util.logging.config.class";

    /// Public because the JDK calls it.
    public Logging() {
        var level =
                Optional.ofNullable(System.getProperty(LogOptions.LEVEL_PROPERTY))
                        .or(() -> Optional.ofNullable(System.getenv(VARIABLE)))
                        .orElse("warn");
        var text = settings(level, System.getProperty(LogOptions.FORMAT_PROPERTY, "text"));
        try {
            LogManager.getLogManager()
                    .readConfiguration(
                            new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8)));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /// Configures logging with this class, unless the options of Java name another configuration.
    /// Exceptions that end a thread are logged like others, escaped.
    static void prepare() {
        Thread.setDefaultUncaughtExceptionHandler((thread, e) ->
                Logger.getLogger(Logging.class.getName())
                        .log(Level.SEVERE, "thread " + thread.getName() + " ended", e));
        if (System.getProperty("java.util.logging.config.file") == null
                && System.getProperty(CLASS) == null) {
            System.setProperty(CLASS, Logging.class.getName());
        }
    }

    /// The configuration for a level. Libraries log one level less than we do and never below INFO:
    /// from FINE on Jetty, gRPC and Netty log headers, bodies and frames, so tokens and secrets.
    /// The HTTP client of the JDK logs headers as INFO when a system property asks for it.
    static String settings(String level) {
        return settings(level, "text");
    }

    private static String settings(String level, String format) {
        var ours =
                switch (level.toLowerCase(Locale.ROOT)) {
                    case "error", "severe" -> "SEVERE";
                    case "info" -> "INFO";
                    case "debug" -> "FINE";
                    case "trace", "all" -> "ALL";
                    default -> "WARNING";
                };
        var theirs =
                switch (ours) {
                    case "FINE", "ALL" -> "INFO";
                    case "SEVERE" -> "SEVERE";
                    default -> "WARNING";
                };
        return """
        handlers=java.util.logging.ConsoleHandler
        java.util.logging.ConsoleHandler.level=ALL
        java.util.logging.ConsoleHandler.formatter=%s
        .level=%s
        jdk.httpclient.level=WARNING
        dev.berth.level=%s
        """
                .formatted(formatter(format).getName(), theirs, ours);
    }

    private static Class<? extends Formatter> formatter(String format) {
        return format.equals("json") ? JsonLogFormatter.class : LogFormatter.class;
    }
}
