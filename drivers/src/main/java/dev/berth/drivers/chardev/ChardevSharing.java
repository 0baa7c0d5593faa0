package dev.berth.drivers.chardev;

/// How many claims may have a device at once.
sealed interface ChardevSharing {

    record Exclusive() implements ChardevSharing {}

    record Unlimited() implements ChardevSharing {}

    /// So many, each with one slot if it does not ask for more.
    record Slots(long count) implements ChardevSharing {}
}
