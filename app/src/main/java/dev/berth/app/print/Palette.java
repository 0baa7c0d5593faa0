package dev.berth.app.print;

/// Colours for terminals. Escapes the text ([TerminalText]), so that the result can be printed by
/// [TerminalWriter#printStyled].
///
/// @param isColoured false for text without control sequences
public record Palette(boolean isColoured) {

    private static final String RESET = "\u001b[0m";

    /// A role of text, with its control sequence.
    public enum Style {
        PLAIN(""),
        HEADING("\u001b[1m"),
        GOOD("\u001b[32m"),
        BAD("\u001b[31m"),
        WARNING("\u001b[33m"),
        NOTE("\u001b[36m"),
        FAINT("\u001b[2m");

        private final String sequence;

        Style(String sequence) {
            this.sequence = sequence;
        }
    }

    /// Colours when standard output is a terminal and `NO_COLOR` is not set.
    public static Palette ofTerminal() {
        return new Palette(Terminal.hasColours());
    }

    public String paint(Style style, String text) {
        var safe = TerminalText.escape(text);
        return isColoured && style != Style.PLAIN && !safe.isEmpty()
                ? style.sequence + safe + RESET
                : safe;
    }
}
