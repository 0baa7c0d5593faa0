package dev.berth.model.json;

import java.math.BigDecimal;
import java.util.Optional;
import java.util.OptionalLong;

/// A number, kept as it was spelled so that nothing is rounded on the way through.
///
/// The literal is only interpreted when somebody asks, which keeps `1e999999999` harmless.
public record JsonNumber(String literal) implements Json {

    /// Longer literals or exponents are refused by [#decimal] rather than expanded.
    private static final int MAX_DECIMAL_EXPONENT = 1000;

    /// The value as a 64-bit integer; empty when it has a fraction, an exponent or does not fit.
    public OptionalLong asLong() {
        try {
            return OptionalLong.of(Long.parseLong(literal));
        } catch (NumberFormatException e) {
            return OptionalLong.empty();
        }
    }

    /// The value as a decimal, or empty when its exponent is beyond all reason.
    public Optional<BigDecimal> decimal() {
        var exponent = Math.max(literal.indexOf('e'), literal.indexOf('E'));
        if (literal.length() > MAX_DECIMAL_EXPONENT
                || (exponent >= 0 && literal.length() - exponent > "e+1000".length())) {
            return Optional.empty();
        }
        var value = new BigDecimal(literal);
        return Math.abs((long) value.scale()) > MAX_DECIMAL_EXPONENT
                ? Optional.empty()
                : Optional.of(value);
    }
}
