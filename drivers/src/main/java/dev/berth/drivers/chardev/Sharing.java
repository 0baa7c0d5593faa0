package dev.berth.drivers.chardev;

/// How many claims may have a device at once.
sealed interface Sharing {

    record Exclusive() implements Sharing {}

    record Unlimited() implements Sharing {}

    /// So many, each with one slot if it does not ask for more.
    record Slots(long count) implements Sharing {}
}
