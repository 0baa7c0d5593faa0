package dev.berth.core.cel.library;

/// How large results may get. Whatever is larger would use up the cost limit of an expression as
/// soon as somebody looked at it, so that a call may as well refuse to build it.
final class ResultLimits {

    /// In a string.
    static final long MAX_CHARACTERS = 1_000_000;

    /// In a list that is built.
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
