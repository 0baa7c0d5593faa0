package dev.berth.core.explain;

import dev.berth.core.explain.Obstacle.Occurrence;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/// A check that a device has to pass to serve a request, in the order of the steps of an
/// explanation.
public enum DeviceCheck {
    CLASS("class"),
    SELECTORS("selectors"),
    ACCESS("access"),
    IN_USE("inUse"),
    RESERVED("reserved"),
    TAINTS("taints"),
    COUNTERS_AND_CAPACITY("countersAndCapacity"),
    CONSTRAINTS("constraints");

    private final String text;

    DeviceCheck(String text) {
        this.text = text;
    }

    /// The name in JSON.
    public String text() {
        return text;
    }

    /// The check that an obstacle fails.
    ///
    /// @param used true when a pod uses a claim that holds the device
    public static DeviceCheck of(Obstacle obstacle, boolean used) {
        return switch (obstacle) {
            case Obstacle.NoSuchClass _ -> CLASS;
            case Obstacle.Condition(var at, _) -> at.deviceClass().isPresent() ? CLASS : SELECTORS;
            case Obstacle.Fault(var at, _, _) -> at.deviceClass().isPresent() ? CLASS : SELECTORS;
            case Obstacle.OutOfReach _, Obstacle.PoolUnusable _, Obstacle.Unsupported _ -> ACCESS;
            case Obstacle.Held _ -> used ? IN_USE : RESERVED;
            case Obstacle.Tainted _ -> TAINTS;
            case Obstacle.CapacityRefused _,
                    Obstacle.CountersShort _,
                    Obstacle.GroupsClash _,
                    Obstacle.CapacityTaken _ ->
                    COUNTERS_AND_CAPACITY;
            case Obstacle.MissingAttribute _ -> CONSTRAINTS;
        };
    }

    /// Negative when a device with the first obstacles is nearer to a fit than one with the second:
    /// fewer failed checks, then a later first failure, then fewer obstacles.
    public static int compare(List<Occurrence> one, List<Occurrence> other) {
        return NEARNESS.compare(one, other);
    }

    private static DeviceCheck firstFailed(List<Occurrence> list) {
        return failed(list).stream().min(Comparator.naturalOrder()).orElse(CONSTRAINTS);
    }

    private static final Comparator<List<Occurrence>> NEARNESS =
            Comparator.<List<Occurrence>>comparingInt(list -> failed(list).size())
                    .thenComparing(DeviceCheck::firstFailed, Comparator.reverseOrder())
                    .thenComparingInt(List::size);

    private static Set<DeviceCheck> failed(List<Occurrence> occurrences) {
        var failed = EnumSet.noneOf(DeviceCheck.class);
        occurrences.forEach(one -> failed.add(of(one.obstacle(), true)));
        return failed;
    }
}
