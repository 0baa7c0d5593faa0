package dev.berth.app.service;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Locale;
import java.util.Optional;
import java.util.logging.LogManager;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Option;
import picocli.CommandLine.TypeConversionException;

/// Log options of the commands that run until they are interrupted.
///
/// They apply to the process, so they are system properties, which the configuration of the logging
/// reads.
public final class LogOptions {

    /// System property with the log level: error, warn, info, debug or trace.
    public static final String LEVEL_PROPERTY = "berth.log.level";

    /// System property with the log format.
    public static final String FORMAT_PROPERTY = "berth.log.format";

    private static final int MAX_VERBOSITY = 10;

    /// The format of log records.
    public enum Format {
        TEXT,
        JSON;

        @Override
        public String toString() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    /// Converts the number of `-v` as klog understands it: 4 shows every step.
    static final class Verbosity implements ITypeConverter<Integer> {
        @Override
        public Integer convert(String text) {
            if (!text.matches("[0-9]{1,2}") || Integer.parseInt(text) > MAX_VERBOSITY) {
                throw new TypeConversionException(
                        "\"%s\" is not a number from 0 to %d".formatted(text, MAX_VERBOSITY));
            }
            return Integer.parseInt(text);
        }
    }

    @Option(
            names = "--log-format",
            paramLabel = "FORMAT",
            description =
                    "Format of log records on standard error: text, or json with one object per"
                            + " line (default: text).")
    private Optional<Format> format = Optional.empty();

    @Option(
            names = "-v",
            paramLabel = "LEVEL",
            converter = Verbosity.class,
            description =
                    "Log verbosity from 0 to 10: 0 warnings and errors, 2 also what happens rarely,"
                            + " 4 also every step of a pod in the scheduler, 6 everything (default:"
                            + " $BERTH_LOG, or 0).")
    private Optional<Integer> verbosity = Optional.empty();

    /// Configures the logging of this process by the options, if there are any.
    public void apply() {
        if (format.isEmpty() && verbosity.isEmpty()) {
            return;
        }
        format.ifPresent(one -> System.setProperty(FORMAT_PROPERTY, one.toString()));
        verbosity.ifPresent(number -> System.setProperty(LEVEL_PROPERTY, level(number)));
        try {
            LogManager.getLogManager().readConfiguration();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /// The log level of a verbosity.
    static String level(int verbosity) {
        return switch (verbosity) {
            case 0 -> "warn";
            case 1, 2, 3 -> "info";
            case 4, 5 -> "debug";
            default -> "trace";
        };
    }
}
