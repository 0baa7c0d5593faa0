package dev.berth.core.cel.library;

/// How large results may get. Whatever is larger would use up the cost limit of an expression as
/// soon as somebody looked at it, so that a call may as well refuse to build it.
final class Limits {

    /// In a string.
    static final long MAX_CHARACTERS = 1_000_000;

    /// In a list that is built.
    static final int MAX_ELEMENTS = 1_000_000;

    private Limits() {}

    static Failure tooManyCharacters(String function, long characters) {
        return new Failure(
                "%s: result of %d characters exceeds maximum allowed (%d)"
                        .formatted(function, characters, MAX_CHARACTERS));
    }

    static Failure tooManyElements(String function) {
        return new Failure(
                "%s: result exceeds maximum allowed (%d elements)"
                        .formatted(function, MAX_ELEMENTS));
    }
}
