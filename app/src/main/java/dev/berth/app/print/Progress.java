package dev.berth.app.print;

import java.io.PrintWriter;

/// Shows the current step on one line of a terminal; silent without a terminal.
public final class Progress {

    private static final String CLEARED_LINE = "\r\u001b[K";

    private final PrintWriter terminal;
    private final boolean isTerminal = Terminal.isError();

    public Progress(PrintWriter terminal) {
        this.terminal = terminal;
    }

    public void show(String what) {
        if (isTerminal) {
            TerminalWriter.printStyled(terminal, CLEARED_LINE);
            terminal.print(what + " …");
            terminal.flush();
        }
    }

    public void clear() {
        if (isTerminal) {
            TerminalWriter.printStyled(terminal, CLEARED_LINE);
            terminal.flush();
        }
    }
}
