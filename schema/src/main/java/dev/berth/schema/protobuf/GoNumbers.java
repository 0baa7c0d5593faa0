package dev.berth.schema.protobuf;

import java.math.BigDecimal;

/// Floating-point numbers as Go's JSON encoder writes them.
final class GoNumbers {

    private static final double LEAST_PLAIN = 1e-6;
    private static final double FIRST_EXPONENT = 1e21;

    private GoNumbers() {}

    static String text(double value) {
        if (!Double.isFinite(value)) {
            throw ProtobufException.malformed("number " + value + " is not finite");
        }
        if (value == 0) {
            return "0";
        }
        var decimal = new BigDecimal(Double.toString(value)).stripTrailingZeros();
        var size = Math.abs(value);
        return size >= LEAST_PLAIN && size < FIRST_EXPONENT
                ? decimal.toPlainString()
                : decimal.toString().replace('E', 'e');
    }
}
