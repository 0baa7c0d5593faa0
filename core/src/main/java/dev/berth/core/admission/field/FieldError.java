package dev.berth.core.admission.field;

import dev.berth.core.text.GoText;
import dev.berth.model.json.FieldPath;
import dev.berth.model.json.Json;
import dev.berth.model.json.Json.JsonNull;
import dev.berth.model.json.Json.JsonString;
import dev.berth.model.json.JsonWriter;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.TreeSet;

/// A validation error of one field; `field.Error` in Kubernetes.
///
/// @param badValue the rejected value, for the error types that print it
/// @param detail description of the error, may be empty
public record FieldError(Type type, FieldPath path, Optional<Json> badValue, String detail) {

    /// Type of the error. The reason is for programs, the title for people.
    public enum Type {
        REQUIRED("FieldValueRequired", "Required value", false),
        INVALID("FieldValueInvalid", "Invalid value", true),
        NOT_SUPPORTED("FieldValueNotSupported", "Unsupported value", true),
        DUPLICATE("FieldValueDuplicate", "Duplicate value", true),
        TOO_MANY("FieldValueTooMany", "Too many", true),
        TOO_LONG("FieldValueTooLong", "Too long", false),
        FORBIDDEN("FieldValueForbidden", "Forbidden", false),
        NOT_FOUND("FieldValueNotFound", "Not found", true),
        INTERNAL("InternalError", "Internal error", false),
        TYPE_INVALID("FieldValueTypeInvalid", "Invalid value", true);

        private final String reason;
        private final String title;
        private final boolean showsValue;

        Type(String reason, String title, boolean showsValue) {
            this.reason = reason;
            this.title = title;
            this.showsValue = showsValue;
        }

        public String reason() {
            return reason;
        }
    }

    public static FieldError required(FieldPath path, String detail) {
        return new FieldError(Type.REQUIRED, path, Optional.empty(), detail);
    }

    public static FieldError required(FieldPath path) {
        return required(path, "");
    }

    public static FieldError invalid(FieldPath path, Json value, String detail) {
        return new FieldError(Type.INVALID, path, Optional.of(value), detail);
    }

    public static FieldError invalid(FieldPath path, String value, String detail) {
        return invalid(path, Json.of(value), detail);
    }

    public static FieldError immutable(FieldPath path, Json value) {
        return invalid(path, value, "field is immutable");
    }

    public static FieldError notSupported(
            FieldPath path, String value, Collection<String> supported) {
        var list = new StringBuilder();
        for (var one : new TreeSet<>(supported)) {
            list.append(list.isEmpty() ? "" : ", ").append(GoText.quote(one));
        }
        return new FieldError(
                Type.NOT_SUPPORTED, path, Optional.of(Json.of(value)), "supported values: " + list);
    }

    public static FieldError duplicate(FieldPath path, Json value) {
        return new FieldError(Type.DUPLICATE, path, Optional.of(value), "");
    }

    public static FieldError tooMany(FieldPath path, int actual, int limit) {
        return new FieldError(
                Type.TOO_MANY,
                path,
                Optional.of(Json.of(actual)),
                "must have at most %d %s".formatted(limit, limit == 1 ? "item" : "items"));
    }

    public static FieldError tooLong(FieldPath path, int limit) {
        return new FieldError(
                Type.TOO_LONG,
                path,
                Optional.empty(),
                "may not be more than %d %s".formatted(limit, limit == 1 ? "byte" : "bytes"));
    }

    public static FieldError forbidden(FieldPath path, String detail) {
        return new FieldError(Type.FORBIDDEN, path, Optional.empty(), detail);
    }

    public static FieldError notFound(FieldPath path, String value, String detail) {
        return new FieldError(Type.NOT_FOUND, path, Optional.of(Json.of(value)), detail);
    }

    public static FieldError internal(FieldPath path, String detail) {
        return new FieldError(Type.INTERNAL, path, Optional.empty(), detail);
    }

    /// One error per message about a string value.
    public static List<FieldError> invalid(FieldPath path, String value, List<String> messages) {
        return messages.isEmpty()
                ? List.of()
                : messages.stream().map(message -> invalid(path, value, message)).toList();
    }

    /// The error without its field path, as in the causes of a Status: `Invalid value: "x": …`.
    public String message() {
        var text = new StringBuilder(type.title);
        if (type.showsValue) {
            text.append(": ").append(spelled(badValue.orElse(JsonNull.INSTANCE)));
        }
        if (!detail.isEmpty()) {
            text.append(": ").append(detail);
        }
        return text.toString();
    }

    private static String spelled(Json value) {
        return value instanceof JsonString(var text)
                ? GoText.quote(text)
                : JsonWriter.compact(value);
    }

    /// The whole error as Kubernetes prints it: `spec.selectors: Too many: 33: must have at most
    /// …`.
    @Override
    public String toString() {
        return path + ": " + message();
    }
}
