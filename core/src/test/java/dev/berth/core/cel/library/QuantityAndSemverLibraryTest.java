package dev.berth.core.cel.library;

import static dev.berth.core.cel.library.Functions.call;
import static dev.berth.core.cel.library.Functions.charge;
import static dev.berth.core.cel.library.Functions.estimate;
import static dev.berth.core.cel.library.Functions.failure;
import static dev.berth.core.cel.library.Functions.text;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.core.cel.cost.CostRange;
import dev.berth.model.quantity.Quantity;
import dev.berth.model.quantity.Semver;
import org.junit.jupiter.api.Test;

class QuantityAndSemverLibraryTest {

    private static final Quantity SMALL = Quantity.parse("50M");
    private static final Quantity LARGE = Quantity.parse("50Mi");
    private static final Semver OLD = Semver.parse("1.2.3-rc.1");
    private static final Semver NEW = Semver.parse("1.2.3");

    @Test
    void readsQuantities() {
        assertThat(call("string_to_quantity", "1.5G")).isEqualTo(Quantity.parse("1500M"));
        assertThat(call("string_to_quantity", "200K"))
                .isEqualTo(failure("unable to parse quantity's suffix"));
        assertThat(call("is_quantity_string", "1.3Gi")).isEqualTo(true);
        assertThat(call("is_quantity_string", "1,3G")).isEqualTo(false);
        assertThat(call("string_to_quantity", 1L)).isEqualTo(CelError.noSuchOverload());
    }

    @Test
    void comparesQuantities() {
        assertThat(call("quantity_is_less_than", SMALL, LARGE)).isEqualTo(true);
        assertThat(call("quantity_is_greater_than", SMALL, LARGE)).isEqualTo(false);
        assertThat(call("quantity_compare_to", SMALL, LARGE)).isEqualTo(-1L);
        assertThat(call("quantity_compare_to", LARGE, SMALL)).isEqualTo(1L);
        assertThat(call("quantity_compare_to", LARGE, 1L)).isEqualTo(CelError.noSuchOverload());
        assertThat(call("quantity_sign", Quantity.parse("-1m"))).isEqualTo(-1L);
    }

    @Test
    void calculatesWithQuantitiesAndIntegers() {
        assertThat(call("quantity_add", SMALL, SMALL)).isEqualTo(Quantity.parse("100M"));
        assertThat(call("quantity_add_int", SMALL, 1L)).isEqualTo(Quantity.parse("50000001"));
        assertThat(call("quantity_sub", SMALL, SMALL)).isEqualTo(Quantity.ZERO);
        assertThat(call("quantity_sub_int", SMALL, -1L)).isEqualTo(Quantity.parse("50000001"));
        assertThat(call("quantity_add", SMALL, "1")).isEqualTo(CelError.noSuchOverload());
    }

    @Test
    void convertsQuantities() {
        assertThat(call("quantity_get_int", SMALL)).isEqualTo(50_000_000L);
        assertThat(call("quantity_get_int", Quantity.parse("1000m")))
                .isEqualTo(failure("cannot convert value to integer"));
        assertThat(call("quantity_is_integer", Quantity.parse("9999999999999999999999G")))
                .isEqualTo(false);
        assertThat(call("quantity_get_float", Quantity.parse("1.5"))).isEqualTo(1.5);
    }

    @Test
    void readsVersions() {
        assertThat(call("string_to_semver", "1.2.3")).isEqualTo(NEW);
        assertThat(call("string_to_semver", "v1.2.3"))
                .isEqualTo(failure("Invalid character(s) found in major number \"v1\""));
        assertThat(call("string_bool_to_semver", "v1.2", true)).isEqualTo(Semver.parse("1.2.0"));
        assertThat(call("string_bool_to_semver", "1.2", false))
                .isEqualTo(failure("No Major.Minor.Patch elements found"));
        assertThat(call("string_bool_to_semver", "1.2", 1L)).isEqualTo(CelError.noSuchOverload());
        assertThat(call("is_semver_string", "1.2")).isEqualTo(false);
        assertThat(call("is_semver_string_bool", "1.2", true)).isEqualTo(true);
        assertThat(call("is_semver_string_bool", "1.2-rc", true)).isEqualTo(false);
    }

    @Test
    void comparesVersionsAndReturnsTheirNumbers() {
        assertThat(call("semver_is_less_than", OLD, NEW)).isEqualTo(true);
        assertThat(call("semver_is_greater_than", OLD, NEW)).isEqualTo(false);
        assertThat(call("semver_compare_to", NEW, OLD)).isEqualTo(1L);
        assertThat(call("semver_major", NEW)).isEqualTo(1L);
        assertThat(call("semver_minor", NEW)).isEqualTo(2L);
        assertThat(call("semver_patch", NEW)).isEqualTo(3L);
        assertThat(call("semver_patch", SMALL)).isEqualTo(CelError.noSuchOverload());
    }

    @Test
    void readingCostsATenthOfTheLength() {
        assertThat(charge("string_to_quantity", "1Ki")).isEqualTo(1);
        assertThat(charge("is_quantity_string", "12345678901")).isEqualTo(2);
        assertThat(charge("string_to_semver", "1234.56789012345.67890123456789")).isEqualTo(4);
        assertThat(charge("is_semver_string_bool", "", true)).isZero();
        assertThat(estimate("string_to_semver", text(33)).cost()).isEqualTo(CostRange.exactly(4));
        assertThat(estimate("is_quantity_string", text(0)).cost()).isEqualTo(CostRange.ZERO);
    }

    @Test
    void everythingElseCostsOne() {
        assertThat(charge("quantity_is_less_than", SMALL, LARGE)).isEqualTo(1);
        assertThat(charge("semver_major", NEW)).isEqualTo(1);
        assertThat(estimate("quantity_add_int", text(1), text(1)).cost()).isEqualTo(CostRange.ONE);
    }

    @Test
    void signIsAFunctionAndNoMember() {
        assertThat(Functions.overload("quantity_sign").member()).isFalse();
        assertThat(Functions.overload("quantity_add").member()).isTrue();
    }
}
