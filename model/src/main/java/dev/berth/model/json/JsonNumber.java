package dev.berth.model.json;

import java.math.BigDecimal;
import java.util.Optional;
import java.util.OptionalLong;

/// A number, kept as its literal so that nothing is rounded.
///
/// The literal is parsed on demand, which keeps `1e999999999` harmless.
public record JsonNumber(String literal) implements Json {

    /// [#decimal] rejects longer literals and exponents instead of expanding them.
    private static final int MAX_DECIMAL_EXPONENT = 1000;

    /// The value as a 64-bit integer; empty when it has a fraction, an exponent or does not fit.
    public OptionalLong asLong() {
        try {
            return OptionalLong.of(Long.parseLong(literal));
        } catch (NumberFormatException e) {
            return OptionalLong.empty();
        }
    }

    /// The value as a decimal; empty when its exponent exceeds the limit.
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
