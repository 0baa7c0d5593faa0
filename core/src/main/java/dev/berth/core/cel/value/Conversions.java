package dev.berth.core.cel.value;

import dev.berth.core.cel.library.CelBytes;
import dev.berth.core.cel.library.CelError;
import dev.berth.core.cel.library.CelValues;
import dev.berth.core.cel.library.UInt;
import java.math.BigDecimal;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/// The standard type conversions: `int(x)`, `string(x)` and so on.
public final class Conversions {

    private static final double TWO_TO_63 = 0x1p63;
    private static final double TWO_TO_64 = 0x1p64;
    private static final Pattern DECIMAL =
            Pattern.compile("[+-]?(\\d+\\.?\\d*|\\.\\d+)([eE][+-]?\\d+)?");

    private Conversions() {}

    public static boolean isConversion(String function) {
        return switch (function) {
            case "bool", "bytes", "double", "duration", "dyn", "int" -> true;
            case "string", "timestamp", "type", "uint" -> true;
            default -> false;
        };
    }

    public static Object convert(String function, Object value) {
        return switch (function) {
            case "bool" -> toBool(value);
            case "bytes" -> toBytes(value);
            case "double" -> toDouble(value);
            case "duration" -> toDuration(value);
            case "int" -> toInt(value);
            case "string" -> toText(value);
            case "timestamp" -> toTimestamp(value);
            case "type" -> new TypeValue(CelValues.typeName(value));
            case "uint" -> toUInt(value);
            default -> value;
        };
    }

    private static Object toBool(Object value) {
        return switch (value) {
            case Boolean _ -> value;
            case String text ->
                    switch (text) {
                        case "1", "t", "T", "true", "TRUE", "True" -> true;
                        case "0", "f", "F", "false", "FALSE", "False" -> false;
                        default -> notConvertible("string", "bool");
                    };
            default -> unsupported("bool", value);
        };
    }

    private static Object toBytes(Object value) {
        return switch (value) {
            case CelBytes _ -> value;
            case String text -> CelBytes.utf8(text);
            default -> unsupported("bytes", value);
        };
    }

    private static Object toDouble(Object value) {
        return switch (value) {
            case Double _ -> value;
            case Long number -> number.doubleValue();
            case UInt number -> number.toDouble();
            case String text -> parseDouble(text);
            default -> unsupported("double", value);
        };
    }

    private static Object parseDouble(String text) {
        var number = DECIMAL.matcher(text).matches() ? Double.valueOf(text) : special(text);
        // Numbers out of range are errors; the literal names of infinity are not.
        return number == null || (number.isInfinite() && Character.isDigit(lastOf(text)))
                ? notConvertible("string", "double")
                : number;
    }

    private static char lastOf(String text) {
        return text.isEmpty() ? ' ' : text.charAt(text.length() - 1);
    }

    private static @Nullable Double special(String text) {
        var unsigned = text.startsWith("-") || text.startsWith("+") ? text.substring(1) : text;
        if (unsigned.equalsIgnoreCase("inf") || unsigned.equalsIgnoreCase("infinity")) {
            return text.startsWith("-") ? Double.NEGATIVE_INFINITY : Double.POSITIVE_INFINITY;
        }
        return text.equalsIgnoreCase("nan") ? Double.NaN : null;
    }

    private static Object toDuration(Object value) {
        return switch (value) {
            case Duration _ -> value;
            case Long nanos -> Duration.ofNanos(nanos);
            case String text -> {
                var parsed = CelTimes.parseDuration(text);
                yield parsed.isPresent()
                        ? parsed.get()
                        : notConvertible("string", "google.protobuf.Duration");
            }
            default -> unsupported("duration", value);
        };
    }

    private static Object toTimestamp(Object value) {
        return switch (value) {
            case Instant _ -> value;
            case Long seconds -> CelTimes.ofSeconds(seconds);
            case String text -> {
                var parsed = CelTimes.parseTimestamp(text);
                yield parsed.isPresent()
                        ? parsed.get()
                        : notConvertible("string", "google.protobuf.Timestamp");
            }
            default -> unsupported("timestamp", value);
        };
    }

    private static Object toInt(Object value) {
        return switch (value) {
            case Long _ -> value;
            case UInt number -> number.exceedsInt() ? intOverflow() : (Object) number.bits();
            case Double number ->
                    number > -TWO_TO_63 && number < TWO_TO_63
                            ? (Object) number.longValue()
                            : intOverflow();
            case Instant instant -> instant.getEpochSecond();
            case Duration duration -> duration.toNanos();
            case String text -> parseInt(text);
            default -> unsupported("int", value);
        };
    }

    private static Object parseInt(String text) {
        try {
            return isAscii(text) ? (Object) Long.parseLong(text) : notConvertible("string", "int");
        } catch (NumberFormatException e) {
            return notConvertible("string", "int");
        }
    }

    private static Object toUInt(Object value) {
        return switch (value) {
            case UInt _ -> value;
            case Long number -> number < 0 ? uintOverflow() : new UInt(number);
            case Double number ->
                    number >= 0 && number < TWO_TO_64
                            ? new UInt(new BigDecimal(number).toBigInteger().longValue())
                            : uintOverflow();
            case String text -> parseUInt(text);
            default -> unsupported("uint", value);
        };
    }

    private static Object parseUInt(String text) {
        try {
            return isAscii(text) && !text.startsWith("+")
                    ? new UInt(Long.parseUnsignedLong(text))
                    : notConvertible("string", "uint");
        } catch (NumberFormatException e) {
            return notConvertible("string", "uint");
        }
    }

    /// Java would also accept digits of other scripts.
    private static boolean isAscii(String text) {
        return text.chars().allMatch(c -> c < 0x80);
    }

    private static Object toText(Object value) {
        return switch (value) {
            case String _ -> value;
            case Long number -> number.toString();
            case UInt number -> number.toString();
            case Boolean flag -> flag.toString();
            case Double number -> print(number);
            case CelBytes bytes -> decode(bytes);
            case Instant instant -> CelTimes.print(instant);
            case Duration duration -> CelTimes.print(duration);
            default -> unsupported("string", value);
        };
    }

    private static Object decode(CelBytes bytes) {
        try {
            return StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(bytes.toArray()))
                    .toString();
        } catch (CharacterCodingException e) {
            return new CelError("invalid UTF-8 in bytes, cannot convert to string");
        }
    }

    /// The shortest decimal that round-trips, with an exponent below 1e-4 and from 1e+06 on.
    static String print(double number) {
        if (Double.isNaN(number)) {
            return "NaN";
        }
        if (Double.isInfinite(number)) {
            return number > 0 ? "+Inf" : "-Inf";
        }
        if (number == 0) {
            return 1 / number < 0 ? "-0" : "0";
        }
        var shortest = new BigDecimal(Double.toString(number)).stripTrailingZeros();
        var exponent = shortest.precision() - shortest.scale() - 1;
        if (exponent >= -4 && exponent < 6) {
            return shortest.toPlainString();
        }
        var digits = shortest.unscaledValue().abs().toString();
        return (number < 0 ? "-" : "")
                + digits.charAt(0)
                + (digits.length() > 1 ? "." + digits.substring(1) : "")
                + "e%s%02d".formatted(exponent < 0 ? "-" : "+", Math.abs(exponent));
    }

    private static CelError intOverflow() {
        return new CelError("integer overflow");
    }

    private static CelError uintOverflow() {
        return new CelError("unsigned integer overflow");
    }

    private static CelError notConvertible(String from, String to) {
        return new CelError("type conversion error from '%s' to '%s'".formatted(from, to));
    }

    public static CelError unsupported(String function, Object... values) {
        return new CelError(
                Arrays.stream(values)
                        .map(CelValues::typeName)
                        .collect(
                                Collectors.joining(
                                        ", ", "no such overload: " + function + "(", ")")));
    }
}
