package dev.berth.server.auth;

import java.util.Optional;

/// Reads what a field selector demands, such as `spec.nodeName=a,status.phase!=Running`.
final class FieldSelectorRequirements {

    private FieldSelectorRequirements() {}

    static boolean require(String selector, String field, String value) {
        return value(selector, field).equals(Optional.of(value));
    }

    /// The value that a field must have; empty when any will do. Of several demands the first
    /// counts, which can only let too little pass: all must hold.
    ///
    /// An escaped comma does not end a demand. Such selectors are not looked into: what is read
    /// here as a demand must be one to whoever selects.
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
