package dev.berth.app.print;

import java.io.PrintWriter;
import java.util.List;

/// Draws pictures of text on a terminal one after the other. Only lines that changed are written,
/// so that the terminal does not flicker.
public final class LiveScreen implements AutoCloseable {

    private static final String ALTERNATE_SCREEN = "\u001b[?1049h\u001b[?25l\u001b[2J";
    private static final String NORMAL_SCREEN = "\u001b[?25h\u001b[?1049l";
    private static final String REST_OF_LINE = "\u001b[K";

    private final PrintWriter out;
    private final int height;
    private List<String> shown = List.of();

    /// Switches to the alternate screen of the terminal.
    ///
    /// @param height lines of the terminal; further lines are not shown
    public LiveScreen(PrintWriter out, int height) {
        this.out = out;
        this.height = height;
        TerminalWriter.printStyled(out, ALTERNATE_SCREEN);
    }

    /// Shows lines, which may contain colours.
    public void show(List<String> lines) {
        var visible = lines.size() <= height ? lines : lines.subList(0, height);
        TerminalWriter.printStyled(out, changes(shown, visible));
        out.flush();
        shown = List.copyOf(visible);
    }

    /// The control sequences that turn one picture into another.
    static String changes(List<String> before, List<String> now) {
        var text = new StringBuilder();
        for (var i = 0; i < Math.max(before.size(), now.size()); i++) {
            var line = i < now.size() ? now.get(i) : "";
            if (i >= before.size() || !before.get(i).equals(line)) {
                text.append("\u001b[")
                        .append(i + 1)
                        .append(";1H")
                        .append(line)
                        .append(REST_OF_LINE);
            }
        }
        return text.toString();
    }

    /// Returns to the normal screen.
    @Override
    public void close() {
        TerminalWriter.printStyled(out, NORMAL_SCREEN);
        out.flush();
    }
}
