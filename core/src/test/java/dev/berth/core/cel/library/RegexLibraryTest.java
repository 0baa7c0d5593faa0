package dev.berth.core.cel.library;

import static dev.berth.core.cel.library.Functions.call;
import static dev.berth.core.cel.library.Functions.charge;
import static dev.berth.core.cel.library.Functions.dynamic;
import static dev.berth.core.cel.library.Functions.estimate;
import static dev.berth.core.cel.library.Functions.failure;
import static dev.berth.core.cel.library.Functions.text;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.core.cel.cost.CallEstimate;
import dev.berth.core.cel.cost.CostRange;
import dev.berth.core.cel.cost.SizeRange;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Assertions;
import org.junit.jupiter.api.Test;

class RegexLibraryTest {

    @Test
    void findsTheFirstMatch() {
        assertThat(call("string_find_string", "abc 123 45", "[0-9]+")).isEqualTo("123");
        assertThat(call("string_find_string", "abc", "[0-9]+")).isEqualTo("");
        assertThat(call("string_find_string", "a😀b", "a.b")).isEqualTo("a😀b");
    }

    @Test
    void findsAllMatches() {
        assertThat(call("string_find_all_string", "123 abc 456", "[0-9]+"))
                .isEqualTo(List.of("123", "456"));
        assertThat(call("string_find_all_string", "123 abc 456", "xyz")).isEqualTo(List.of());
        assertThat(call("string_find_all_string_int", "1 2 3", "[0-9]", 2L))
                .isEqualTo(List.of("1", "2"));
        assertThat(call("string_find_all_string_int", "1 2 3", "[0-9]", 0L)).isEqualTo(List.of());
        assertThat(call("string_find_all_string_int", "1 2 3", "[0-9]", -1L))
                .isEqualTo(List.of("1", "2", "3"));
        assertThat(call("string_find_all_string", "aba", "^a")).isEqualTo(List.of("a"));
    }

    @Test
    void emptyMatchesDoNotFollowOthers() {
        assertThat(call("string_find_all_string", "baac", "a*")).isEqualTo(List.of("", "aa", ""));
        assertThat(call("string_find_all_string", "😀😀", "")).isEqualTo(List.of("", "", ""));
        assertThat(call("string_find_all_string", "", "x*")).isEqualTo(List.of(""));
    }

    @Test
    void refusesMalformedPatterns() {
        assertThat(call("string_find_string", "a", "("))
                .isEqualTo(failure("Illegal regex: error parsing regexp: missing closing ): `(`"));
        assertThat(call("string_find_all_string", "a", "(?=a)")).isInstanceOf(CelError.class);
        assertThat(call("string_find_string", "a", "(a{11}){100}"))
                .isEqualTo(
                        failure(
                                "Illegal regex: error parsing regexp: invalid repeat count:"
                                        + " `{100}`"));
        assertThat(call("string_find_string", "a", "\\1")).isInstanceOf(CelError.class);
        assertThat(call("string_find_string", "a", "(".repeat(5000) + ")".repeat(5000)))
                .isInstanceOf(CelError.class);
    }

    @Test
    void hostilePatternsEnd() {
        Assertions.assertTimeoutPreemptively(
                Duration.ofSeconds(30),
                () -> {
                    call("string_find_string", "a".repeat(5000) + "b", "(a*)*c");
                    call("string_find_string", "a".repeat(100), "((a{100}){100}){100}");
                    call("string_find_string", "a".repeat(100), "(".repeat(900) + ")".repeat(900));
                    call("string_find_string", "a".repeat(100), "a".repeat(5000) + "*".repeat(50));
                });
    }

    @Test
    void costsLengthTimesPattern() {
        assertThat(charge("string_find_string", "abc 123 def 123", "123")).isEqualTo(2);
        assertThat(charge("string_find_all_string_int", "abc 123 def 123", "12345", 1L))
                .isEqualTo(4);
        assertThat(charge("string_find_string", "", "123")).isEqualTo(1);
        assertThat(estimate("string_find_all_string", dynamic(64), text(8)))
                .isEqualTo(CallEstimate.of(new CostRange(2, 14), new SizeRange(0, 64)));
    }
}
