package dev.berth.node.cdi;

import java.util.Optional;

/// The kind of a spec's devices: `vendor.com/class`.
///
/// @param className `class` in the specification
public record CdiKind(String vendor, String className) {

    /// Splits at the first slash; empty if one of the parts is empty.
    public static Optional<CdiKind> tryParse(String text) {
        var slash = text.indexOf('/');
        return slash <= 0 || slash == text.length() - 1
                ? Optional.empty()
                : Optional.of(new CdiKind(text.substring(0, slash), text.substring(slash + 1)));
    }

    @Override
    public String toString() {
        return vendor + "/" + className;
    }
}
