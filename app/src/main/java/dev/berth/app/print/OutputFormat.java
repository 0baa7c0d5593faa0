package dev.berth.app.print;

import java.util.Locale;

/// The format of a command's output, with the same values for every command.
public enum OutputFormat {
    TEXT,
    JSON,
    YAML;

    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}
