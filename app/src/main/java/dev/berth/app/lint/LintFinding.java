package dev.berth.app.lint;

import dev.berth.app.print.Palette;
import dev.berth.app.print.Palette.Style;
import dev.berth.app.print.TerminalText;
import dev.berth.model.json.Json;
import dev.berth.model.json.JsonObject;
import java.util.Locale;

/// An error or warning at a position in a file, or about an object of a cluster.
///
/// @param line zero when there is no file
record LintFinding(String file, int line, int column, Severity severity, String text) {

    enum Severity {
        /// The API server would refuse the object.
        ERROR,
        /// The API server would accept the object, but it is probably a mistake.
        WARNING
    }

    /// One line with the severity in colour, to be printed as is.
    String text(Palette palette) {
        var place = line == 0 ? file : "%s:%d:%d".formatted(file, line, column);
        var word =
                switch (severity) {
                    case ERROR -> palette.paint(Style.BAD, "error");
                    case WARNING -> palette.paint(Style.WARNING, "warning");
                };
        return TerminalText.escape(place) + ": " + word + ": " + TerminalText.escape(text);
    }

    JsonObject json() {
        return JsonObject.of("file", Json.of(file))
                .with("line", Json.of((long) line))
                .with("column", Json.of((long) column))
                .with("severity", Json.of(severity.name().toLowerCase(Locale.ROOT)))
                .with("message", Json.of(text));
    }

    @Override
    public String toString() {
        return text(new Palette(false));
    }
}
