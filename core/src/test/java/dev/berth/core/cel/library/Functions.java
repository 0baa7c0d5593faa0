package dev.berth.core.cel.library;

import dev.berth.core.cel.cost.ArgumentEstimate;
import dev.berth.core.cel.cost.CallEstimate;
import dev.berth.core.cel.cost.SizeRange;
import dev.cel.common.types.CelType;
import dev.cel.common.types.SimpleType;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/// Calls functions by their overload ids.
final class Functions {

    private Functions() {}

    static Overload overload(String id) {
        return Arrays.stream(Libraries.values())
                .flatMap(library -> library.overloads().stream())
                .filter(overload -> overload.id().equals(id))
                .findFirst()
                .orElseThrow(() -> new AssertionError("no overload " + id));
    }

    static Object call(String id, Object... arguments) {
        return overload(id).call().apply(arguments);
    }

    static CelError failure(String message) {
        return new CelError(message);
    }

    static long charge(String id, Object... arguments) {
        var overload = overload(id);
        return overload.charge().of(arguments, overload.call().apply(arguments));
    }

    static CallEstimate estimate(String id, ArgumentEstimate... arguments) {
        return overload(id).estimate().of(List.of(arguments));
    }

    static ArgumentEstimate text(long size) {
        return new ArgumentEstimate(
                SimpleType.STRING, SizeRange.exactly(size), SizeRange.UNBOUNDED, Optional.empty());
    }

    static ArgumentEstimate dynamic(long maxSize) {
        return new ArgumentEstimate(
                SimpleType.DYN, new SizeRange(0, maxSize), SizeRange.UNBOUNDED, Optional.empty());
    }

    static ArgumentEstimate list(CelType element, long size, SizeRange elementSize) {
        return new ArgumentEstimate(
                CelTypes.listOf(element), SizeRange.exactly(size), elementSize, Optional.empty());
    }

    static ArgumentEstimate constant(long value) {
        return new ArgumentEstimate(
                SimpleType.INT, SizeRange.exactly(1), SizeRange.UNBOUNDED, Optional.of(value));
    }

    static ArgumentEstimate number() {
        return new ArgumentEstimate(
                SimpleType.INT, SizeRange.exactly(1), SizeRange.UNBOUNDED, Optional.empty());
    }
}
