package dev.berth.core.cel.library;

import dev.berth.core.cel.cost.Argument;
import dev.berth.core.cel.cost.CallEstimate;
import dev.berth.core.cel.cost.Size;
import dev.cel.common.types.CelType;
import dev.cel.common.types.SimpleType;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/// Calls functions by the ids of their overloads.
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

    static Failure failure(String message) {
        return new Failure(message);
    }

    static long charge(String id, Object... arguments) {
        var overload = overload(id);
        return overload.charge().of(arguments, overload.call().apply(arguments));
    }

    static CallEstimate estimate(String id, Argument... arguments) {
        return overload(id).estimate().of(List.of(arguments));
    }

    static Argument text(long size) {
        return new Argument(
                SimpleType.STRING, Size.exactly(size), Size.UNBOUNDED, Optional.empty());
    }

    static Argument dynamic(long maxSize) {
        return new Argument(SimpleType.DYN, new Size(0, maxSize), Size.UNBOUNDED, Optional.empty());
    }

    static Argument list(CelType element, long size, Size elementSize) {
        return new Argument(
                Types.listOf(element), Size.exactly(size), elementSize, Optional.empty());
    }

    static Argument constant(long value) {
        return new Argument(SimpleType.INT, Size.exactly(1), Size.UNBOUNDED, Optional.of(value));
    }

    static Argument number() {
        return new Argument(SimpleType.INT, Size.exactly(1), Size.UNBOUNDED, Optional.empty());
    }
}
