package dev.berth.model.api;

/// Whose configuration was copied into an allocation.
public sealed interface ConfigSource extends OpenEnum {

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

    static ConfigSource of(String text) {
        return OpenEnum.of(Known.values(), text, Unrecognised::new);
    }
}
