package dev.berth.schema;

import java.util.List;
import java.util.OptionalLong;

/// Constraints on the value of a field, which are checked when an object is written. Those of a
/// list other than `required` and `items` are constraints on its items.
///
/// @param required true when an absent or empty value is refused
/// @param values the supported texts; empty when all are
/// @param min the least number, inclusive
/// @param max the greatest number, inclusive
/// @param maxItems the most items of a list; 0 when there is no limit
/// @param maxLength the most characters of a text; 0 when there is no limit
/// @param format the name of a form of text, such as `dns-label`; empty when any text is fine
/// @param changes whether an update may change the value
public record FieldConstraints(
        boolean required,
        List<String> values,
        OptionalLong min,
        OptionalLong max,
        int maxItems,
        int maxLength,
        String format,
        Changes changes) {

    /// Whether an update may change the value of a field.
    public enum Changes {
        ALLOWED,
        /// Refused as an invalid value: "field is immutable".
        IMMUTABLE,
        /// Refused as forbidden: "updates to NAME are forbidden.".
        FORBIDDEN
    }

    /// Any value, also none.
    public static final FieldConstraints NONE =
            new FieldConstraints(
                    false,
                    List.of(),
                    OptionalLong.empty(),
                    OptionalLong.empty(),
                    0,
                    0,
                    "",
                    Changes.ALLOWED);

    public FieldConstraints {
        values = List.copyOf(values);
    }

    /// Reads what is between the round brackets: `required, min 1, enum TCP UDP`.
    static FieldConstraints read(String text) {
        var required = false;
        var values = List.<String>of();
        var min = OptionalLong.empty();
        var max = OptionalLong.empty();
        var maxItems = 0;
        var maxLength = 0;
        var format = "";
        var changes = Changes.ALLOWED;
        for (var part : text.split(",", -1)) {
            var words = List.of(part.strip().split(" +", -1));
            switch (words.getFirst()) {
                case "required" -> required = true;
                case "enum" -> values = words.subList(1, words.size());
                case "min" -> min = OptionalLong.of(Long.parseLong(words.get(1)));
                case "max" -> max = OptionalLong.of(Long.parseLong(words.get(1)));
                case "items" -> maxItems = Integer.parseInt(words.get(1));
                case "length" -> maxLength = Integer.parseInt(words.get(1));
                case "format" -> format = words.get(1);
                case "immutable" -> changes = Changes.IMMUTABLE;
                case "no-update" -> changes = Changes.FORBIDDEN;
                default -> throw new IllegalArgumentException("unknown constraint: " + part);
            }
        }
        return new FieldConstraints(
                required, values, min, max, maxItems, maxLength, format, changes);
    }
}
