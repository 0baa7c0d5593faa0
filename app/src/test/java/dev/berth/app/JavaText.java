package dev.berth.app;

import java.util.ArrayList;
import java.util.List;

/// Comments and string literals of a Java source file.
///
/// @param comments text of `//` and block comments, with their line numbers
/// @param strings text of string literals and text blocks, with their line numbers
record JavaText(List<Part> comments, List<Part> strings) {

    /// A comment or string literal.
    ///
    /// @param line number of its first line, from 1
    record Part(int line, String text) {}

    static JavaText of(String source) {
        var comments = new ArrayList<Part>();
        var strings = new ArrayList<Part>();
        var line = 1;
        for (var i = 0; i < source.length(); ) {
            var end = end(source, i);
            var text = source.substring(i, end);
            if (text.startsWith("//") || text.startsWith("/*")) {
                comments.add(new Part(line, text));
            } else if (text.startsWith("\"")) {
                strings.add(new Part(line, text));
            }
            line += (int) text.chars().filter(c -> c == '\n').count();
            i = end;
        }
        return new JavaText(List.copyOf(comments), List.copyOf(strings));
    }

    /// The end of the comment, literal or other character that starts at `from`.
    private static int end(String source, int from) {
        if (source.startsWith("//", from)) {
            return after(source, "\n", from) - 1;
        }
        if (source.startsWith("/*", from)) {
            return after(source, "*/", from + 2);
        }
        for (var quote : List.of("\"\"\"", "\"", "'")) {
            if (source.startsWith(quote, from)) {
                var i = from + quote.length();
                while (i < source.length() && !source.startsWith(quote, i)) {
                    i += source.charAt(i) == '\\' ? 2 : 1;
                }
                return Math.min(i + quote.length(), source.length());
            }
        }
        return from + 1;
    }

    private static int after(String source, String text, int from) {
        var at = source.indexOf(text, from);
        return at < 0 ? source.length() : at + text.length();
    }

    /// The first line of each `///` block.
    List<Part> docStarts() {
        var starts = new ArrayList<Part>();
        var previous = -1;
        for (var comment : comments) {
            if (comment.text().startsWith("///")) {
                if (comment.line() != previous + 1) {
                    starts.add(comment);
                }
                previous = comment.line();
            }
        }
        return starts;
    }
}
