package dev.berth.core.cel.library;

import dev.berth.core.cel.cost.ArgumentEstimate;
import dev.berth.core.cel.cost.CallEstimate;
import dev.berth.core.cel.cost.CostRange;
import dev.berth.core.cel.cost.SizeRange;
import java.util.List;
import java.util.Map;

/// Shared cost rules of library functions: estimates before and charges after a call.
final class CallCharges {

    static final double STRING_TRAVERSAL = 0.1;
    static final double REGEX_LENGTH = 0.25;

    private static final SizeRange ONE_CHARACTER = SizeRange.exactly(1);

    private CallCharges() {}

    /// One pass over the string in the first argument.
    static long traversal(Object[] arguments) {
        return scaled(CelValues.sizeOf(arguments[0]), STRING_TRAVERSAL);
    }

    /// Two passes: one to read, one to build the result.
    static long twoTraversals(Object[] arguments) {
        return scaled(CelValues.sizeOf(arguments[0]), 2 * STRING_TRAVERSAL);
    }

    static long scaled(long size, double factor) {
        return (long) Math.ceil(size * factor);
    }

    static CallEstimate traversal(List<ArgumentEstimate> arguments) {
        return CallEstimate.of(arguments.getFirst().size().times(STRING_TRAVERSAL));
    }

    /// Length of the string plus one, so that a regular expression is not free on an empty string.
    static CostRange regex(SizeRange text, SizeRange pattern) {
        return text.plus(ONE_CHARACTER).times(STRING_TRAVERSAL).times(pattern.times(REGEX_LENGTH));
    }

    static long regex(long textSize, long patternSize) {
        return scaled(textSize + 1, STRING_TRAVERSAL) * scaled(patternSize, REGEX_LENGTH);
    }

    /// Traversal of a whole value: 0.1 per character of each string, rounded down, and 1 for each
    /// other leaf.
    static long walk(Object value) {
        return switch (value) {
            case String text -> (long) (utf8Length(text) * STRING_TRAVERSAL);
            case CelBytes bytes -> (long) (bytes.size() * STRING_TRAVERSAL);
            case List<?> list -> {
                var sum = 0L;
                for (Object element : list) {
                    sum += walk(element);
                }
                yield sum;
            }
            case Map<?, ?> map -> {
                var sum = 0L;
                for (var entry : map.entrySet()) {
                    sum += walk(entry.getKey()) + walk(entry.getValue());
                }
                yield sum;
            }
            default -> 1;
        };
    }

    private static long utf8Length(String text) {
        var length = 0L;
        for (var i = 0; i < text.length(); i++) {
            var c = text.charAt(i);
            // A surrogate is half of a code point that takes four bytes.
            length += c < 0x80 ? 1 : c < 0x800 || Character.isSurrogate(c) ? 2 : 3;
        }
        return length;
    }
}
