package dev.berth.model.json;

import dev.berth.model.json.Json.JsonBool;
import dev.berth.model.json.Json.JsonNull;
import dev.berth.model.json.Json.JsonString;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;

/// Resolves plain YAML scalars. Kubernetes uses YAML 1.1: `yes` is true and `0755` is 493.
final class YamlScalars {

    private static final Set<String> NULLS = Set.of("", "~", "null", "Null", "NULL");
    private static final Set<String> TRUES =
            Set.of("y", "Y", "yes", "Yes", "YES", "true", "True", "TRUE", "on", "On", "ON");
    private static final Set<String> FALSES =
            Set.of("n", "N", "no", "No", "NO", "false", "False", "FALSE", "off", "Off", "OFF");
    private static final Pattern INTEGER =
            Pattern.compile(
                    "([-+]?)(0[xX]_*[0-9a-fA-F][0-9a-fA-F_]*|0[bB]_*[01][01_]*"
                            + "|0[oO]_*[0-7][0-7_]*|[0-9][0-9_]*)");
    private static final Pattern OCTAL = Pattern.compile("0[0-7]+");
    private static final Pattern FLOAT =
            Pattern.compile("[-+]?(\\.[0-9]+|[0-9]+(\\.[0-9]*)?)([eE][-+]?[0-9]{1,4})?");
    private static final Pattern NOT_FINITE =
            Pattern.compile("[-+]?\\.(inf|Inf|INF)|\\.(nan|NaN|NAN)");
    private static final int MAX_DIGITS = 1000;

    private YamlScalars() {}

    /// The value of an unquoted scalar; empty for infinities and not-a-number, which JSON lacks.
    static Optional<Json> resolve(String plain) {
        if (NULLS.contains(plain)) {
            return Optional.of(JsonNull.INSTANCE);
        }
        if (TRUES.contains(plain)) {
            return Optional.of(new JsonBool(true));
        }
        if (FALSES.contains(plain)) {
            return Optional.of(new JsonBool(false));
        }
        if (NOT_FINITE.matcher(plain).matches()) {
            return Optional.empty();
        }
        return Optional.of(numberOrString(plain));
    }

    private static Json numberOrString(String plain) {
        if (plain.length() > MAX_DIGITS) {
            return new JsonString(plain);
        }
        var integer = INTEGER.matcher(plain);
        if (integer.matches()) {
            return integer(integer.group(2).replace("_", ""))
                    .map(value -> integer.group(1).equals("-") ? value.negate() : value)
                    .flatMap(value -> literal(new BigDecimal(value), value.toString()))
                    .orElseGet(() -> new JsonString(plain));
        }
        if (!FLOAT.matcher(plain).matches()) {
            return new JsonString(plain);
        }
        var value = new BigDecimal(plain);
        return literal(value, spelled(value)).orElseGet(() -> new JsonString(plain));
    }

    /// The value of a whole number without sign; empty when a base has no digits behind it.
    private static Optional<BigInteger> integer(String digits) {
        var lower = digits.toLowerCase(Locale.ROOT);
        return switch (lower.length() > 1 && lower.charAt(0) == '0' ? lower.charAt(1) : ' ') {
            case 'x' -> inBase(16, lower.substring(2));
            case 'b' -> inBase(2, lower.substring(2));
            case 'o' -> inBase(8, lower.substring(2));
            default ->
                    inBase(OCTAL.matcher(lower).matches() ? 8 : 10, lower); // 08 can only be eight
        };
    }

    private static Optional<BigInteger> inBase(int base, String digits) {
        return digits.isEmpty() ? Optional.empty() : Optional.of(new BigInteger(digits, base));
    }

    /// Empty for numbers that do not fit the doubles of Kubernetes; they are strings there.
    private static Optional<Json> literal(BigDecimal value, String spelling) {
        var held = value.doubleValue();
        if (Double.isInfinite(held) || spelling.length() > MAX_DIGITS) {
            return Optional.empty();
        }
        return Optional.of(new JsonNumber(held == 0 ? "0" : spelling));
    }

    /// A decimal as a JSON literal: integers without a point, so that `1.0` is a valid integer.
    private static String spelled(BigDecimal value) {
        var stripped = value.stripTrailingZeros();
        var plain = stripped.scale() <= 0 && stripped.precision() - stripped.scale() <= 21;
        return plain ? stripped.toBigInteger().toString() : stripped.toString();
    }
}
