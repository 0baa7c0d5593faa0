package dev.berth.app.print;

import java.io.Console;
import java.util.Optional;

/// Whether somebody is looking.
public final class Terminal {

    private Terminal() {}

    public static boolean isThere() {
        return Optional.ofNullable(System.console()).filter(Console::isTerminal).isPresent();
    }

    /// Whether colours are welcome; see no-color.org.
    public static boolean hasColours() {
        return isThere() && System.getenv("NO_COLOR") == null;
    }
}
