package dev.berth.drivers.chardev;

/// How many claims may share a device.
sealed interface ChardevSharing {

    record Exclusive() implements ChardevSharing {}

    record Unlimited() implements ChardevSharing {}

    /// A number of slots; a claim consumes one by default.
    record Slots(long count) implements ChardevSharing {}
}
