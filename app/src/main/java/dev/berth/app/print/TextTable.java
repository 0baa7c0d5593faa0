package dev.berth.app.print;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/// Rows of text in columns as wide as their widest cell; the last column has no width. Cells are
/// escaped here, before their width is measured.
public final class TextTable {

    private static final String GAP = "  ";

    private final List<List<String>> rows = new ArrayList<>();

    public TextTable(String... heads) {
        rows.add(List.of(heads));
    }

    public void add(String... cells) {
        rows.add(Arrays.stream(cells).map(TerminalText::escapeLine).toList());
    }

    @Override
    public String toString() {
        var columns = rows.getFirst().size();
        var widths = new int[columns];
        for (var row : rows) {
            for (var i = 0; i < row.size(); i++) {
                widths[i] = Math.max(widths[i], row.get(i).length());
            }
        }
        var text = new StringBuilder();
        for (var row : rows) {
            var line = new StringBuilder();
            for (var i = 0; i < row.size(); i++) {
                line.append(row.get(i));
                if (i < row.size() - 1) {
                    line.append(" ".repeat(widths[i] - row.get(i).length())).append(GAP);
                }
            }
            text.append(line.toString().stripTrailing()).append('\n');
        }
        return text.toString();
    }
}
