package dev.berth.app;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.Optional;
import java.util.logging.LogManager;

/// What every command logs, and how it looks: warnings, unless `BERTH_LOG` asks for more.
///
/// The JDK makes one of these when something is logged for the first time, so that commands that
/// log nothing do not pay for it.
public final class Logging {

    static final String VARIABLE = "BERTH_LOG";

    private static final String CLASS = "java.util.logging.config.class";

    /// Public because the JDK calls it.
    public Logging() {
        var text = settings(Optional.ofNullable(System.getenv(VARIABLE)).orElse("warn"));
        try {
            LogManager.getLogManager()
                    .readConfiguration(
                            new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8)));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /// Makes this the way to log, unless somebody configured another when they started Java.
    static void prepare() {
        if (System.getProperty("java.util.logging.config.file") == null
                && System.getProperty(CLASS) == null) {
            System.setProperty(CLASS, Logging.class.getName());
        }
    }

    /// The configuration for a level. Libraries say one level less than we do.
    static String settings(String level) {
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
                    case "FINE" -> "INFO";
                    case "ALL" -> "FINE";
                    case "SEVERE" -> "SEVERE";
                    default -> "WARNING";
                };
        return """
        handlers=java.util.logging.ConsoleHandler
        java.util.logging.ConsoleHandler.level=ALL
        java.util.logging.SimpleFormatter.format=%%1$tF %%1$tT %%4$s %%3$s: %%5$s%%6$s%%n
        .level=%s
        dev.berth.level=%s
        """
                .formatted(theirs, ours);
    }
}
