package dev.berth.model.text;

import java.nio.charset.StandardCharsets;

/// Texts with a limit on their bytes in UTF-8, as for messages of events and conditions.
public final class Utf8Text {

    private static final String ELLIPSIS = "…";

    private Utf8Text() {}

    public static int bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8).length;
    }

    /// The text, or its beginning with an ellipsis, in at most so many bytes.
    public static String cut(String text, int maxBytes) {
        if (bytes(text) <= maxBytes) {
            return text;
        }
        var left = maxBytes - bytes(ELLIPSIS);
        var end = 0;
        while (end < text.length()) {
            var next = text.offsetByCodePoints(end, 1);
            left -= bytes(text.substring(end, next));
            if (left < 0) {
                break;
            }
            end = next;
        }
        return text.substring(0, end).stripTrailing() + ELLIPSIS;
    }
}
