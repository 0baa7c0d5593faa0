package dev.berth.core.cel.library;

import static dev.berth.core.cel.library.Functions.call;
import static dev.berth.core.cel.library.Functions.charge;
import static dev.berth.core.cel.library.Functions.constant;
import static dev.berth.core.cel.library.Functions.dynamic;
import static dev.berth.core.cel.library.Functions.estimate;
import static dev.berth.core.cel.library.Functions.failure;
import static dev.berth.core.cel.library.Functions.list;
import static dev.berth.core.cel.library.Functions.text;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.core.cel.cost.CallEstimate;
import dev.berth.core.cel.cost.CostRange;
import dev.berth.core.cel.cost.SizeRange;
import dev.cel.common.types.SimpleType;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class StringsExtensionTest {

    private static final String FACES = "a😀b😀";

    @Test
    void takesCharactersByPosition() {
        assertThat(call("string_char_at_int", FACES, 1L)).isEqualTo("😀");
        assertThat(call("string_char_at_int", FACES, 4L)).isEqualTo("");
        assertThat(call("string_char_at_int", FACES, 5L))
                .isEqualTo(failure("index out of range: 5"));
        assertThat(call("string_char_at_int", FACES, -1L))
                .isEqualTo(failure("index out of range: -1"));
    }

    @Test
    void takesPartsByPosition() {
        assertThat(call("string_substring_int", FACES, 2L)).isEqualTo("b😀");
        assertThat(call("string_substring_int", FACES, 4L)).isEqualTo("");
        assertThat(call("string_substring_int", FACES, 5L))
                .isEqualTo(failure("index out of range: 5"));
        assertThat(call("string_substring_int_int", FACES, 1L, 3L)).isEqualTo("😀b");
        assertThat(call("string_substring_int_int", FACES, 2L, 1L))
                .isEqualTo(failure("invalid substring range. start: 2, end: 1"));
        assertThat(call("string_substring_int_int", FACES, -1L, 1L))
                .isEqualTo(failure("index out of range: -1"));
        assertThat(call("string_substring_int_int", FACES, 1L, Long.MAX_VALUE))
                .isEqualTo(failure("index out of range: 9223372036854775807"));
    }

    @ParameterizedTest
    @CsvSource({
        "hello mellow, ello, 1, 7",
        "hello mellow, jello, -1, -1",
        "hello mellow, '', 0, 12",
        "a😀b😀, 😀, 1, 3",
        "'', x, -1, -1",
        "'', '', 0, 0",
        "x, xx, -1, -1"
    })
    void findsFirstAndLastPosition(String text, String part, long first, long last) {
        assertThat(call("string_index_of_string", text, part)).isEqualTo(first);
        assertThat(call("string_last_index_of_string", text, part)).isEqualTo(last);
    }

    @ParameterizedTest
    @CsvSource({
        "hello mellow, ello, 2, 7, 1",
        "hello mellow, ello, 20, -1, -1",
        "hello mellow, '', 2, 2, 2",
        "a😀b😀, 😀, 2, 3, 1",
        "a😀b😀, 😀, 3, 3, 3",
        "hello, lo, 4, -1, 3"
    })
    void findsPositionsFromAPlace(String text, String part, long from, long next, long previous) {
        assertThat(call("string_index_of_string_int", text, part, from)).isEqualTo(next);
        assertThat(call("string_last_index_of_string_int", text, part, from)).isEqualTo(previous);
    }

    @Test
    void refusesNegativePlaces() {
        assertThat(call("string_index_of_string_int", "abc", "b", -1L))
                .isEqualTo(failure("index out of range: -1"));
        assertThat(call("string_last_index_of_string_int", "abc", "b", -1L))
                .isEqualTo(failure("index out of range: -1"));
    }

    @Test
    void changesCaseOfAsciiOnly() {
        assertThat(call("string_lower_ascii", "TacoCÆt Xii")).isEqualTo("tacocÆt xii");
        assertThat(call("string_upper_ascii", "tacocæt xii")).isEqualTo("TACOCæT XII");
    }

    @Test
    void trimsWhiteSpaceOfUnicode() {
        assertThat(call("string_trim", " \t\u0085\u00a0\u2003\u2028x y\u3000\r\n\u000b"))
                .isEqualTo("x y");
        assertThat(call("string_trim", "\u200bx\u001c")).isEqualTo("\u200bx\u001c");
        assertThat(call("string_trim", "  ")).isEqualTo("");
    }

    @ParameterizedTest
    @CsvSource({
        "hello hello, he, we, wello wello",
        "a😀b, '', -, -a-😀-b-",
        "'', '', -, -",
        "abc, x, y, abc",
        "aaa, aa, b, ba",
        "a.b.c, ., '', abc"
    })
    void replacesAll(String text, String old, String with, String result) {
        assertThat(call("string_replace_string_string", text, old, with)).isEqualTo(result);
        assertThat(call("string_replace_string_string_int", text, old, with, -1L))
                .isEqualTo(result);
    }

    @Test
    void replacesSome() {
        assertThat(call("string_replace_string_string_int", "hello hello", "he", "we", 1L))
                .isEqualTo("wello hello");
        assertThat(call("string_replace_string_string_int", "hello", "he", "we", 0L))
                .isEqualTo("hello");
        assertThat(call("string_replace_string_string_int", "ab", "", "-", 2L)).isEqualTo("-a-b");
    }

    @Test
    void refusesToReplaceBeyondTheLimit() {
        var text = "x".repeat(1001);
        assertThat(call("string_replace_string_string", text, "x", text))
                .isEqualTo(
                        failure(
                                "replace: result of 1002001 characters exceeds maximum allowed"
                                        + " (1000000)"));
        assertThat(call("string_replace_string_string", text, "", text))
                .isInstanceOf(CelError.class);
    }

    @Test
    void splits() {
        assertThat(call("string_split_string", "a b c", " ")).isEqualTo(List.of("a", "b", "c"));
        assertThat(call("string_split_string", "a😀b", "")).isEqualTo(List.of("a", "😀", "b"));
        assertThat(call("string_split_string", "", "")).isEqualTo(List.of());
        assertThat(call("string_split_string", "", ",")).isEqualTo(List.of(""));
        assertThat(call("string_split_string", ",a,", ",")).isEqualTo(List.of("", "a", ""));
        assertThat(call("string_split_string_int", "a b c", " ", 2L))
                .isEqualTo(List.of("a", "b c"));
        assertThat(call("string_split_string_int", "a b c", " ", 1L)).isEqualTo(List.of("a b c"));
        assertThat(call("string_split_string_int", "a b c", " ", 0L)).isEqualTo(List.of());
        assertThat(call("string_split_string_int", "a b c", " ", -1L))
                .isEqualTo(List.of("a", "b", "c"));
        assertThat(call("string_split_string_int", "a😀b", "", 2L)).isEqualTo(List.of("a", "😀b"));
        assertThat(call("string_split_string", "x".repeat(1_000_001), ""))
                .isEqualTo(failure("split: result exceeds maximum allowed (1000000 elements)"));
    }

    @Test
    void joins() {
        assertThat(call("list_join", List.of("a", "b"))).isEqualTo("ab");
        assertThat(call("list_join_string", List.of("a", "b"), ", ")).isEqualTo("a, b");
        assertThat(call("list_join_string", List.of(), ", ")).isEqualTo("");
        assertThat(call("list_join", List.of("a", 1.5)))
                .isEqualTo(failure("join: invalid input: 1.5"));
        assertThat(call("list_join", Collections.nCopies(1001, "x".repeat(1000))))
                .isInstanceOf(CelError.class);
    }

    @Test
    void quotes() {
        assertThat(call("strings_quote", "a \"b\" \\ \u0007\n\u000b😀\u0001"))
                .isEqualTo("\"a \\\"b\\\" \\\\ \\a\\n\\v😀\u0001\"");
    }

    @Test
    void chargesByLength() {
        var text = "abc 123 def 123";
        assertThat(charge("string_char_at_int", text, 1L)).isEqualTo(1);
        assertThat(charge("string_index_of_string", "0123456789".repeat(5), "123")).isEqualTo(5);
        assertThat(charge("string_lower_ascii", text)).isEqualTo(2);
        assertThat(charge("string_substring_int", text, 5L)).isEqualTo(2);
        assertThat(charge("string_replace_string_string", text, "", "x")).isEqualTo(3);
        assertThat(charge("string_split_string", text, " ")).isEqualTo(3);
        assertThat(charge("strings_quote", text)).isEqualTo(2);
        assertThat(charge("string_format", text, List.of())).isEqualTo(2);
        assertThat(charge("list_join_string", List.of("aa", "bb", "cc"), " ")).isEqualTo(2);
    }

    @Test
    void estimatesByLength() {
        assertThat(estimate("string_char_at_int", text(50), constant(1)).cost())
                .isEqualTo(CostRange.ONE);
        assertThat(estimate("string_index_of_string", text(50), text(3)).cost())
                .isEqualTo(CostRange.exactly(5));
        assertThat(estimate("string_trim", text(21)))
                .isEqualTo(CallEstimate.of(CostRange.exactly(3), SizeRange.exactly(21)));
        assertThat(estimate("string_split_string", dynamic(64), text(7)))
                .isEqualTo(CallEstimate.of(new CostRange(0, 13), new SizeRange(0, 64)));
        assertThat(estimate("string_split_string_int", text(15), text(1), constant(2)))
                .isEqualTo(CallEstimate.of(CostRange.exactly(3), new SizeRange(0, 2)));
        assertThat(estimate("strings_quote", text(21)))
                .isEqualTo(CallEstimate.of(CostRange.exactly(3), new SizeRange(23, 44)));
        assertThat(
                        estimate(
                                "list_join_string",
                                list(SimpleType.STRING, 10, new SizeRange(0, 12)),
                                text(1)))
                .isEqualTo(CallEstimate.of(new CostRange(1, 13), new SizeRange(9, 129)));
    }

    @ParameterizedTest
    @CsvSource({
        "3, 3, 0, 0, 1, 1, 7, 7",
        "3, 3, 1, 1, 0, 0, 0, 3",
        "4, 4, 2, 2, 4, 4, 4, 8",
        "4, 4, 0, 1, 0, 2, 0, 14",
        "4, 4, 1, 1, 1, 2, 4, 8",
        "4, 4, 1, 2, 1, 1, 2, 4"
    })
    void estimatesTheSizeAfterReplacing(
            long min,
            long max,
            long oldMin,
            long oldMax,
            long withMin,
            long withMax,
            long least,
            long most) {
        assertThat(
                        StringsExtension.replaced(
                                new SizeRange(min, max),
                                new SizeRange(oldMin, oldMax),
                                new SizeRange(withMin, withMax)))
                .isEqualTo(new SizeRange(least, most));
    }
}
