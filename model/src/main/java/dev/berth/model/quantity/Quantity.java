package dev.berth.model.quantity;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.RoundingMode;
import java.util.Optional;
import java.util.OptionalLong;

/// An exact amount in Kubernetes notation: `40Gi`, `500m`, `1e3`, `-0.5`.
///
/// Two quantities are equal when their amounts are equal: `1Gi` equals `1024Mi`. The notation only
/// determines how the amount is printed.
///
/// Amounts finer than a billionth are rounded away from zero when parsed, as Kubernetes does, and
/// amounts in binary notation are capped at 2^63-1. Arithmetic is exact and unbounded.
public final class Quantity implements Comparable<Quantity> {

    /// The suffixes with which an amount is written and printed.
    public enum Notation {
        /// `12M`, `500m`
        DECIMAL,
        /// `12Mi`
        BINARY,
        /// `12e6`
        EXPONENT
    }

    public static final Quantity ZERO = new Quantity(BigDecimal.ZERO, Notation.DECIMAL, true);

    static final int NANO = 9;
    private static final BigDecimal BINARY_CAP = BigDecimal.valueOf(Long.MAX_VALUE);
    private static final BigInteger LONG_MAX = BigInteger.valueOf(Long.MAX_VALUE);
    private static final BigInteger LONG_MIN = BigInteger.valueOf(Long.MIN_VALUE);

    /// A number of digits that always fits into 64 bits.
    private static final int SURE_DIGITS = 18;

    private final BigDecimal amount;
    private final Notation notation;

    /// Whether Kubernetes stores the amount as a 64-bit integer and a power of ten. Visible only in
    /// CEL, where `isInteger` depends on it.
    private final boolean plain;

    private final Optional<String> spelling;

    private Quantity(
            BigDecimal amount, Notation notation, boolean plain, Optional<String> spelling) {
        this.amount = amount;
        this.notation = notation;
        this.plain = plain;
        this.spelling = spelling;
    }

    private Quantity(BigDecimal amount, Notation notation, boolean plain) {
        this(amount, notation, plain && fitsLong(amount.unscaledValue()), Optional.empty());
    }

    public static Quantity of(long amount) {
        return new Quantity(BigDecimal.valueOf(amount), Notation.DECIMAL, true);
    }

    public static Quantity of(BigDecimal amount, Notation notation) {
        return new Quantity(amount.stripTrailingZeros(), notation, true);
    }

    /// Parses Kubernetes notation; empty when the text is not a quantity.
    public static Optional<Quantity> tryParse(String text) {
        return QuantitySyntax.parse(text) instanceof QuantitySyntax.Parsed parsed
                ? Optional.of(of(parsed))
                : Optional.empty();
    }

    /// Parses Kubernetes notation.
    ///
    /// @throws IllegalArgumentException with the message of Kubernetes when the text is not a
    ///   quantity
    public static Quantity parse(String text) {
        return switch (QuantitySyntax.parse(text)) {
            case QuantitySyntax.Parsed parsed -> of(parsed);
            case QuantitySyntax.Malformed(var reason) -> throw new IllegalArgumentException(reason);
        };
    }

    private static Quantity of(QuantitySyntax.Parsed parsed) {
        return parsed.plain()
                ? new Quantity(parsed.amount(), parsed.notation(), true, parsed.spelling())
                : rounded(parsed.amount(), parsed.notation());
    }

    private static Quantity rounded(BigDecimal exact, Notation notation) {
        var amount = exact.scale() > NANO ? exact.setScale(NANO, RoundingMode.UP) : exact;
        if (notation != Notation.BINARY) {
            return new Quantity(amount, notation, false);
        }
        if (amount.abs().compareTo(BINARY_CAP) > 0) {
            amount = amount.signum() < 0 ? BINARY_CAP.negate() : BINARY_CAP;
        }
        // 0.5Ki is whole, 0.0001Ki is not: fractions read better as 103m than as part of a byte.
        var tiny = amount.signum() != 0 && amount.abs().compareTo(BigDecimal.ONE) < 0;
        return new Quantity(amount, tiny ? Notation.DECIMAL : Notation.BINARY, false);
    }

    public BigDecimal amount() {
        return amount;
    }

    public Notation notation() {
        return notation;
    }

    public int signum() {
        return amount.signum();
    }

    public boolean isInteger() {
        return amount.signum() == 0 || amount.stripTrailingZeros().scale() <= 0;
    }

    /// The amount as a 64-bit integer; empty when it has a fraction or does not fit.
    public OptionalLong asLong() {
        if (!isInteger()) {
            return OptionalLong.empty();
        }
        var whole = amount.toBigInteger();
        return fitsLong(whole) ? OptionalLong.of(whole.longValue()) : OptionalLong.empty();
    }

    /// The amount as a 64-bit integer where Kubernetes has a direct conversion: not for fractions
    /// (`1000m`, `1.0`) and large numbers (`1Pi`), even if the value is an integer.
    public OptionalLong asPlainLong() {
        return plain && amount.scale() <= 0 ? asLong() : OptionalLong.empty();
    }

    /// The amount rounded up to an integer and clamped to 64 bits, as Kubernetes does where it does
    /// not support fractions.
    public long roundedUp() {
        return clamp(amount.setScale(0, RoundingMode.CEILING).toBigInteger());
    }

    /// The amount times 1,000, rounded up and clamped to 64 bits.
    public long milliRoundedUp() {
        var milli = amount.movePointRight(3);
        return milli.scale() == 0 && milli.precision() <= SURE_DIGITS
                ? milli.longValue()
                : clamp(milli.setScale(0, RoundingMode.CEILING).toBigInteger());
    }

    private static boolean fitsLong(BigInteger whole) {
        return whole.bitLength() < Long.SIZE;
    }

    private static long clamp(BigInteger value) {
        return value.min(LONG_MAX).max(LONG_MIN).longValue();
    }

    /// The digits as a double, times a power of ten: with the same rounding errors as Kubernetes.
    public double asApproximateDouble() {
        var digits = amount.unscaledValue().doubleValue();
        return amount.scale() == 0 ? digits : digits * Double.parseDouble("1e" + -amount.scale());
    }

    /// The sum, in the notation of the first operand unless that is zero.
    public Quantity plus(Quantity other) {
        if (other.signum() == 0 && plain) {
            return new Quantity(amount, joint(other), other.plain);
        }
        if (signum() == 0 && plain) {
            return new Quantity(other.amount, joint(other), other.plain);
        }
        return new Quantity(amount.add(other.amount), joint(other), plain && other.plain);
    }

    /// The difference, in the notation of the first operand unless that is zero.
    public Quantity minus(Quantity other) {
        return plus(other.negate());
    }

    /// The product with a whole number.
    public Quantity times(long factor) {
        return new Quantity(amount.multiply(BigDecimal.valueOf(factor)), notation, plain);
    }

    public Quantity negate() {
        return new Quantity(amount.negate(), notation, plain);
    }

    private Notation joint(Quantity other) {
        return amount.signum() == 0 ? other.notation : notation;
    }

    @Override
    public int compareTo(Quantity other) {
        return amount.compareTo(other.amount);
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Quantity that && amount.compareTo(that.amount) == 0;
    }

    @Override
    public int hashCode() {
        return amount.signum() == 0 ? 0 : amount.stripTrailingZeros().hashCode();
    }

    /// The canonical form: no fraction, the largest suffix that allows it. A parsed text close to
    /// it is kept: `+5` and `1.500` are unchanged, `1.5` becomes `1500m`.
    @Override
    public String toString() {
        return spelling.orElseGet(() -> QuantitySyntax.canonical(amount, notation));
    }
}
