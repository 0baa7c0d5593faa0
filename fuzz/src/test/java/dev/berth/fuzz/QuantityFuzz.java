package dev.berth.fuzz;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.berth.model.quantity.CommonUnit;
import dev.berth.model.quantity.Quantity;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;

/// Any two words are quantities with exact arithmetic, or rejected.
public final class QuantityFuzz {

    private static final int MAX_PRINTED = 3_000;
    private static final BigDecimal BINARY_CAP = BigDecimal.valueOf(Long.MAX_VALUE);

    private static final BigDecimal LARGEST = BigDecimal.ONE.scaleByPowerOfTen(999);

    private QuantityFuzz() {}

    public static void fuzzerTestOneInput(byte[] input) {
        var words = new String(input, StandardCharsets.UTF_8).split(" ", 2);
        var a = parsed(words[0]);
        var b = parsed(words[words.length - 1]);
        survivesPrinting(a);
        a.asLong().ifPresent(whole -> assertThat(a.roundedUp()).isEqualTo(whole));
        a.asPlainLong().ifPresent(whole -> assertThat(a.asLong()).hasValue(whole));
        assertThat(BigDecimal.valueOf(a.milliRoundedUp())).isLessThanOrEqualTo(BINARY_CAP);
        add(a, b);
        assertThat(a.times(3)).isEqualTo(a.plus(a).plus(a));
        assertThat(Integer.signum(a.compareTo(b))).isEqualTo(-Integer.signum(b.compareTo(a)));
        assertThat(a.equals(b)).isEqualTo(a.compareTo(b) == 0);
        if (a.equals(b)) {
            assertThat(a).hasSameHashCodeAs(b);
        }
        var unit = CommonUnit.NONE.including(a).including(b);
        unit.count(a).ifPresent(count -> assertThat(unit.times(count)).isEqualTo(a));
        unit.count(b).ifPresent(count -> assertThat(unit.times(count)).isEqualTo(b));
    }

    private static Quantity parsed(String text) {
        var quantity = Quantity.tryParse(text);
        if (quantity.isEmpty()) {
            assertThat(catchThrowable(() -> Quantity.parse(text)))
                    .isInstanceOf(IllegalArgumentException.class);
        }
        return quantity.orElse(Quantity.ZERO);
    }

    private static void add(Quantity a, Quantity b) {
        var sum = a.plus(b);
        assertThat(sum).isEqualTo(b.plus(a));
        assertThat(sum.minus(b)).isEqualTo(a);
        survivesPrinting(sum);
        survivesPrinting(sum.negate());
    }

    /// Quantities beyond the bounds result only from arithmetic: parsing clamps or rejects them.
    private static void survivesPrinting(Quantity quantity) {
        var printed = quantity.toString();
        assertThat(printed).hasSizeLessThan(MAX_PRINTED);
        var most = quantity.notation() == Quantity.Notation.BINARY ? BINARY_CAP : LARGEST;
        if (quantity.amount().abs().compareTo(most) <= 0) {
            assertThat(Quantity.parse(printed)).as("%s", printed).isEqualTo(quantity);
        }
    }
}
