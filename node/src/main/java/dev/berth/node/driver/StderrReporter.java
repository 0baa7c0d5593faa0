package dev.berth.node.driver;

import java.io.PrintStream;

/// Messages of a driver on standard error, one line each, without a logging library.
final class StderrReporter {

    private static final char REPLACEMENT = '?';

    private StderrReporter() {}

    /// Prints a message on the standard error of this process.
    static void print(String driver, String message) {
        print(System.err, driver, message);
    }

    static void print(PrintStream out, String driver, String message) {
        out.println(printable(driver + ": " + message));
        out.flush();
    }

    /// Messages quote the API server, so control sequences of terminals are replaced.
    private static String printable(String text) {
        var line = new StringBuilder(text.length());
        text.codePoints()
                .map(point ->
                        Character.isISOControl(point)
                                        || Character.getType(point) == Character.FORMAT
                                ? REPLACEMENT
                                : point)
                .forEach(line::appendCodePoint);
        return line.toString();
    }
}
