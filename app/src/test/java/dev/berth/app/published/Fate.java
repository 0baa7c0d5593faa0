package dev.berth.app.published;

/// What becomes of something that a manifest asks for.
sealed interface Fate {

    /// All of its pods have a node.
    record Placed() implements Fate {}

    /// The server does not take it.
    record Rejected(String message) implements Fate {}

    /// A pod of it waits.
    record Pending(String message) implements Fate {}

    /// True when this is what was expected: the same, and saying what was expected to be said.
    default boolean meets(Fate expected) {
        return switch (this) {
            case Placed _ -> expected instanceof Placed;
            case Rejected(var message) ->
                    expected instanceof Rejected(var part) && message.contains(part);
            case Pending(var message) ->
                    expected instanceof Pending(var part) && message.contains(part);
        };
    }
}
