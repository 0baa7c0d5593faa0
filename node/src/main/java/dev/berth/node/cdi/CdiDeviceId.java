package dev.berth.node.cdi;

import java.util.Optional;

/// Fully qualified name of a CDI device: `vendor.com/class=name`.
public record CdiDeviceId(CdiKind kind, String name) implements Comparable<CdiDeviceId> {

    /// Parses a valid name.
    public static Optional<CdiDeviceId> tryParse(String text) {
        return problem(text).isPresent() ? Optional.empty() : split(text);
    }

    /// Why a name is invalid, if it is.
    public static Optional<String> problem(String text) {
        return split(text)
                .map(id ->
                        CdiNames.vendorProblem(id.kind.vendor())
                                .or(() -> CdiNames.classProblem(id.kind.className()))
                                .or(() -> CdiNames.deviceProblem(id.name)))
                .orElseGet(() ->
                        Optional.of(
                                "\"%s\" is not of the form vendor/class=device".formatted(text)));
    }

    private static Optional<CdiDeviceId> split(String text) {
        var equals = text.indexOf('=');
        return equals <= 0 || equals == text.length() - 1
                ? Optional.empty()
                : CdiKind.tryParse(text.substring(0, equals))
                        .map(kind -> new CdiDeviceId(kind, text.substring(equals + 1)));
    }

    @Override
    public int compareTo(CdiDeviceId other) {
        return toString().compareTo(other.toString());
    }

    @Override
    public String toString() {
        return kind + "=" + name;
    }
}
