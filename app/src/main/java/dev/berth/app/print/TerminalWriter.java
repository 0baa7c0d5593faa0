package dev.berth.app.print;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.Writer;

/// The output of commands. Escapes everything that is printed ([TerminalText]), so that no command
/// has to; only [#printStyled] lets control sequences pass.
public final class TerminalWriter extends PrintWriter {

    private final Escaper escaper;

    private TerminalWriter(Escaper escaper) {
        super(escaper, true);
        this.escaper = escaper;
    }

    public static TerminalWriter over(PrintWriter target) {
        return target instanceof TerminalWriter terminal
                ? terminal
                : new TerminalWriter(new Escaper(target));
    }

    /// Prints text with control sequences of our own, such as colours. Text from elsewhere must
    /// have been escaped before it became a part of it.
    public static void printStyled(PrintWriter out, String text) {
        styled(out, () -> out.print(text));
    }

    /// Lets control sequences pass in what the action prints.
    public static void styled(PrintWriter out, Runnable action) {
        if (!(out instanceof TerminalWriter terminal)) {
            action.run();
            return;
        }
        synchronized (terminal.lock) {
            terminal.escaper.passes = true;
            try {
                action.run();
            } finally {
                terminal.escaper.passes = false;
            }
        }
    }

    /// Escapes the text that is written. Guarded by the lock of the enclosing writer.
    private static final class Escaper extends Writer {

        private final PrintWriter target;
        private boolean passes;

        /// The first half of a surrogate pair whose second half comes with the next write; empty
        /// when there is none.
        private String half = "";

        private Escaper(PrintWriter target) {
            this.target = target;
        }

        @Override
        public void write(char[] characters, int offset, int length) {
            write(new String(characters, offset, length));
        }

        @Override
        public void write(String text, int offset, int length) {
            write(text.substring(offset, offset + length));
        }

        @Override
        public void write(String text) {
            if (text.isEmpty()) {
                return;
            }
            var whole = half + text;
            var last = whole.length() - 1;
            var isCut = Character.isHighSurrogate(whole.charAt(last));
            half = isCut ? whole.substring(last) : "";
            var complete = isCut ? whole.substring(0, last) : whole;
            target.write(passes ? complete : TerminalText.escape(complete));
        }

        @Override
        public void flush() {
            target.flush();
        }

        @Override
        public void close() throws IOException {
            target.write(TerminalText.escape(half));
            half = "";
            target.close();
        }
    }
}
