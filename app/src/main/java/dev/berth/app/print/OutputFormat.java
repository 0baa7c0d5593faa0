package dev.berth.app.print;

import java.util.Locale;

/// The output formats of all commands.
public enum OutputFormat {
    TEXT,
    JSON,
    YAML;

    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}
