package dev.berth.core.explain;

import dev.berth.model.api.DeviceTaint;
import dev.berth.model.api.ObjectRef;
import dev.berth.model.api.PoolId;
import java.util.List;

/// Something that keeps devices from serving a request. Devices that meet the same obstacle are
/// counted together; what differs between them is in the [Encounter].
public sealed interface Obstacle {

    /// The request names a class that does not exist.
    record NoSuchClass(String deviceClass) implements Obstacle {}

    /// A part of a selector that is false.
    record Condition(SelectorLocation at, String part) implements Obstacle {}

    /// A part of a selector that has no answer; meeting such a device ends the attempt.
    record Fault(SelectorLocation at, String part, String message) implements Obstacle {}

    /// No node that the pod may use can reach the device.
    record OutOfReach() implements Obstacle {}

    /// Nothing is allocated from the pool of the device.
    record PoolUnusable(PoolId pool, String why) implements Obstacle {}

    /// The device could not serve the capacity request even if nobody else used it.
    record CapacityRefused() implements Obstacle {}

    /// The device needs something that the cluster or the node does not do.
    record Unsupported(String what) implements Obstacle {}

    record Tainted(DeviceTaint taint) implements Obstacle {}

    /// Somebody else has the device.
    record Held() implements Obstacle {}

    /// Too little is left of a counter, which is named `set/counter`.
    record CountersShort(PoolId pool, String counter) implements Obstacle {}

    /// Devices that are in use share no compatibility group with it.
    record GroupsClash(PoolId pool) implements Obstacle {}

    /// Others have taken so much of a capacity that too little is left.
    record CapacityTaken(String capacity) implements Obstacle {}

    /// A constraint compares an attribute that the device does not have.
    record MissingAttribute(String attribute) implements Obstacle {}

    /// An obstacle as one device meets it.
    ///
    /// @param seen what the device has instead, for people; may be empty
    /// @param holders claims that have what is missing
    record Encounter(Obstacle obstacle, String seen, List<ObjectRef> holders) {
        public Encounter {
            holders = List.copyOf(holders);
        }

        Encounter(Obstacle obstacle, String seen) {
            this(obstacle, seen, List.of());
        }
    }
}
