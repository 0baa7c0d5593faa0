package dev.berth.core.cel;

import dev.berth.core.cel.cost.InputSizes;
import dev.berth.core.cel.cost.SizeRange;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// Maximum sizes of the parts of a device, by the limits of the API; input of the cost estimate.
final class DeviceSizes implements InputSizes {

    private static final int MAX_DRIVER_LENGTH = 63;
    private static final int MAX_DOMAIN_LENGTH = 63;
    private static final int MAX_ID_LENGTH = 32;
    private static final int MAX_ENTRIES = 32;

    /// Maximum length of a string. No list attribute has more elements than that either.
    private static final int MAX_ATTRIBUTE_SIZE = 64;

    /// Kind of value at a path.
    private sealed interface Shape {
        long maxSize();

        record Leaf(long maxSize) implements Shape {}

        record Entries(Shape keys, Shape values) implements Shape {
            @Override
            public long maxSize() {
                return MAX_ENTRIES;
            }
        }

        /// Objects have no size.
        record Fields(Map<String, Shape> byName) implements Shape {
            @Override
            public long maxSize() {
                return 0;
            }
        }
    }

    private static final Shape ATTRIBUTE = new Shape.Leaf(MAX_ATTRIBUTE_SIZE);
    private static final Shape QUANTITY = new Shape.Leaf(0);
    private static final Shape DEVICE =
            new Shape.Fields(
                    Map.of(
                            DeviceType.DRIVER,
                            new Shape.Leaf(MAX_DRIVER_LENGTH),
                            DeviceType.ATTRIBUTES,
                            twoLevels(ATTRIBUTE),
                            DeviceType.CAPACITY,
                            twoLevels(QUANTITY),
                            DeviceType.MULTIPLE_ALLOCATIONS,
                            new Shape.Leaf(1)));

    private static Shape twoLevels(Shape value) {
        var byId = new Shape.Entries(new Shape.Leaf(MAX_ID_LENGTH), value);
        return new Shape.Entries(new Shape.Leaf(MAX_DOMAIN_LENGTH), byId);
    }

    @Override
    public Optional<SizeRange> of(List<String> path) {
        if (path.isEmpty() || !path.getFirst().equals(DeviceType.VARIABLE)) {
            return Optional.empty();
        }
        var shape = Optional.of(DEVICE);
        for (var step : path.subList(1, path.size())) {
            shape = shape.flatMap(parent -> child(parent, step));
        }
        return shape.map(found -> new SizeRange(0, found.maxSize()));
    }

    private static Optional<Shape> child(Shape parent, String step) {
        return switch (parent) {
            case Shape.Leaf _ -> Optional.empty();
            case Shape.Fields(var byName) -> Optional.ofNullable(byName.get(step));
            case Shape.Entries(var keys, var values) ->
                    switch (step) {
                        case "@items", "@values" -> Optional.of(values);
                        case "@keys" -> Optional.of(keys);
                        // Upstream recognizes the field syntax `map.key` for attributes only, so a
                        // capacity in that syntax has no known size.
                        default ->
                                values.equals(ATTRIBUTE) ? Optional.of(values) : Optional.empty();
                    };
        };
    }
}
