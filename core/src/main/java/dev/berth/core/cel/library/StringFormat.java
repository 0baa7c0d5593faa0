package dev.berth.core.cel.library;

import dev.berth.core.text.GoText;
import dev.cel.common.types.CelType;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/// `"%s has %d".format([name, count])` with the verbs s d f e b x X o, and a precision for f and e.
final class StringFormat {

    private static final int DEFAULT_PRECISION = 6;

    /// Maximum precision.
    private static final int MAX_PRECISION = 1000;

    private static final String SUPERSCRIPTS = "⁰¹²³⁴⁵⁶⁷⁸⁹";

    private final String format;
    private final List<?> values;
    private final StringBuilder result = new StringBuilder();
    private int at;
    private int used;

    private StringFormat(String format, List<?> values) {
        this.format = format;
        this.values = values;
    }

    static Object call(Object[] arguments) {
        if (!(arguments[0] instanceof String format) || !(arguments[1] instanceof List<?> values)) {
            return CelError.noSuchOverload();
        }
        try {
            return new StringFormat(format, values).apply();
        } catch (FormatFailure e) {
            return new CelError(String.valueOf(e.getMessage()));
        }
    }

    private String apply() throws FormatFailure {
        while (at < format.length()) {
            var c = format.charAt(at++);
            if (c != '%') {
                result.append(c);
            } else if (at < format.length() && format.charAt(at) == '%') {
                result.append('%');
                at++;
            } else {
                clause();
            }
            if (result.length() > ResultLimits.MAX_CHARACTERS) {
                throw new FormatFailure(
                        ResultLimits.tooManyCharacters("format", result.length()).message());
            }
        }
        return result.toString();
    }

    private void clause() throws FormatFailure {
        if (used >= values.size()) {
            throw new FormatFailure("index %d out of range".formatted(used));
        }
        if (at >= format.length()) {
            throw new FormatFailure("unexpected end of string");
        }
        Object value = values.get(used++);
        var precision = precision();
        var verb = format.charAt(at++);
        if ("sdfebxXo".indexOf(verb) < 0) {
            throw new FormatFailure(
                    "could not parse formatting clause: unrecognized formatting clause \"%c\""
                            .formatted(verb));
        }
        try {
            result.append(formatted(verb, precision, value));
        } catch (FormatFailure e) {
            throw new FormatFailure("error during formatting: " + e.getMessage(), e);
        }
    }

    private int precision() throws FormatFailure {
        if (format.charAt(at) != '.') {
            return DEFAULT_PRECISION;
        }
        var from = ++at;
        while (at < format.length() && format.charAt(at) >= '0' && format.charAt(at) <= '9') {
            at++;
        }
        var problem = "could not parse formatting clause: error while parsing precision: ";
        if (at == format.length()) {
            throw new FormatFailure(problem + "could not find end of precision specifier");
        }
        var digits = format.substring(from, at);
        if (digits.isEmpty()) {
            throw new FormatFailure(
                    problem
                            + "error while converting precision to integer: "
                            + "strconv.Atoi: parsing \"\": invalid syntax");
        }
        if (digits.length() > 4 || Integer.parseInt(digits) > MAX_PRECISION) {
            throw new FormatFailure(
                    problem
                            + "precision %s exceeds maximum allowed (%d)"
                                    .formatted(digits, MAX_PRECISION));
        }
        return Integer.parseInt(digits);
    }

    private static String formatted(char verb, int precision, Object value) throws FormatFailure {
        return switch (verb) {
            case 's' -> text(value);
            case 'd' -> decimal(value);
            case 'f' -> fixed(value, precision);
            case 'e' -> scientific(value, precision);
            case 'b' -> binary(value);
            case 'o' -> octal(value);
            default -> hexadecimal(value, verb == 'X');
        };
    }

    private static String text(Object value) throws FormatFailure {
        return switch (value) {
            case List<?> list -> list(list);
            case Map<?, ?> map -> map(map);
            case Long _, UInt _, Boolean _, String _, CelBytes _, NullValue _ -> value.toString();
            case Double number -> GoText.shortest(number);
            case Duration duration -> seconds(duration);
            case Instant instant -> instant.toString();
            case CelType type -> type.name();
            default ->
                    throw new FormatFailure(
                            "string clause can only be used on strings, bools, bytes, ints,"
                                    + " doubles, maps, lists, types, durations, and timestamps,"
                                    + " was given "
                                    + CelValues.typeName(value));
        };
    }

    static String seconds(Duration duration) {
        return BigDecimal.valueOf(duration.getSeconds())
                        .add(BigDecimal.valueOf(duration.getNano(), 9))
                        .stripTrailingZeros()
                        .toPlainString()
                + "s";
    }

    private static String list(List<?> list) throws FormatFailure {
        var text = new StringBuilder("[");
        for (Object element : list) {
            text.append(text.length() > 1 ? ", " : "").append(literal(element));
            check(text);
        }
        return text.append(']').toString();
    }

    private static String map(Map<?, ?> map) throws FormatFailure {
        var sorted = new TreeMap<String, String>(CelValues::compareStrings);
        for (var entry : map.entrySet()) {
            switch (entry.getKey()) {
                case String _, Boolean _, Long _, UInt _ ->
                        sorted.put(literal(entry.getKey()), literal(entry.getValue()));
                default ->
                        throw new FormatFailure(
                                "no formatting function for map key of type "
                                        + CelValues.typeName(entry.getKey()));
            }
        }
        var text = new StringBuilder("{");
        for (var entry : sorted.entrySet()) {
            text.append(text.length() > 1 ? ", " : "")
                    .append(entry.getKey())
                    .append(':')
                    .append(entry.getValue());
            check(text);
        }
        return text.append('}').toString();
    }

    private static void check(StringBuilder text) throws FormatFailure {
        if (text.length() > ResultLimits.MAX_CHARACTERS) {
            throw new FormatFailure(
                    ResultLimits.tooManyCharacters("format", text.length()).message());
        }
    }

    /// Values inside of lists and maps are formatted as in an expression.
    private static String literal(Object value) throws FormatFailure {
        return switch (value) {
            case String text -> GoText.quote(text);
            case CelBytes bytes -> "b" + GoText.quote(bytes.toString());
            case Double number when number.isNaN() || number.isInfinite() ->
                    GoText.quote(GoText.number(number));
            case Double number ->
                    new BigDecimal(number)
                            .setScale(DEFAULT_PRECISION, RoundingMode.HALF_EVEN)
                            .toPlainString();
            case Duration _ -> "duration(%s)".formatted(GoText.quote(text(value)));
            case Instant _ -> "timestamp(%s)".formatted(GoText.quote(text(value)));
            case List<?> _, Map<?, ?> _, Long _, UInt _, Boolean _, NullValue _, CelType _ ->
                    text(value);
            default ->
                    throw new FormatFailure(
                            "no formatting function for " + CelValues.typeName(value));
        };
    }

    private static String decimal(Object value) throws FormatFailure {
        return switch (value) {
            case Long _, UInt _ -> value.toString();
            default ->
                    throw new FormatFailure(
                            "decimal clause can only be used on integers, was given "
                                    + CelValues.typeName(value));
        };
    }

    private static String fixed(Object value, int precision) throws FormatFailure {
        var number = number("fixed-point", value);
        if (number.isNaN() || number.isInfinite()) {
            return special(number);
        }
        var digits =
                new BigDecimal(Double.toString(number))
                        .setScale(precision, RoundingMode.HALF_EVEN)
                        .abs()
                        .toPlainString();
        return (number < 0 ? "-" : "") + grouped(digits);
    }

    private static String grouped(String digits) {
        var point = digits.indexOf('.') < 0 ? digits.length() : digits.indexOf('.');
        var text = new StringBuilder(digits);
        for (var i = point - 3; i > 0; i -= 3) {
            text.insert(i, ',');
        }
        return text.toString();
    }

    /// Always six digits: the precision only sets the minimum width, as upstream.
    private static String scientific(Object value, int width) throws FormatFailure {
        var number = number("scientific", value);
        if (number.isNaN() || number.isInfinite()) {
            return special(number);
        }
        var exact = new BigDecimal(Double.toString(number));
        var exponent = exact.signum() == 0 ? 0 : exact.precision() - exact.scale() - 1;
        var mantissa =
                exact.scaleByPowerOfTen(-exponent)
                        .setScale(DEFAULT_PRECISION, RoundingMode.HALF_EVEN);
        if (mantissa.abs().compareTo(BigDecimal.TEN) >= 0) {
            exponent++;
            mantissa =
                    mantissa.movePointLeft(1).setScale(DEFAULT_PRECISION, RoundingMode.HALF_EVEN);
        }
        var text = new StringBuilder(mantissa.toPlainString()).append("\u202f×\u202f10");
        text.append(exponent < 0 ? "⁻" : "");
        "%02d"
                .formatted(Math.abs(exponent))
                .chars()
                .forEach(digit -> text.append(SUPERSCRIPTS.charAt(digit - '0')));
        return " ".repeat(Math.max(width - text.length(), 0)) + text;
    }

    private static Double number(String clause, Object value) throws FormatFailure {
        return switch (value) {
            case Double number -> number;
            case String text when text.equals("NaN") -> Double.NaN;
            case String text when text.equals("Infinity") -> Double.POSITIVE_INFINITY;
            case String text when text.equals("-Infinity") -> Double.NEGATIVE_INFINITY;
            default ->
                    throw new FormatFailure(
                            "%s clause can only be used on doubles, was given %s"
                                    .formatted(clause, CelValues.typeName(value)));
        };
    }

    private static String special(double number) {
        if (Double.isNaN(number)) {
            return "NaN";
        }
        return number > 0 ? "∞" : "-∞";
    }

    private static String binary(Object value) throws FormatFailure {
        return switch (value) {
            case Boolean flag -> flag ? "1" : "0";
            case Long number -> Long.toString(number, 2);
            case UInt number -> Long.toUnsignedString(number.bits(), 2);
            default ->
                    throw new FormatFailure(
                            "only integers and bools can be formatted as binary, was given "
                                    + CelValues.typeName(value));
        };
    }

    private static String octal(Object value) throws FormatFailure {
        return switch (value) {
            case Long number -> Long.toString(number, 8);
            case UInt number -> Long.toUnsignedString(number.bits(), 8);
            default ->
                    throw new FormatFailure(
                            "octal clause can only be used on integers, was given "
                                    + CelValues.typeName(value));
        };
    }

    private static String hexadecimal(Object value, boolean upperCase) throws FormatFailure {
        var hex = upperCase ? HexFormat.of().withUpperCase() : HexFormat.of();
        return switch (value) {
            case Long number -> upper(Long.toString(number, 16), upperCase);
            case UInt number -> upper(Long.toUnsignedString(number.bits(), 16), upperCase);
            case String text -> hex.formatHex(text.getBytes(StandardCharsets.UTF_8));
            case CelBytes bytes -> hex.formatHex(bytes.toArray());
            default ->
                    throw new FormatFailure(
                            "only integers, byte buffers, and strings can be formatted as hex, was"
                                    + " given "
                                    + CelValues.typeName(value));
        };
    }

    private static String upper(String digits, boolean upperCase) {
        return upperCase ? digits.toUpperCase(Locale.ROOT) : digits;
    }

    /// Aborts formatting at the first value that cannot be formatted; does not leave this class.
    private static final class FormatFailure extends Exception {

        private static final long serialVersionUID = 1L;

        private FormatFailure(String message) {
            super(message);
        }

        private FormatFailure(String message, Throwable cause) {
            super(message, cause);
        }
    }
}
