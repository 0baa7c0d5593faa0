package dev.berth.core.allocate.state;

import dev.berth.model.api.slice.AttributeValue;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;

/// Numbers the attribute values that one constraint compares.
///
/// A scalar is a set of one value, a list the set of its elements. Values of different types have
/// different numbers, so that they never match. Where lists are not allowed, a list is a set
/// without values: a device with it satisfies a constraint only if no other device is bound by it.
public final class ConstraintValues {

    /// The device has no such attribute, so the constraint rejects it.
    public static final int[] ABSENT = new int[0];

    /// The device has a value that equals no other.
    static final int[] INCOMPARABLE = new int[0];

    /// A derived attribute failed; the search fails when it reaches the device.
    public static final int[] FAULTY = new int[0];

    private final boolean lists;
    private final Map<AttributeValue, Integer> numbers = new HashMap<>();
    private int numberedBefore;

    public ConstraintValues(boolean lists) {
        this.lists = lists;
    }

    /// The three empty sets are distinguished by identity.
    @SuppressWarnings("ReferenceEquality")
    public static boolean isAbsent(int[] values) {
        return values == ABSENT;
    }

    @SuppressWarnings("ReferenceEquality")
    public static boolean isIncomparable(int[] values) {
        return values == INCOMPARABLE;
    }

    @SuppressWarnings("ReferenceEquality")
    static boolean isFaulty(int[] values) {
        return values == FAULTY;
    }

    public boolean lists() {
        return lists;
    }

    /// The number of values.
    public int size() {
        return numberedBefore + numbers.size();
    }

    /// Adopts the size of a cached numbering; no values are numbered here then.
    public void count(ValueNumbering.Numbering numbering) {
        numberedBefore = numbering.size();
    }

    public int[] numbers(AttributeValue value) {
        return switch (value) {
            case AttributeValue.IntValue one -> numbers(List.of(one));
            case AttributeValue.BoolValue one -> numbers(List.of(one));
            case AttributeValue.StringValue one -> numbers(List.of(one));
            case AttributeValue.VersionValue one -> numbers(List.of(one));
            case AttributeValue.IntList(var values) ->
                    list(values.stream().map(AttributeValue.IntValue::new).toList());
            case AttributeValue.BoolList(var values) ->
                    list(values.stream().map(AttributeValue.BoolValue::new).toList());
            case AttributeValue.StringList(var values) ->
                    list(values.stream().map(AttributeValue.StringValue::new).toList());
            case AttributeValue.VersionList(var values) ->
                    list(values.stream().map(AttributeValue.VersionValue::new).toList());
            case AttributeValue.Unrecognised _ -> lists ? ABSENT : INCOMPARABLE;
        };
    }

    private int[] list(List<? extends AttributeValue> values) {
        if (!lists) {
            return INCOMPARABLE;
        }
        return values.isEmpty() ? ABSENT : numbers(values);
    }

    private int[] numbers(List<? extends AttributeValue> values) {
        var found = new LinkedHashSet<Integer>();
        for (var value : values) {
            found.add(numbers.computeIfAbsent(value, _ -> numbers.size()));
        }
        return found.stream().mapToInt(Integer::intValue).toArray();
    }
}
