package dev.berth.core.explain;

import dev.berth.model.api.meta.ObjectRef;
import dev.berth.model.api.slice.PoolId;
import dev.berth.model.api.taint.DeviceTaint;
import java.util.List;

/// A reason why devices cannot serve a request. Devices with the same obstacle are counted
/// together; values that differ between devices are in the [Occurrence].
public sealed interface Obstacle {

    /// The request names a class that does not exist.
    public record NoSuchClass(String deviceClass) implements Obstacle {}

    /// A part of a selector that is false.
    public record Condition(SelectorLocation at, String part) implements Obstacle {}

    /// A part of a selector that fails to evaluate, which aborts the allocation in Kubernetes.
    public record Fault(SelectorLocation at, String part, String message) implements Obstacle {}

    /// The device is not accessible from any node that the pod may use.
    public record OutOfReach() implements Obstacle {}

    /// The pool of the device is incomplete or invalid.
    public record PoolUnusable(PoolId pool, String why) implements Obstacle {}

    /// The device cannot serve the capacity request even when it is unused.
    public record CapacityRefused() implements Obstacle {}

    /// The device needs a feature that the cluster or the node does not support.
    public record Unsupported(String what) implements Obstacle {}

    public record Tainted(DeviceTaint taint) implements Obstacle {}

    /// The device is allocated to another claim.
    public record Held() implements Obstacle {}

    /// The free amount of a counter is too small. The counter is named `set/counter`.
    public record CountersShort(PoolId pool, String counter) implements Obstacle {}

    /// The device shares no compatibility group with the devices in use.
    public record GroupsClash(PoolId pool) implements Obstacle {}

    /// The free amount of a consumable capacity is too small.
    public record CapacityTaken(String capacity) implements Obstacle {}

    /// A constraint compares an attribute that the device does not have.
    public record MissingAttribute(String attribute) implements Obstacle {}

    /// An obstacle of one device.
    ///
    /// @param seen the actual value of the device, as text; may be empty
    /// @param holders claims that hold the missing device, counter or capacity
    public record Occurrence(Obstacle obstacle, String seen, List<ObjectRef> holders) {
        public Occurrence {
            holders = List.copyOf(holders);
        }

        Occurrence(Obstacle obstacle, String seen) {
            this(obstacle, seen, List.of());
        }
    }
}
