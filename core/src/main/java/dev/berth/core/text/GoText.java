package dev.berth.core.text;

import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;

/// Text formatted as Go does, because messages and conversions are compared with those of
/// Kubernetes.
public final class GoText {

    private static final int SMALLEST_PLAIN_EXPONENT = -4;
    private static final int SHORTEST_SCIENTIFIC_EXPONENT = 6;
    private static final int PLAIN_SCIENTIFIC_EXPONENT = 21;

    private GoText() {}

    /// In double quotes, with everything escaped that is not printable (`%q`).
    public static String quote(String text) {
        var quoted = new StringBuilder("\"");
        text.codePoints().forEach(c -> append(quoted, c));
        return quoted.append('"').toString();
    }

    private static void append(StringBuilder quoted, int c) {
        switch (c) {
            case '"' -> quoted.append("\\\"");
            case '\\' -> quoted.append("\\\\");
            case 0x07 -> quoted.append("\\a");
            case '\b' -> quoted.append("\\b");
            case '\f' -> quoted.append("\\f");
            case '\n' -> quoted.append("\\n");
            case '\r' -> quoted.append("\\r");
            case '\t' -> quoted.append("\\t");
            case 0x0b -> quoted.append("\\v");
            default -> {
                if (isPrintable(c)) {
                    quoted.appendCodePoint(c);
                } else if (c < ' ' || c == 0x7f) {
                    quoted.append("\\x%02x".formatted(c));
                } else {
                    quoted.append((c < 0x10000 ? "\\u%04x" : "\\U%08x").formatted(c));
                }
            }
        }
    }

    private static boolean isPrintable(int c) {
        return switch (Character.getType(c)) {
            case Character.CONTROL,
                    Character.FORMAT,
                    Character.SURROGATE,
                    Character.PRIVATE_USE,
                    Character.UNASSIGNED,
                    Character.LINE_SEPARATOR,
                    Character.PARAGRAPH_SEPARATOR ->
                    false;
            case Character.SPACE_SEPARATOR -> c == ' ';
            default -> true;
        };
    }

    /// The shortest digits that parse to the same number, with an exponent from 1e+06 on: the
    /// result of CEL's `string(x)`.
    public static String shortest(double number) {
        return number(number, SHORTEST_SCIENTIFIC_EXPONENT);
    }

    /// The same with an exponent from 1e+21 on, as values appear in messages.
    public static String number(double number) {
        return number(number, PLAIN_SCIENTIFIC_EXPONENT);
    }

    private static String number(double number, int smallestScientific) {
        if (Double.isNaN(number)) {
            return "NaN";
        }
        if (Double.isInfinite(number)) {
            return number > 0 ? "+Inf" : "-Inf";
        }
        if (number == 0) {
            return 1 / number < 0 ? "-0" : "0";
        }
        var exact = new BigDecimal(Double.toString(number)).stripTrailingZeros();
        var exponent = exact.precision() - exact.scale() - 1;
        return exponent < SMALLEST_PLAIN_EXPONENT || exponent >= smallestScientific
                ? scientific(exact, exponent)
                : exact.toPlainString();
    }

    private static String scientific(BigDecimal exact, int exponent) {
        var digits = exact.unscaledValue().abs().toString();
        return (exact.signum() < 0 ? "-" : "")
                + digits.charAt(0)
                + (digits.length() > 1 ? "." + digits.substring(1) : "")
                + (exponent < 0 ? "e-" : "e+")
                + "%02d".formatted(Math.abs(exponent));
    }

    /// The length in UTF-8 bytes, which is what Kubernetes limits.
    public static int bytes(String text) {
        for (var i = 0; i < text.length(); i++) {
            if (text.charAt(i) >= 0x80) {
                return text.getBytes(StandardCharsets.UTF_8).length;
            }
        }
        return text.length();
    }
}
