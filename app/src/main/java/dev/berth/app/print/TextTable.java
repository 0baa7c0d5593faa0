package dev.berth.app.print;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/// A table with columns as wide as their widest cell; the last column is unlimited. Cells are
/// escaped before their width is measured.
public final class TextTable {

    private static final String GAP = "  ";

    /// Minimum width of the last column.
    private static final int NARROWEST = 10;

    private final List<List<String>> rows = new ArrayList<>();

    public TextTable(String... heads) {
        rows.add(List.of(heads));
    }

    public void add(String... cells) {
        rows.add(Arrays.stream(cells).map(TerminalText::escapeLine).toList());
    }

    @Override
    public String toString() {
        return fit(Terminal.width());
    }

    /// The table with its last column wrapped at spaces, so that it fits into that many columns.
    public String fit(int width) {
        var columns = rows.getFirst().size();
        var widths = new int[columns];
        for (var row : rows) {
            for (var i = 0; i < row.size(); i++) {
                widths[i] = Math.max(widths[i], row.get(i).length());
            }
        }
        var text = new StringBuilder();
        for (var row : rows) {
            var head = new StringBuilder();
            for (var i = 0; i < row.size() - 1; i++) {
                head.append(row.get(i))
                        .append(" ".repeat(widths[i] - row.get(i).length()))
                        .append(GAP);
            }
            var indent = " ".repeat(head.length());
            var lines = wrapped(row.getLast(), width - head.length());
            for (var i = 0; i < lines.size(); i++) {
                text.append(((i == 0 ? head : indent) + lines.get(i)).stripTrailing()).append('\n');
            }
        }
        return text.toString();
    }

    private static List<String> wrapped(String cell, int width) {
        return cell.length() <= width || width < NARROWEST
                ? List.of(cell)
                : TextWrap.lines(cell, width);
    }
}
