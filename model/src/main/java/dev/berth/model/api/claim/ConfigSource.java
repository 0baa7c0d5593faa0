package dev.berth.model.api.claim;

import dev.berth.model.api.meta.OpenEnum;

/// Source of a configuration in an allocation: class or claim.
public sealed interface ConfigSource extends OpenEnum {

    /// Values known to this version.
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

    /// An unknown source, or none.
    record Unrecognised(String text) implements ConfigSource {}

    static ConfigSource of(String text) {
        return OpenEnum.of(Known.values(), text, Unrecognised::new);
    }
}
