package dev.berth.core.cel.library;

import static dev.berth.core.cel.library.Functions.call;
import static dev.berth.core.cel.library.Functions.charge;
import static dev.berth.core.cel.library.Functions.constant;
import static dev.berth.core.cel.library.Functions.dynamic;
import static dev.berth.core.cel.library.Functions.estimate;
import static dev.berth.core.cel.library.Functions.failure;
import static dev.berth.core.cel.library.Functions.list;
import static dev.berth.core.cel.library.Functions.number;
import static dev.berth.core.cel.library.Functions.text;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.core.cel.cost.CallEstimate;
import dev.berth.core.cel.cost.CostRange;
import dev.berth.core.cel.cost.SizeRange;
import dev.berth.model.quantity.Semver;
import dev.cel.common.types.SimpleType;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;

class ListLibrariesTest {

    private static final List<Object> NUMBERS = List.of(3L, 1L, 2L, 1L);
    private static final List<Object> TEXTS = List.of("012345678901", "012345678901", "x");

    @Test
    void findsExtremesAndOrder() {
        assertThat(call("list_int_min_int", NUMBERS)).isEqualTo(1L);
        assertThat(call("list_int_max_int", NUMBERS)).isEqualTo(3L);
        assertThat(call("list_string_max_string", List.of("a", "ä"))).isEqualTo("ä");
        assertThat(call("list_int_min_int", List.of()))
                .isEqualTo(failure("min called on empty list"));
        assertThat(call("list_int_max_int", List.of()))
                .isEqualTo(failure("max called on empty list"));
        assertThat(call("list_int_max_int", List.of(NullValue.NULL)))
                .isEqualTo(CelError.noSuchOverload());
        assertThat(call("list_int_is_sorted_bool", NUMBERS)).isEqualTo(false);
        assertThat(call("list_string_is_sorted_bool", List.of("a", "b", "b"))).isEqualTo(true);
        assertThat(call("list_double_is_sorted_bool", List.of())).isEqualTo(true);
    }

    @Test
    void sums() {
        assertThat(call("list_int_sum_int", NUMBERS)).isEqualTo(7L);
        assertThat(call("list_int_sum_int", List.of())).isEqualTo(0L);
        assertThat(call("list_uint_sum_uint", List.of(new UInt(1), new UInt(2))))
                .isEqualTo(new UInt(3));
        assertThat(call("list_double_sum_double", List.of(0.5, 0.25))).isEqualTo(0.75);
        assertThat(
                        call(
                                "list_duration_sum_duration",
                                List.of(Duration.ofMinutes(1), Duration.ofSeconds(1))))
                .isEqualTo(Duration.ofSeconds(61));
        assertThat(call("list_duration_sum_duration", List.of())).isEqualTo(Duration.ZERO);
    }

    @Test
    void sumsDoNotOverflow() {
        assertThat(call("list_int_sum_int", List.of(Long.MAX_VALUE, 1L)))
                .isEqualTo(CelError.noSuchOverload());
        assertThat(call("list_int_sum_int", List.of(Long.MIN_VALUE, -1L)))
                .isEqualTo(CelError.noSuchOverload());
        assertThat(call("list_uint_sum_uint", List.of(new UInt(-1), new UInt(1))))
                .isEqualTo(CelError.noSuchOverload());
        assertThat(
                        call(
                                "list_duration_sum_duration",
                                List.of(Duration.ofNanos(Long.MAX_VALUE), Duration.ofNanos(1))))
                .isEqualTo(CelError.noSuchOverload());
        assertThat(call("list_int_sum_int", List.of(1L, 1.0))).isEqualTo(CelError.noSuchOverload());
    }

    @Test
    void findsPositions() {
        assertThat(call("list_a_index_of_int", NUMBERS, 1L)).isEqualTo(1L);
        assertThat(call("list_a_last_index_of_int", NUMBERS, 1.0)).isEqualTo(3L);
        assertThat(call("list_a_index_of_int", NUMBERS, "1")).isEqualTo(-1L);
        assertThat(call("list_a_last_index_of_int", List.of(), 1L)).isEqualTo(-1L);
    }

    @Test
    void includesElementsAndScalars() {
        assertThat(call("list_includes_dyn_dyn", NUMBERS, 2L)).isEqualTo(true);
        assertThat(call("list_includes_dyn_dyn", NUMBERS, 4L)).isEqualTo(false);
        assertThat(call("list_includes_dyn_dyn", "a", "a")).isEqualTo(true);
        assertThat(call("list_includes_dyn_dyn", "a", 1L)).isEqualTo(false);
        var version = Semver.parse("1.0.0");
        assertThat(call("list_includes_dyn_dyn", version, "1.0.0")).isEqualTo(false);
        assertThat(call("list_includes_dyn_dyn", List.of(version), version)).isEqualTo(true);
    }

    @Test
    void walkingCostsOneAnElementAndATenthACharacter() {
        assertThat(charge("list_int_sum_int", NUMBERS)).isEqualTo(4);
        assertThat(charge("list_string_max_string", TEXTS)).isEqualTo(2);
        assertThat(charge("list_a_index_of_int", List.of(NUMBERS, NUMBERS), 1L)).isEqualTo(8);
        assertThat(charge("list_includes_dyn_dyn", List.of("fish", "bird"), "x")).isZero();
        assertThat(charge("list_includes_dyn_dyn", true, true)).isEqualTo(1);
        // In bytes, not in characters.
        assertThat(charge("list_includes_dyn_dyn", "ääääääääää", "x")).isEqualTo(2);
        assertThat(charge("list_includes_dyn_dyn", "€€€€😀", "x")).isEqualTo(1);
    }

    @Test
    void estimatesKnowElementsWhereTheCheckerDoes() {
        assertThat(
                        estimate("list_int_sum_int", list(SimpleType.INT, 5, SizeRange.UNBOUNDED))
                                .cost())
                .isEqualTo(CostRange.exactly(5));
        assertThat(
                        estimate(
                                        "list_string_max_string",
                                        list(SimpleType.STRING, 5, new SizeRange(0, 12)))
                                .cost())
                .isEqualTo(new CostRange(5, 15));
        assertThat(estimate("list_int_sum_int", dynamic(64)).cost()).isEqualTo(new CostRange(0, 7));
        assertThat(estimate("list_includes_dyn_dyn", dynamic(64), text(4)).cost())
                .isEqualTo(new CostRange(0, 64));
    }

    @Test
    void slices() {
        assertThat(call("list_slice", NUMBERS, 1L, 3L)).isEqualTo(List.of(1L, 2L));
        assertThat(call("list_slice", NUMBERS, 2L, 2L)).isEqualTo(List.of());
        assertThat(call("list_slice", NUMBERS, -1L, 2L))
                .isEqualTo(failure("cannot slice(-1, 2), negative indexes not supported"));
        assertThat(call("list_slice", NUMBERS, 3L, 2L))
                .isEqualTo(
                        failure(
                                "cannot slice(3, 2), start index must be less than or equal to end"
                                        + " index"));
        assertThat(call("list_slice", NUMBERS, 0L, 5L))
                .isEqualTo(failure("cannot slice(0, 5), list is length 4"));
        assertThat(call("list_slice", NUMBERS, 0L, Long.MAX_VALUE)).isInstanceOf(CelError.class);
    }

    @Test
    void flattens() {
        var nested = List.of(1L, List.of(2L, List.of(3L, List.of(4L))), List.of());
        assertThat(call("list_flatten", nested))
                .isEqualTo(List.of(1L, 2L, List.of(3L, List.of(4L))));
        assertThat(call("list_flatten_int", nested, 2L))
                .isEqualTo(List.of(1L, 2L, 3L, List.of(4L)));
        assertThat(call("list_flatten_int", nested, 0L)).isEqualTo(nested);
        assertThat(call("list_flatten_int", nested, Long.MAX_VALUE))
                .isEqualTo(List.of(1L, 2L, 3L, 4L));
        assertThat(call("list_flatten_int", nested, -1L))
                .isEqualTo(failure("level must be non-negative"));
    }

    @Test
    void flattensDeepListsWithoutRecursion() {
        List<Object> deep = List.of(1L);
        for (var i = 0; i < 20_000; i++) {
            deep = List.of(deep);
        }
        assertThat(call("list_flatten_int", deep, 20_000L)).isEqualTo(List.of(1L));
    }

    @Test
    void refusesToFlattenBeyondTheLimit() {
        List<Object> row = Collections.nCopies(1001, 1L);
        List<Object> rows = Collections.nCopies(1001, row);
        assertThat(call("list_flatten", rows))
                .isEqualTo(failure("flatten: result exceeds maximum allowed (1000000 elements)"));
    }

    @Test
    void sorts() {
        assertThat(call("list_int_sort", NUMBERS)).isEqualTo(List.of(1L, 1L, 2L, 3L));
        assertThat(call("list_string_sort", List.of("\ud800\udc00", "\uffff")))
                .isEqualTo(List.of("\uffff", "\ud800\udc00"));
        assertThat(call("list_int_sort", List.of())).isEqualTo(List.of());
        assertThat(call("list_int_sort", List.of(1L, "a")))
                .isEqualTo(failure("list elements must have the same type"));
        assertThat(call("list_int_sort", List.of(List.of(1L))))
                .isEqualTo(failure("list elements must be comparable"));
        assertThat(call("list_double_sort", List.of(2.0, Double.NaN, 1.0)))
                .isInstanceOf(List.class);
    }

    @Test
    void sortsByKeys() {
        assertThat(
                        call(
                                "list_int_sortByAssociatedKeys",
                                List.of("foo", "bar", "baz"),
                                List.of(3L, 1L, 2L)))
                .isEqualTo(List.of("bar", "baz", "foo"));
        assertThat(call("list_int_sortByAssociatedKeys", List.of("foo"), List.of()))
                .isEqualTo(
                        failure(
                                "@sortByAssociatedKeys() expected a list of the same size as the"
                                        + " associated keys list, but got 1 and 0 elements"
                                        + " respectively"));
    }

    @Test
    void reversesAndRemovesRepetitions() {
        assertThat(call("list_reverse", NUMBERS)).isEqualTo(List.of(1L, 2L, 1L, 3L));
        assertThat(call("list_distinct", List.of(1L, "b", new UInt(1), 1.0, "b")))
                .isEqualTo(List.of(1L, "b"));
        assertThat(call("list_distinct", Collections.nCopies(1001, 1L)))
                .isInstanceOf(CelError.class);
    }

    @Test
    void rangesCostNoMemory() {
        assertThat(call("lists_range", 3L)).isEqualTo(List.of(0L, 1L, 2L));
        assertThat(call("lists_range", 0L)).isEqualTo(List.of());
        assertThat(charge("lists_range", 10_000_000L)).isEqualTo(10_000_011L);
        assertThat(call("lists_range", 1_000_000_000L))
                .isEqualTo(
                        failure(
                                "lists.range: size 1000000000 exceeds maximum allowed"
                                        + " (10000000)"));
        assertThat(call("lists_range", -1L))
                .isEqualTo(failure("lists.range: size must be non-negative, got -1"));
    }

    @Test
    void listsChargeForAllocationAndComparisons() {
        assertThat(charge("list_slice", NUMBERS, 1L, 3L)).isEqualTo(13);
        assertThat(charge("list_reverse", NUMBERS)).isEqualTo(15);
        assertThat(charge("list_flatten", List.of(List.of(1L), List.of(2L)))).isEqualTo(13);
        assertThat(charge("list_flatten_int", List.of(1L, 2L), 3L)).isEqualTo(17);
        assertThat(charge("list_int_sort", NUMBERS)).isEqualTo(43);
        assertThat(charge("list_string_sort", TEXTS)).isEqualTo(29);
        assertThat(charge("list_distinct", List.of())).isEqualTo(11);
        assertThat(charge("list_distinct", TEXTS)).isEqualTo(29);
    }

    @Test
    void estimatesOfListsKnowConstants() {
        var list = list(SimpleType.INT, 10, SizeRange.UNBOUNDED);
        assertThat(estimate("list_slice", list, constant(2), constant(5)))
                .isEqualTo(CallEstimate.of(CostRange.exactly(14), SizeRange.exactly(3)));
        assertThat(estimate("list_slice", list, number(), number()))
                .isEqualTo(CallEstimate.of(CostRange.exactly(21), SizeRange.exactly(10)));
        assertThat(estimate("lists_range", constant(100)))
                .isEqualTo(CallEstimate.of(CostRange.exactly(111), SizeRange.exactly(100)));
        assertThat(estimate("lists_range", constant(-5)).cost()).isEqualTo(CostRange.exactly(11));
        assertThat(estimate("lists_range", number()).cost().max()).isEqualTo(Long.MAX_VALUE);
        assertThat(estimate("list_flatten_int", list, constant(3)).cost())
                .isEqualTo(CostRange.exactly(41));
        assertThat(estimate("list_int_sort", list).cost()).isEqualTo(CostRange.exactly(211));
        assertThat(estimate("list_string_sort", list).cost()).isEqualTo(CostRange.exactly(221));
        assertThat(estimate("list_distinct", list).cost()).isEqualTo(CostRange.exactly(211));
    }

    @Test
    void relatesSets() {
        assertThat(call("list_sets_contains_list", List.of(1L, 2.0), List.of(new UInt(2))))
                .isEqualTo(true);
        assertThat(call("list_sets_contains_list", List.of(), List.of())).isEqualTo(true);
        assertThat(call("list_sets_contains_list", List.of(1L), List.of("1"))).isEqualTo(false);
        assertThat(call("list_sets_equivalent_list", List.of(1L), List.of(1L, 1.0)))
                .isEqualTo(true);
        assertThat(call("list_sets_equivalent_list", List.of(2L, 1L), List.of(1L)))
                .isEqualTo(false);
        assertThat(call("list_sets_intersects_list", List.of(1L), List.of())).isEqualTo(false);
        assertThat(
                        call(
                                "list_sets_intersects_list",
                                List.of(List.of(1L), List.of(2L, 3L)),
                                List.of(List.of(2L, 3.0))))
                .isEqualTo(true);
    }

    @Test
    void setsCostAllPairs() {
        assertThat(charge("list_sets_contains_list", NUMBERS, List.of(1L, 2L))).isEqualTo(9);
        assertThat(charge("list_sets_equivalent_list", List.of(1L, 2L, 3L), List.of(3L, 2L, 1L)))
                .isEqualTo(19);
        assertThat(charge("list_sets_intersects_list", List.of(), List.of())).isEqualTo(1);
        var list = list(SimpleType.INT, 3, SizeRange.UNBOUNDED);
        assertThat(estimate("list_sets_equivalent_list", list, list).cost())
                .isEqualTo(CostRange.exactly(19));
    }

    @Test
    void ambiguousCallsAreChargedByName() {
        var sorts = new ArrayList<Overload>();
        sorts.add(Functions.overload("list_int_sort"));
        sorts.add(Functions.overload("list_string_sort"));
        assertThat(Libraries.charge(sorts).of(new Object[] {NUMBERS}, NUMBERS)).isEqualTo(1);
        var contains =
                List.of(
                        Functions.overload("cidr_contains_ip_string"),
                        Functions.overload("cidr_contains_ip_ip"));
        var network = call("string_to_cidr", "192.168.0.0/16");
        assertThat(Libraries.charge(contains).of(new Object[] {network, "192.168.0.1"}, true))
                .isEqualTo(1);
    }
}
