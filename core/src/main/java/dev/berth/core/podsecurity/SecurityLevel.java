package dev.berth.core.podsecurity;

import java.util.Locale;
import java.util.Optional;

/// A level of the Pod Security Standards, from the most permissive to the strictest.
public enum SecurityLevel {
    PRIVILEGED,
    BASELINE,
    RESTRICTED;

    /// Reads a level as labels and flags spell it.
    public static Optional<SecurityLevel> parse(String text) {
        for (var level : values()) {
            if (level.toString().equals(text)) {
                return Optional.of(level);
            }
        }
        return Optional.empty();
    }

    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}
