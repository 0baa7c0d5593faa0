package dev.berth.app.print;

import java.util.HexFormat;

/// Escapes characters of text from clusters, files, images and requests that would change what a
/// terminal shows or how a log is read: control characters, line and paragraph separators,
/// bidirectional formatting, and halves of surrogate pairs.
///
/// They become `\u001b` and the like. In a string of JSON, and in one of YAML in double quotes,
/// that is the same character: the output of `-o json` and `-o yaml` keeps its meaning. Our writers
/// put every string with such a character in double quotes.
public final class TerminalText {

    private static final String ESCAPE = "\\u";

    private TerminalText() {}

    /// Escapes text of several lines: line feeds and tabs stay.
    public static String escape(String text) {
        return escape(text, true);
    }

    /// Escapes text that has to stay on one line: line feeds and tabs are escaped as well.
    public static String escapeLine(String text) {
        return escape(text, false);
    }

    private static String escape(String text, boolean keepsLines) {
        for (var at = 0; at < text.length(); at++) {
            if (isUnsafe(text, at, keepsLines)) {
                return escaped(text, at, keepsLines);
            }
        }
        return text;
    }

    private static String escaped(String text, int first, boolean keepsLines) {
        var escaped = new StringBuilder(text.length() + 2 * ESCAPE.length()).append(text, 0, first);
        for (var at = first; at < text.length(); at++) {
            var c = text.charAt(at);
            if (isUnsafe(text, at, keepsLines)) {
                escaped.append(ESCAPE).append(HexFormat.of().toHexDigits(c));
            } else {
                escaped.append(c);
            }
        }
        return escaped.toString();
    }

    private static boolean isUnsafe(String text, int at, boolean keepsLines) {
        var c = text.charAt(at);
        if (c < 0x7f) {
            return c < ' ' && !(keepsLines && (c == '\n' || c == '\t'));
        }
        if (Character.isHighSurrogate(c)) {
            return at + 1 == text.length() || !Character.isLowSurrogate(text.charAt(at + 1));
        }
        if (Character.isLowSurrogate(c)) {
            return at == 0 || !Character.isHighSurrogate(text.charAt(at - 1));
        }
        return c < 0xa0 || isFormatting(c);
    }

    /// Separators that end a line, and characters that change the direction of text.
    private static boolean isFormatting(char c) {
        return c == 0x061c
                || c == 0x200e
                || c == 0x200f
                || (c >= 0x2028 && c <= 0x202e)
                || (c >= 0x2066 && c <= 0x2069);
    }
}
