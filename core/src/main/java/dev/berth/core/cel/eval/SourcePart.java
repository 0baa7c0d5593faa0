package dev.berth.core.cel.eval;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/// A section of an expression's source that can be split at its operators.
///
/// The syntax tree has start positions only, so the end of a part is found in the source by
/// skipping brackets, strings and comments, which can contain operators.
record SourcePart(String text) {

    private static final String BIND = "cel.bind(";

    SourcePart {
        text = text.strip();
    }

    /// The operands of a chain of one operator; the whole section for each when the source does not
    /// show `count` operands.
    List<SourcePart> terms(String operator, int count) {
        var terms = new ArrayList<SourcePart>();
        collect(operator, terms);
        return terms.size() == count ? terms : Collections.nCopies(count, this);
    }

    private void collect(String operator, List<SourcePart> terms) {
        var inner = withoutParentheses();
        var pieces = inner.split(operator);
        var chain = pieces.size() > 1 && !(operator.equals("&&") && inner.split("||").size() > 1);
        if (chain && inner.split("?").size() == 1) {
            pieces.forEach(piece -> piece.collect(operator, terms));
        } else {
            terms.add(this);
        }
    }

    /// The last argument of `cel.bind`; the whole section when this is not a `cel.bind`.
    SourcePart body() {
        var inner = withoutParentheses();
        if (!inner.text.startsWith(BIND)
                || inner.closing(BIND.length() - 1) != inner.text.length() - 1) {
            return this;
        }
        var arguments =
                new SourcePart(inner.text.substring(BIND.length(), inner.text.length() - 1))
                        .split(",");
        return arguments.size() == 3 ? arguments.get(2) : this;
    }

    /// The part after `?` or after `:`; the whole section when it has several of them.
    SourcePart branch(boolean yes) {
        var inner = withoutParentheses();
        var choice = inner.split("?");
        if (choice.size() != 2) {
            return this;
        }
        var branches = choice.get(1).split(":");
        return branches.size() == 2 ? branches.get(yes ? 0 : 1) : this;
    }

    private SourcePart withoutParentheses() {
        var part = this;
        while (part.text.startsWith("(") && part.closing(0) == part.text.length() - 1) {
            part = new SourcePart(part.text.substring(1, part.text.length() - 1));
        }
        return part;
    }

    /// The parts between occurrences of an operator outside of brackets, strings and comments.
    private List<SourcePart> split(String operator) {
        var pieces = new ArrayList<SourcePart>();
        var start = 0;
        for (var i = 0; i < text.length(); ) {
            if (text.startsWith(operator, i)) {
                pieces.add(new SourcePart(text.substring(start, i)));
                i += operator.length();
                start = i;
            } else {
                i = next(i);
            }
        }
        pieces.add(new SourcePart(text.substring(start)));
        return pieces;
    }

    /// The index after the character, string, comment or bracketed section at an index.
    private int next(int index) {
        return switch (text.charAt(index)) {
            case '(', '[', '{' -> closing(index) + 1;
            case '"', '\'' -> endOfString(index);
            case '/' -> text.startsWith("//", index) ? endOfLine(index) : index + 1;
            // `.?` is an optional selection, not a conditional.
            case '.' -> text.startsWith(".?", index) ? index + 2 : index + 1;
            default -> index + 1;
        };
    }

    /// The index of the matching closing bracket; the last index if there is none.
    private int closing(int index) {
        var i = index + 1;
        while (i < text.length() && ")]}".indexOf(text.charAt(i)) < 0) {
            i = next(i);
        }
        return Math.min(i, text.length() - 1);
    }

    private int endOfString(int index) {
        var quote = text.substring(index, index + 1);
        var triple = quote.repeat(3);
        var end = text.startsWith(triple, index) ? triple : quote;
        var raw = index > 0 && "rR".indexOf(text.charAt(index - 1)) >= 0;
        var i = index + end.length();
        while (i < text.length() && !text.startsWith(end, i)) {
            i += text.charAt(i) == '\\' && !raw ? 2 : 1;
        }
        return Math.min(i + end.length(), text.length());
    }

    private int endOfLine(int index) {
        var end = text.indexOf('\n', index);
        return end < 0 ? text.length() : end;
    }
}
