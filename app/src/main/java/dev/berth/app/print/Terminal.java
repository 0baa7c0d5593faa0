package dev.berth.app.print;

import java.io.Console;
import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;

/// The terminal that standard output and standard error are connected to, if any.
public final class Terminal {

    /// The width of tables and trees that are written to a file or a pipe.
    public static final int UNLIMITED = Integer.MAX_VALUE;

    /// The width of help and other running text when no terminal is connected.
    public static final int TEXT_WIDTH = 100;

    /// Overrides `COLUMNS` in tests, which cannot set variables of their own process.
    public static final String COLUMNS_PROPERTY = "berth.columns";

    private static final int NARROWEST = 40;
    private static final int WIDEST_TEXT = 120;
    private static final int USUAL_HEIGHT = 24;
    private static final Pattern NUMBER = Pattern.compile("[1-9][0-9]{1,4}");
    private static final Path OUTPUT = Path.of("/proc/self/fd/1");
    private static final Path ERROR = Path.of("/proc/self/fd/2");
    private static final File DEVICE = new File("/dev/tty");

    private Terminal() {}

    /// Whether standard output is a terminal.
    public static boolean isOutput() {
        return isTerminal(OUTPUT);
    }

    /// Whether standard error is a terminal, on which progress can be shown.
    public static boolean isError() {
        return isTerminal(ERROR);
    }

    /// Whether to print colours; see no-color.org.
    public static boolean hasColours() {
        return isOutput() && variable("NO_COLOR").isEmpty() && !variable("TERM").equals("dumb");
    }

    /// The columns for tables and trees: `COLUMNS`, the width of the terminal, or [#UNLIMITED].
    public static int width() {
        var named = columns(System.getProperty(COLUMNS_PROPERTY, variable("COLUMNS")));
        return named.orElseGet(() -> isOutput() ? device().orElse(UNLIMITED) : UNLIMITED);
    }

    /// The lines of the terminal: `LINES`, its height, or 24.
    public static int height() {
        var named = variable("LINES");
        return NUMBER.matcher(named).matches()
                ? Integer.parseInt(named)
                : size(0).orElse(USUAL_HEIGHT);
    }

    /// The columns for running text: `COLUMNS`, the width of the terminal, or [#TEXT_WIDTH]; never
    /// more than is easily read.
    public static int textWidth() {
        var named = columns(variable("COLUMNS"));
        var found =
                named.orElseGet(
                        () -> isOutput() || isError() ? device().orElse(TEXT_WIDTH) : TEXT_WIDTH);
        return Math.min(found, WIDEST_TEXT);
    }

    static OptionalInt columns(String text) {
        return NUMBER.matcher(text).matches()
                ? OptionalInt.of(Math.max(NARROWEST, Integer.parseInt(text)))
                : OptionalInt.empty();
    }

    private static String variable(String name) {
        return Optional.ofNullable(System.getenv(name)).orElse("");
    }

    /// Reads the file descriptor: [Console] requires standard input to be a terminal too.
    private static boolean isTerminal(Path descriptor) {
        try {
            var target = Files.readSymbolicLink(descriptor).toString();
            return target.startsWith("/dev/pts/")
                    || target.startsWith("/dev/tty")
                    || target.equals("/dev/console");
        } catch (IOException | UnsupportedOperationException _) {
            return Optional.ofNullable(System.console()).filter(Console::isTerminal).isPresent();
        }
    }

    private static OptionalInt device() {
        return columns(size(1));
    }

    private static OptionalInt columns(OptionalInt found) {
        return found.isPresent() ? OptionalInt.of(Math.max(NARROWEST, found.getAsInt())) : found;
    }

    /// Lines (0) or columns (1) of the terminal. Asks `stty`: Java does not know them.
    private static OptionalInt size(int word) {
        try {
            var process =
                    new ProcessBuilder("stty", "size")
                            .redirectInput(DEVICE)
                            .redirectError(ProcessBuilder.Redirect.DISCARD)
                            .start();
            var answer =
                    new String(process.getInputStream().readAllBytes(), StandardCharsets.US_ASCII);
            process.waitFor(1, TimeUnit.SECONDS);
            var words = answer.strip().split(" ", -1);
            return words.length == 2 && NUMBER.matcher(words[word]).matches()
                    ? OptionalInt.of(Integer.parseInt(words[word]))
                    : OptionalInt.empty();
        } catch (IOException _) {
            return OptionalInt.empty();
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
            return OptionalInt.empty();
        }
    }
}
