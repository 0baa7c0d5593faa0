package dev.berth.model.quantity;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.Optional;

/// The largest amount of which several quantities are whole multiples, so that they can be counted
/// in 64 bits without rounding: 40Gi, 10Gi and 5Gi are 8, 2 and 1 times 5Gi.
public record CommonUnit(BigDecimal unit) {

    /// The initial unit, of zeros only.
    public static final CommonUnit NONE = new CommonUnit(BigDecimal.ZERO);

    /// Larger counts are rejected.
    private static final BigInteger MAX_COUNT = BigInteger.ONE.shiftLeft(62);

    /// The common unit including this quantity.
    public CommonUnit including(Quantity quantity) {
        var amount = quantity.amount().abs();
        var scale = Math.max(0, Math.max(amount.scale(), unit.scale()));
        var divisor = atScale(amount, scale).gcd(atScale(unit, scale));
        return new CommonUnit(new BigDecimal(divisor, scale));
    }

    private static BigInteger atScale(BigDecimal amount, int scale) {
        return amount.setScale(scale).unscaledValue();
    }

    /// A quantity in units; empty when it is no multiple or exceeds 2^62.
    public Optional<Long> count(Quantity quantity) {
        return exactCount(quantity)
                .filter(count -> count.abs().compareTo(MAX_COUNT) <= 0)
                .map(BigInteger::longValue);
    }

    /// A quantity in units of any size; empty when it is no multiple.
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

    /// A number of units as a quantity.
    public Quantity times(long count) {
        return times(BigInteger.valueOf(count));
    }

    /// A number of units of any size as a quantity.
    public Quantity times(BigInteger count) {
        return Quantity.of(unit.multiply(new BigDecimal(count)), Quantity.Notation.DECIMAL);
    }
}
