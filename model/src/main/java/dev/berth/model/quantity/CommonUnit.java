package dev.berth.model.quantity;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.Optional;

/// The largest amount of which several quantities are whole multiples, so that they can be counted
/// in 64 bits without rounding: 40Gi, 10Gi and 5Gi are 8, 2 and 1 times 5Gi.
public record CommonUnit(BigDecimal unit) {

    /// The unit of nothing but zeros, so far.
    public static final CommonUnit NONE = new CommonUnit(BigDecimal.ZERO);

    /// Larger counts are refused.
    private static final BigInteger MAX_COUNT = BigInteger.ONE.shiftLeft(62);

    /// The unit that counts this quantity too.
    public CommonUnit including(Quantity quantity) {
        var amount = quantity.amount().abs();
        var scale = Math.max(0, Math.max(amount.scale(), unit.scale()));
        var divisor = atScale(amount, scale).gcd(atScale(unit, scale));
        return new CommonUnit(new BigDecimal(divisor, scale));
    }

    private static BigInteger atScale(BigDecimal amount, int scale) {
        return amount.setScale(scale).unscaledValue();
    }

    /// How many units a quantity is; empty when it is no multiple or beyond 2^62.
    public Optional<Long> count(Quantity quantity) {
        return exactCount(quantity)
                .filter(count -> count.abs().compareTo(MAX_COUNT) <= 0)
                .map(BigInteger::longValue);
    }

    /// How many units a quantity is, however many; empty when it is no multiple.
    public Optional<BigInteger> exactCount(Quantity quantity) {
        if (quantity.signum() == 0) {
            return Optional.of(BigInteger.ZERO);
        }
        if (unit.signum() == 0) {
            return Optional.empty();
        }
        var parts = quantity.amount().divideAndRemainder(unit);
        return parts[1].signum() == 0 ? Optional.of(parts[0].toBigInteger()) : Optional.empty();
    }

    /// So many units as a quantity.
    public Quantity times(long count) {
        return times(BigInteger.valueOf(count));
    }

    /// So many units as a quantity, however many.
    public Quantity times(BigInteger count) {
        return Quantity.of(unit.multiply(new BigDecimal(count)), Quantity.Notation.DECIMAL);
    }
}
