package dev.berth.core.place;

/// What placing a pod depends on besides nodes, devices and other pods.
public record Surroundings(Storage storage, Namespaces namespaces) {

    /// Nothing is known.
    public static final Surroundings UNKNOWN =
            new Surroundings(Storage.UNKNOWN, Namespaces.UNLABELLED);
}
