package dev.berth.app.plan;

import dev.berth.app.print.Terminal;
import dev.berth.app.print.TerminalWriter;
import dev.berth.core.plan.Planner;
import java.io.PrintWriter;

/// Shows the number of placed pods on one line of a terminal; silent without a terminal, and for
/// short plans.
final class TerminalProgress implements Planner.Progress {

    private static final int SHORT_PLAN = 200;
    private static final int STEP = 20;
    private static final String CLEARED_LINE = "\r\u001b[K";

    private final PrintWriter terminal;
    private final boolean isTerminal = Terminal.isError();
    private boolean shown;

    TerminalProgress(PrintWriter terminal) {
        this.terminal = terminal;
    }

    @Override
    public void placed(int done, int all) {
        if (isTerminal && all > SHORT_PLAN && done % STEP == 0) {
            shown = true;
            TerminalWriter.printStyled(terminal, CLEARED_LINE);
            terminal.print("placing pods: " + done + " of " + all);
            terminal.flush();
        }
    }

    void clear() {
        if (shown) {
            TerminalWriter.printStyled(terminal, CLEARED_LINE);
            terminal.flush();
        }
    }
}
