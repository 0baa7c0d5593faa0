package dev.berth.core.cel.value;

import dev.berth.core.cel.library.CelBytes;
import dev.berth.core.cel.library.CelError;
import dev.berth.core.cel.library.UInt;
import java.math.BigInteger;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;

/// `+ - * / %` and negation. Overflows and mixed types are errors; types are not converted.
public final class Arithmetic {

    private static final CelError INT_OVERFLOW = new CelError("integer overflow");
    private static final CelError UINT_OVERFLOW = new CelError("unsigned integer overflow");
    private static final CelError DIVISION_BY_ZERO = new CelError("division by zero");
    private static final CelError MODULUS_BY_ZERO = new CelError("modulus by zero");

    private Arithmetic() {}

    public static Object add(Object a, Object b) {
        return switch (a) {
            case Long x when b instanceof Long y -> addInts(x, y);
            case UInt x when b instanceof UInt y -> addUInts(x.bits(), y.bits());
            case Double x when b instanceof Double y -> x + y;
            case String x when b instanceof String y -> x.concat(y);
            case CelBytes x when b instanceof CelBytes y -> x.plus(y);
            case List<?> x when b instanceof List<?> y -> GrowableLists.concat(x, y);
            case Duration x when b instanceof Duration y -> CelTimes.checked(x.plus(y));
            case Duration x when b instanceof Instant y -> shifted(y, x);
            case Instant x when b instanceof Duration y -> shifted(x, y);
            case Long _, UInt _, Double _, String _, CelBytes _, List<?> _, Duration _, Instant _ ->
                    CelError.noSuchOverload();
            default -> noSuch("_+_");
        };
    }

    public static Object subtract(Object a, Object b) {
        return switch (a) {
            case Long x when b instanceof Long y -> subtractInts(x, y);
            case UInt x when b instanceof UInt y ->
                    x.compareTo(y) < 0 ? UINT_OVERFLOW : new UInt(x.bits() - y.bits());
            case Double x when b instanceof Double y -> x - y;
            case Duration x when b instanceof Duration y -> CelTimes.checked(x.minus(y));
            case Instant x when b instanceof Duration y -> shifted(x, y.negated());
            case Instant x when b instanceof Instant y -> CelTimes.checked(Duration.between(y, x));
            case Long _, UInt _, Double _, Duration _, Instant _ -> CelError.noSuchOverload();
            default -> noSuch("_-_");
        };
    }

    public static Object multiply(Object a, Object b) {
        return switch (a) {
            case Long x when b instanceof Long y -> multiplyInts(x, y);
            case UInt x when b instanceof UInt y -> multiplyUInts(x.bits(), y.bits());
            case Double x when b instanceof Double y -> x * y;
            case Long _, UInt _, Double _ -> CelError.noSuchOverload();
            default -> noSuch("_*_");
        };
    }

    public static Object divide(Object a, Object b) {
        return switch (a) {
            case Long x when b instanceof Long y -> divideInts(x, y);
            case UInt x when b instanceof UInt y ->
                    y.bits() == 0
                            ? DIVISION_BY_ZERO
                            : new UInt(Long.divideUnsigned(x.bits(), y.bits()));
            case Double x when b instanceof Double y -> x / y;
            case Long _, UInt _, Double _ -> CelError.noSuchOverload();
            default -> noSuch("_/_");
        };
    }

    public static Object modulo(Object a, Object b) {
        return switch (a) {
            case Long x when b instanceof Long y -> moduloInts(x, y);
            case UInt x when b instanceof UInt y ->
                    y.bits() == 0
                            ? MODULUS_BY_ZERO
                            : new UInt(Long.remainderUnsigned(x.bits(), y.bits()));
            case Long _, UInt _ -> CelError.noSuchOverload();
            default -> noSuch("_%_");
        };
    }

    public static Object negate(Object a) {
        return switch (a) {
            case Long x -> x == Long.MIN_VALUE ? INT_OVERFLOW : (Object) (-x);
            case Double x -> -x;
            case Duration x -> CelTimes.checked(x.negated());
            case Boolean x -> !x;
            default -> noSuch("-_");
        };
    }

    public static Object not(Object a) {
        return switch (a) {
            case Boolean flag -> !flag;
            case Long _, Double _, Duration _ -> negate(a);
            default -> noSuch("!_");
        };
    }

    public static CelError noSuch(String function) {
        return new CelError("no such overload: " + function);
    }

    private static Object addInts(long x, long y) {
        var sum = x + y;
        return ((x ^ sum) & (y ^ sum)) < 0 ? INT_OVERFLOW : (Object) sum;
    }

    private static Object subtractInts(long x, long y) {
        var difference = x - y;
        return ((x ^ y) & (x ^ difference)) < 0 ? INT_OVERFLOW : (Object) difference;
    }

    private static Object multiplyInts(long x, long y) {
        return Math.multiplyHigh(x, y) == (x * y) >> 63 ? (Object) (x * y) : INT_OVERFLOW;
    }

    private static Object divideInts(long x, long y) {
        if (y == 0) {
            return DIVISION_BY_ZERO;
        }
        return x == Long.MIN_VALUE && y == -1 ? INT_OVERFLOW : (Object) (x / y);
    }

    private static Object moduloInts(long x, long y) {
        if (y == 0) {
            return MODULUS_BY_ZERO;
        }
        return x == Long.MIN_VALUE && y == -1 ? INT_OVERFLOW : (Object) (x % y);
    }

    private static Object addUInts(long x, long y) {
        return Long.compareUnsigned(x + y, x) < 0 ? UINT_OVERFLOW : new UInt(x + y);
    }

    private static Object multiplyUInts(long x, long y) {
        var product =
                new BigInteger(Long.toUnsignedString(x))
                        .multiply(new BigInteger(Long.toUnsignedString(y)));
        return product.bitLength() > Long.SIZE ? UINT_OVERFLOW : new UInt(product.longValue());
    }

    private static Object shifted(Instant instant, Duration by) {
        try {
            return CelTimes.checked(instant.plus(by));
        } catch (DateTimeException | ArithmeticException e) {
            return CelTimes.TIMESTAMP_OVERFLOW;
        }
    }
}
