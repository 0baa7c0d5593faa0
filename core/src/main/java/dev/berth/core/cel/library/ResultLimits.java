package dev.berth.core.cel.library;

/// Maximum sizes of results. Larger results would exceed the cost limit of an expression as soon as
/// they are read, so calls refuse to build them.
final class ResultLimits {

    /// Maximum length of a string.
    static final long MAX_CHARACTERS = 1_000_000;

    /// Maximum size of a list.
    static final int MAX_ELEMENTS = 1_000_000;

    private ResultLimits() {}

    static CelError tooManyCharacters(String function, long characters) {
        return new CelError(
                "%s: result of %d characters exceeds maximum allowed (%d)"
                        .formatted(function, characters, MAX_CHARACTERS));
    }

    static CelError tooManyElements(String function) {
        return new CelError(
                "%s: result exceeds maximum allowed (%d elements)"
                        .formatted(function, MAX_ELEMENTS));
    }
}
