package dev.berth.app;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/// Comments and string literals of a Java source file, found by a regular expression.
///
/// @param comments text of `//` and block comments, with their line numbers
/// @param strings text of string literals and text blocks, with their line numbers
record JavaText(List<Part> comments, List<Part> strings) {

    /// A comment or string literal.
    ///
    /// @param line number of its first line, from 1
    record Part(int line, String text) {}

    private static final Pattern TOKEN =
            Pattern.compile(
                    "(?<string>\"\"\"(?:\\\\.|[^\\\\])*?\"\"\"|\"(?:\\\\.|[^\"\\\\\\n])*\")"
                            + "|'(?:\\\\.|[^'\\\\\\n])+'"
                            + "|(?<comment>//[^\\n]*|/\\*.*?\\*/)",
                    Pattern.DOTALL);

    static JavaText of(String source) {
        var comments = new ArrayList<Part>();
        var strings = new ArrayList<Part>();
        var matcher = TOKEN.matcher(source);
        var line = 1;
        var position = 0;
        while (matcher.find()) {
            line += newlines(source, position, matcher.start());
            position = matcher.start();
            if (matcher.group("comment") != null) {
                comments.add(new Part(line, matcher.group()));
            } else if (matcher.group("string") != null) {
                strings.add(new Part(line, matcher.group()));
            }
        }
        return new JavaText(List.copyOf(comments), List.copyOf(strings));
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

    private static int newlines(String source, int from, int to) {
        return (int) source.substring(from, to).chars().filter(c -> c == '\n').count();
    }
}
