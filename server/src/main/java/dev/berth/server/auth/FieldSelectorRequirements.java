package dev.berth.server.auth;

import java.util.Optional;

/// Reads requirements of a field selector, such as `spec.nodeName=a,status.phase!=Running`.
final class FieldSelectorRequirements {

    private FieldSelectorRequirements() {}

    static boolean require(String selector, String field, String value) {
        return value(selector, field).equals(Optional.of(value));
    }

    /// The value that a field must have; empty if any value matches. Of several requirements the
    /// first counts, which can only make a decision stricter: all must hold.
    ///
    /// An escaped comma does not end a requirement. Selectors with escapes are not evaluated:
    /// whatever is read here as a requirement must be one for the selection, too.
    static Optional<String> value(String selector, String field) {
        if (selector.indexOf('\\') >= 0) {
            return Optional.empty();
        }
        for (var term : selector.split(",", -1)) {
            var equals = term.indexOf('=');
            if (equals > 0 && term.substring(0, equals).equals(field)) {
                return Optional.of(
                        term.substring(term.startsWith("==", equals) ? equals + 2 : equals + 1));
            }
        }
        return Optional.empty();
    }
}
