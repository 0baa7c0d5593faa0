package dev.berth.model.api;

/// Whose configuration was copied into an allocation.
public sealed interface ConfigSource {

    /// The words that this version knows.
    enum Known implements ConfigSource {
        FROM_CLASS("FromClass"),
        FROM_CLAIM("FromClaim");

        private final String text;

        Known(String text) {
            this.text = text;
        }

        @Override
        public String text() {
            return text;
        }
    }

    /// A source of a newer API, or none.
    record Unrecognised(String text) implements ConfigSource {}

    /// The word as the API spells it.
    String text();

    static ConfigSource of(String text) {
        for (var known : Known.values()) {
            if (known.text.equals(text)) {
                return known;
            }
        }
        return new Unrecognised(text);
    }
}
