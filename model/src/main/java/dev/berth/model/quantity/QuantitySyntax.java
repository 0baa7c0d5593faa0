package dev.berth.model.quantity;

import dev.berth.model.quantity.Quantity.Notation;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.RoundingMode;
import java.util.Optional;
import java.util.function.UnaryOperator;

/// Syntax of quantities: the grammar of Kubernetes, and the canonical form.
///
/// `sign? digits? ("." digits?)? suffix`, where the suffix is a decimal one (n u m k M G T P E), a
/// binary one (Ki Mi Gi Ti Pi Ei) or an exponent (`e3`, `E-2`).
///
/// As in Kubernetes there are two parsers, and they differ: short numbers become a 64-bit integer
/// and a power of ten, and may have no digits at all (`-`, `.` and `Mi` are 0); others become a
/// number of any size, and must have a digit.
final class QuantitySyntax {

    /// Result of parsing.
    sealed interface Reading {}

    /// @param plain true when the amount is a 64-bit integer times a power of ten, which the scale
    ///   of `amount` tells; false when it took more than that to read it
    /// @param spelling the printed form when the text is close to canonical and kept
    record Parsed(BigDecimal amount, Notation notation, boolean plain, Optional<String> spelling)
            implements Reading {}

    record Malformed(String reason) implements Reading {}

    private static final String GRAMMAR =
            "quantities must match the regular expression "
                    + "'^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'";
    private static final String BAD_SUFFIX = "unable to parse quantity's suffix";
    private static final String BAD_NUMBER = "unable to parse numeric part of quantity";

    private static final String SUFFIX_LETTERS = "eEinumkKMGTP";
    private static final String[] DECIMAL_SUFFIXES = {
        "n", "u", "m", "", "k", "M", "G", "T", "P", "E"
    };
    private static final String[] BINARY_SUFFIXES = {"", "Ki", "Mi", "Gi", "Ti", "Pi", "Ei"};
    private static final int LARGEST_DECIMAL_EXPONENT = 18;
    private static final BigInteger KIBI = BigInteger.valueOf(1024);

    /// Below this, binary notation has no suffix to offer, and decimal notation is used.
    private static final BigDecimal SMALLEST_BINARY = BigDecimal.valueOf(1024);

    /// Larger exponents and amounts are rejected: they are never meant, and printing them would
    /// cost more than the rest of the object.
    private static final int MAX_EXPONENT = 1000;

    private static final int MAX_WHOLE_DIGITS = 1000;

    /// Maximum length of a printed quantity: a sign, and nine more digits for suffix `n`.
    private static final int MAX_LENGTH = MAX_WHOLE_DIGITS + 1 + Quantity.NANO;

    /// Numbers up to this many digits are parsed as 64-bit integers.
    private static final int MAX_PLAIN_DIGITS = 18;

    private static final int MAX_BINARY_DIGITS = 15;

    private QuantitySyntax() {}

    static Reading parse(String text) {
        if (text.isEmpty()) {
            return new Malformed(GRAMMAR);
        }
        var numberEnd = endOfNumber(text);
        var suffix = text.substring(numberEnd);
        if (!isSuffixShaped(suffix)) {
            return new Malformed(GRAMMAR);
        }
        return bounded(read(text, text.substring(0, numberEnd), suffix));
    }

    private static Reading bounded(Reading reading) {
        return reading instanceof Parsed(var amount, _, _, _)
                        && amount.signum() != 0
                        && amount.precision() - amount.scale() > MAX_WHOLE_DIGITS
                ? new Malformed(BAD_NUMBER)
                : reading;
    }

    private static int endOfNumber(String text) {
        var at = 0;
        if (text.charAt(0) == '+' || text.charAt(0) == '-') {
            at++;
        }
        at = skipDigits(text, at);
        if (at < text.length() && text.charAt(at) == '.') {
            at = skipDigits(text, at + 1);
        }
        return at;
    }

    private static boolean isSuffixShaped(String suffix) {
        var at = 0;
        while (at < suffix.length() && SUFFIX_LETTERS.indexOf(suffix.charAt(at)) >= 0) {
            at++;
        }
        if (at < suffix.length() && (suffix.charAt(at) == '+' || suffix.charAt(at) == '-')) {
            at++;
        }
        return skipDigits(suffix, at) == suffix.length();
    }

    private static int skipDigits(String text, int from) {
        var at = from;
        while (at < text.length() && isDigit(text.charAt(at))) {
            at++;
        }
        return at;
    }

    private static boolean isDigit(char c) {
        return c >= '0' && c <= '9';
    }

    private static Reading read(String text, String number, String suffix) {
        for (var i = 0; i < DECIMAL_SUFFIXES.length; i++) {
            if (DECIMAL_SUFFIXES[i].equals(suffix)) {
                return decimal(text, number, 3 * i - Quantity.NANO, Notation.DECIMAL);
            }
        }
        for (var i = 1; i < BINARY_SUFFIXES.length; i++) {
            if (BINARY_SUFFIXES[i].equals(suffix)) {
                return binary(text, number, i);
            }
        }
        if (suffix.length() < 2 || Character.toLowerCase(suffix.charAt(0)) != 'e') {
            return new Malformed(BAD_SUFFIX);
        }
        try {
            var exponent = Integer.parseInt(suffix.substring(1));
            return Math.abs((long) exponent) > MAX_EXPONENT
                    ? new Malformed(BAD_SUFFIX)
                    : decimal(text, number, exponent, Notation.EXPONENT);
        } catch (NumberFormatException e) {
            return new Malformed(BAD_SUFFIX);
        }
    }

    private static Reading decimal(String text, String number, int exponent, Notation notation) {
        var point = number.indexOf('.');
        var whole = digitsOfWhole(point < 0 ? number : number.substring(0, point));
        var fraction = point < 0 ? "" : number.substring(point + 1);
        var digits = whole + fraction;
        var scale = exponent - fraction.length();
        if (digits.length() > MAX_PLAIN_DIGITS || scale < -Quantity.NANO) {
            return large(number, big -> big.scaleByPowerOfTen(exponent), notation);
        }
        var value = Long.parseLong(digits);
        var kept = scale % 3 == 0 && !digits.endsWith("000") && digits.charAt(0) != '0';
        return new Parsed(
                BigDecimal.valueOf(number.startsWith("-") ? -value : value, -scale),
                notation,
                true,
                kept ? Optional.of(text) : Optional.empty());
    }

    private static Reading binary(String text, String number, int step) {
        var factor = KIBI.pow(step);
        var point = number.indexOf('.');
        var whole = digitsOfWhole(point < 0 ? number : number.substring(0, point));
        // 2^10 takes three digits: what is left of fifteen may be spent on the number itself.
        var room = MAX_BINARY_DIGITS - whole.length() - 3 * step - 1;
        if (room < 0 || (point >= 0 && point < number.length() - 1)) {
            return large(number, big -> big.multiply(new BigDecimal(factor)), Notation.BINARY);
        }
        var value = Long.parseLong(whole);
        var amount = factor.multiply(BigInteger.valueOf(number.startsWith("-") ? -value : value));
        return new Parsed(
                new BigDecimal(amount),
                Notation.BINARY,
                true,
                value % 8 != 0 ? Optional.of(text) : Optional.empty());
    }

    /// The digits before the point without sign and leading zeros; at least one.
    private static String digitsOfWhole(String number) {
        var at = number.startsWith("+") || number.startsWith("-") ? 1 : 0;
        while (at < number.length() && number.charAt(at) == '0') {
            at++;
        }
        return at == number.length() ? "0" : number.substring(at);
    }

    private static Reading large(
            String number, UnaryOperator<BigDecimal> scaling, Notation notation) {
        if (number.length() > MAX_LENGTH || number.chars().noneMatch(c -> isDigit((char) c))) {
            return new Malformed(BAD_NUMBER);
        }
        return new Parsed(scaling.apply(new BigDecimal(number)), notation, false, Optional.empty());
    }

    static String canonical(BigDecimal amount, Notation notation) {
        if (amount.signum() == 0) {
            return "0";
        }
        var whole = amount.stripTrailingZeros();
        if (notation == Notation.BINARY
                && whole.scale() <= 0
                && whole.abs().compareTo(SMALLEST_BINARY) >= 0) {
            return binary(whole.toBigInteger());
        }
        return decimal(whole, notation == Notation.EXPONENT);
    }

    private static String binary(BigInteger value) {
        var mantissa = value;
        var step = 0;
        while (step < BINARY_SUFFIXES.length - 1 && mantissa.mod(KIBI).signum() == 0) {
            mantissa = mantissa.divide(KIBI);
            step++;
        }
        return mantissa + BINARY_SUFFIXES[step];
    }

    /// Shifts by thousands so that no fraction is left and the suffix is as large as possible.
    private static String decimal(BigDecimal stripped, boolean asExponent) {
        var exponent = Math.floorDiv(-stripped.scale(), 3) * 3;
        if (exponent < -Quantity.NANO) {
            exponent = -Quantity.NANO;
        }
        if (!asExponent && exponent > LARGEST_DECIMAL_EXPONENT) {
            exponent = LARGEST_DECIMAL_EXPONENT;
        }
        var mantissa =
                stripped.scaleByPowerOfTen(-exponent)
                        .setScale(0, RoundingMode.UP)
                        .toBigIntegerExact();
        if (asExponent) {
            return exponent == 0 ? mantissa.toString() : mantissa + "e" + exponent;
        }
        return mantissa + DECIMAL_SUFFIXES[(exponent + Quantity.NANO) / 3];
    }
}
