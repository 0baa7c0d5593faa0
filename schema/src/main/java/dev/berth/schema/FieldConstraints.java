package dev.berth.schema;

import java.util.List;
import java.util.OptionalLong;

/// Constraints on the value of a field, which are validated when an object is written. On a list,
/// all but `required` and `items` constrain its items.
///
/// @param required true if an absent or empty value is rejected
/// @param values the supported strings; empty if all are
/// @param min minimum number, inclusive
/// @param max maximum number, inclusive
/// @param maxItems maximum number of items of a list; 0 for no limit
/// @param maxLength maximum number of characters of a string; 0 for no limit
/// @param format name of a string format, such as `dns-label`; empty for none
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
        /// Rejected as an invalid value: "field is immutable".
        IMMUTABLE,
        /// Rejected as forbidden: "updates to NAME are forbidden.".
        FORBIDDEN
    }

    /// No constraints.
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

    /// Parses the text between the parentheses: `required, min 1, enum TCP UDP`.
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
