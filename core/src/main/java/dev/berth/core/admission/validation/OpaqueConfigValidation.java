package dev.berth.core.admission.validation;

import dev.berth.core.admission.field.FieldError;
import dev.berth.core.admission.field.FieldErrors;
import dev.berth.core.text.GoText;
import dev.berth.model.json.FieldPath;
import dev.berth.model.json.Json;
import dev.berth.model.json.JsonObject;
import dev.berth.model.json.JsonWriter;
import java.util.List;
import java.util.Optional;

/// Validates opaque configuration and other driver-defined data.
final class OpaqueConfigValidation {

    static final int MAX_BYTES = 10 * 1024;

    private OpaqueConfigValidation() {}

    /// @param stored whether the data is unchanged: then its size is not checked, since the limit
    ///   is newer than the field
    static void check(JsonObject entry, FieldPath path, boolean stored, FieldErrors problems) {
        var opaque = entry.object("opaque");
        var opaquePath = path.child("opaque");
        if (opaque.isEmpty()) {
            problems.add(FieldError.required(opaquePath));
            return;
        }
        problems.allCovered(
                DeviceNameValidation.driver(
                        opaque.get().text("driver"), opaquePath.child("driver")));
        problems.addAll(
                raw(opaque.get().member("parameters"), opaquePath.child("parameters"), stored));
    }

    /// A JSON object of limited size.
    ///
    /// Kubernetes counts the bytes of the request. The parsed tree does not have them, so the size
    /// of the usual format is taken, with a space after each colon and comma.
    static List<FieldError> raw(Optional<Json> value, FieldPath path, boolean stored) {
        if (value.isEmpty()) {
            return List.of(FieldError.required(path));
        }
        if (!stored && spelledBytes(value.get()) > MAX_BYTES) {
            return List.of(FieldError.tooLong(path, MAX_BYTES));
        }
        return value.get() instanceof JsonObject
                ? List.of()
                : List.of(
                        FieldError.invalid(path, "<value omitted>", "must be a valid JSON object"));
    }

    private static int spelledBytes(Json value) {
        return GoText.bytes(JsonWriter.compact(value)) + separators(value);
    }

    private static int separators(Json value) {
        return switch (value) {
            case JsonObject object -> {
                var inside = object.members().values();
                yield inside.size()
                        + Math.max(inside.size() - 1, 0)
                        + inside.stream().mapToInt(OpaqueConfigValidation::separators).sum();
            }
            case Json.JsonArray(var items) ->
                    Math.max(items.size() - 1, 0)
                            + items.stream().mapToInt(OpaqueConfigValidation::separators).sum();
            default -> 0;
        };
    }
}
