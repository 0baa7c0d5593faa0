package dev.berth.app.published;

/// The result of one object of a manifest.
sealed interface ManifestResult {

    /// All pods of the object are scheduled.
    record Placed() implements ManifestResult {}

    /// The server rejects the object.
    record Rejected(String message) implements ManifestResult {}

    /// A pod of the object is pending.
    record Pending(String message) implements ManifestResult {}

    /// Whether this is the expected result, with the expected text in its message.
    default boolean meets(ManifestResult expected) {
        return switch (this) {
            case Placed _ -> expected instanceof Placed;
            case Rejected(var message) ->
                    expected instanceof Rejected(var part) && message.contains(part);
            case Pending(var message) ->
                    expected instanceof Pending(var part) && message.contains(part);
        };
    }
}
