package dev.berth.app.print;

import java.util.ArrayList;
import java.util.List;

/// Breaks paragraphs into lines, at spaces only: paths, options and names stay whole.
public final class TextWrap {

    private TextWrap() {}

    /// The lines of a paragraph. A word that is wider than a line has a line of its own.
    public static List<String> lines(String paragraph, int width) {
        return lines(paragraph, width, "");
    }

    /// The lines of a paragraph with a hanging indent.
    ///
    /// @param indent of all lines but the first
    public static List<String> lines(String paragraph, int width, String indent) {
        var lines = new ArrayList<String>();
        var line = new StringBuilder();
        for (var word : paragraph.strip().split(" +", -1)) {
            var isFull = line.length() + 1 + word.length() > width;
            if (!line.toString().isBlank() && isFull) {
                lines.add(line.toString());
                line = new StringBuilder(indent).append(word);
            } else {
                line.append(line.toString().isBlank() ? "" : " ").append(word);
            }
        }
        lines.add(line.toString());
        return lines;
    }

    /// Text of at most `width` columns, with `…` in place of its middle: names from templates
    /// differ at both ends.
    public static String shortened(String text, int width) {
        if (text.length() <= width || width < 1) {
            return text;
        }
        var head = width / 2;
        var tail = width - head - 1;
        return text.substring(0, head) + "…" + text.substring(text.length() - tail);
    }

    /// `1 object`, `2 objects`.
    public static String count(long number, String noun) {
        return number + " " + noun + (number == 1 ? "" : "s");
    }
}
