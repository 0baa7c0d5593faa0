package dev.berth.core.cel.library;

import static dev.berth.core.cel.library.Functions.call;
import static dev.berth.core.cel.library.Functions.failure;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.core.text.GoText;
import dev.berth.model.quantity.Semver;
import java.time.Duration;
import java.time.Instant;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class StringFormatTest {

    static List<Arguments> formatted() {
        return List.of(
                Arguments.of("no clause", List.of(), "no clause"),
                Arguments.of("100%% of %s", List.of("ä"), "100% of ä"),
                Arguments.of("%s %s", List.of(1L, new UInt(-1)), "1 18446744073709551615"),
                Arguments.of("%s", List.of(64.2), "64.2"),
                Arguments.of("%s", List.of(1_000_000.0), "1e+06"),
                Arguments.of("%s", List.of(123456.0), "123456"),
                Arguments.of("%s", List.of(0.00001), "1e-05"),
                Arguments.of("%s %s", List.of(true, NullValue.NULL), "true null"),
                Arguments.of("%s", List.of(CelBytes.utf8("xyz")), "xyz"),
                Arguments.of("%s", List.of(Duration.ofSeconds(6347)), "6347s"),
                Arguments.of("%s", List.of(Duration.ofMillis(1500)), "1.5s"),
                Arguments.of(
                        "%s",
                        List.of(Instant.parse("2023-02-03T23:31:20Z")), "2023-02-03T23:31:20Z"),
                Arguments.of(
                        "%s",
                        List.of(
                                List.of(
                                        1L,
                                        "a\"",
                                        2.5,
                                        CelBytes.utf8("b"),
                                        NullValue.NULL,
                                        List.of())),
                        "[1, \"a\\\"\", 2.500000, b\"b\", null, []]"),
                Arguments.of(
                        "%s",
                        List.of(List.of(Duration.ofSeconds(1), Instant.EPOCH)),
                        "[duration(\"1s\"), timestamp(\"1970-01-01T00:00:00Z\")]"),
                Arguments.of("%s", List.of(List.of(Double.NaN)), "[\"NaN\"]"),
                Arguments.of("%s", List.of(Map.of("b", 1L, "a", 2L)), "{\"a\":2, \"b\":1}"),
                Arguments.of("%d %d", List.of(-42L, new UInt(7)), "-42 7"),
                Arguments.of("%f", List.of(3.14), "3.140000"),
                Arguments.of("%.2f", List.of(1234567.891), "1,234,567.89"),
                Arguments.of("%.0f", List.of(-0.4), "-0"),
                Arguments.of("%.1f", List.of("Infinity"), "∞"),
                Arguments.of("%f", List.of("NaN"), "NaN"),
                Arguments.of("%e", List.of(2.71828), "2.718280\u202f×\u202f10⁰⁰"),
                Arguments.of("%e", List.of(-0.000123), "-1.230000\u202f×\u202f10⁻⁰⁴"),
                Arguments.of("%e", List.of(9.9999999), "1.000000\u202f×\u202f10⁰¹"),
                Arguments.of("%e", List.of(0.0), "0.000000\u202f×\u202f10⁰⁰"),
                Arguments.of("%b %b %b", List.of(5L, -5L, true), "101 -101 1"),
                Arguments.of(
                        "%x %X %x", List.of(26L, -26L, new UInt(-1)), "1a -1A ffffffffffffffff"),
                Arguments.of("%x %X", List.of("hé", CelBytes.utf8("\n")), "68c3a9 0A"),
                Arguments.of("%o", List.of(30L), "36"),
                Arguments.of("%s", List.of("unused", "is fine"), "unused"));
    }

    @ParameterizedTest
    @MethodSource("formatted")
    void formats(String format, List<Object> values, String result) {
        assertThat(call("string_format", format, values)).isEqualTo(result);
    }

    static List<Arguments> badTemplates() {
        var precision = "could not parse formatting clause: error while parsing precision: ";
        return List.of(
                Arguments.of("%s", List.of(), "index 0 out of range"),
                Arguments.of("%s %s", List.of(1L), "index 1 out of range"),
                Arguments.of("%", List.of(1L), "unexpected end of string"),
                Arguments.of(
                        "%z",
                        List.of(1L),
                        "could not parse formatting clause: unrecognized formatting clause \"z\""),
                Arguments.of(
                        "%.3",
                        List.of(1.0), precision + "could not find end of precision specifier"),
                Arguments.of(
                        "%.f",
                        List.of(1.0),
                        precision
                                + "error while converting precision to integer: strconv.Atoi:"
                                + " parsing \"\": invalid syntax"),
                Arguments.of(
                        "%.1001f",
                        List.of(1.0), precision + "precision 1001 exceeds maximum allowed (1000)"));
    }

    static List<Arguments> badValues() {
        return List.of(
                Arguments.of(
                        "%d",
                        List.of("1"),
                        "error during formatting: decimal clause can only be used on integers, was"
                                + " given string"),
                Arguments.of(
                        "%f",
                        List.of(1L),
                        "error during formatting: fixed-point clause can only be used on doubles,"
                                + " was given int"),
                Arguments.of(
                        "%e",
                        List.of("x"),
                        "error during formatting: scientific clause can only be used on doubles,"
                                + " was given string"),
                Arguments.of(
                        "%b",
                        List.of(1.0),
                        "error during formatting: only integers and bools can be formatted as"
                                + " binary, was given double"),
                Arguments.of(
                        "%x",
                        List.of(true),
                        "error during formatting: only integers, byte buffers, and strings can be"
                                + " formatted as hex, was given bool"),
                Arguments.of(
                        "%o",
                        List.of(1.0),
                        "error during formatting: octal clause can only be used on integers, was"
                                + " given double"),
                Arguments.of(
                        "%s",
                        List.of(Semver.parse("1.0.0")),
                        "error during formatting: string clause can only be used on strings, bools,"
                                + " bytes, ints, doubles, maps, lists, types, durations, and"
                                + " timestamps, was given kubernetes.Semver"),
                Arguments.of(
                        "%s",
                        List.of(List.of(Semver.parse("1.0.0"))),
                        "error during formatting: no formatting function for kubernetes.Semver"),
                Arguments.of(
                        "%s",
                        List.of(Map.of(1.5, 1L)),
                        "error during formatting: no formatting function for map key of type"
                                + " double"));
    }

    @ParameterizedTest
    @MethodSource({"badTemplates", "badValues"})
    void refuses(String format, List<Object> values, String message) {
        assertThat(call("string_format", format, values)).isEqualTo(failure(message));
    }

    @Test
    void refusesToFormatBeyondTheLimit() {
        var long1000 = "x".repeat(1000);
        assertThat(call("string_format", "%s".repeat(1001), Collections.nCopies(1001, long1000)))
                .isEqualTo(
                        failure(
                                "format: result of 1001000 characters exceeds maximum allowed"
                                        + " (1000000)"));
        assertThat(call("string_format", "%s", List.of(Collections.nCopies(1001, long1000))))
                .isInstanceOf(CelError.class);
    }

    @Test
    void numbersInMessagesGetExponentsLater() {
        assertThat(GoText.number(1_000_000.0)).isEqualTo("1000000");
        assertThat(GoText.number(1e21)).isEqualTo("1e+21");
        assertThat(GoText.number(-0.0)).isEqualTo("-0");
        assertThat(GoText.number(Double.POSITIVE_INFINITY)).isEqualTo("+Inf");
        assertThat(GoText.shortest(1.5e300)).isEqualTo("1.5e+300");
    }
}
