package dev.berth.server.kinds.check;

import dev.berth.core.admission.field.FieldError;
import dev.berth.core.admission.field.SemanticEquality;
import dev.berth.model.json.FieldPath;
import dev.berth.model.json.Json;
import dev.berth.model.json.Json.JsonArray;
import dev.berth.model.json.Json.JsonNull;
import dev.berth.model.json.Json.JsonString;
import dev.berth.model.json.JsonNumber;
import dev.berth.model.json.JsonObject;
import dev.berth.schema.FieldConstraints;
import dev.berth.schema.FieldUnion;
import dev.berth.schema.SchemaType;
import dev.berth.schema.SchemaType.Field;
import dev.berth.schema.SchemaType.ListOf;
import dev.berth.schema.SchemaType.MapOf;
import dev.berth.schema.SchemaType.Merge;
import dev.berth.schema.SchemaType.Scalar;
import dev.berth.schema.SchemaType.Struct;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/// Validates objects by the constraints of their schema.
public final class FieldChecks {

    private static final Set<String> COMMON = Set.of("apiVersion", "kind", "metadata");
    private static final String STATUS = "status";

    private final ObjectChecks checks;

    private FieldChecks(ObjectChecks checks) {
        this.checks = checks;
    }

    /// Checks all fields but metadata and status.
    public static void check(Struct struct, JsonObject object, ObjectChecks checks) {
        var check = new FieldChecks(checks);
        for (var field : struct.fields().all()) {
            if (!isCommon(field) && !field.name().equals(STATUS)) {
                check.field(field, object, FieldPath.ROOT, field.name().equals("spec"));
            }
        }
    }

    public static void checkStatus(Struct struct, JsonObject object, ObjectChecks checks) {
        var status = struct.fields().named(STATUS);
        if (status != null) {
            new FieldChecks(checks).field(status, object, FieldPath.ROOT, false);
        }
    }

    /// Rejects changes of immutable fields.
    public static void checkUpdate(
            Struct struct, JsonObject old, JsonObject object, ObjectChecks checks) {
        new FieldChecks(checks).changes(struct, old, object, FieldPath.ROOT);
    }

    /// True for the fields that every kind has.
    static boolean isCommon(Field field) {
        return COMMON.contains(field.name());
    }

    private void field(Field field, JsonObject holder, FieldPath parent, boolean always) {
        var path = parent.child(field.name());
        var constraints = field.constraints();
        var value = holder.member(field.name()).filter(one -> !(one instanceof JsonNull));
        if (constraints.required() && value.map(FieldChecks::isEmpty).orElse(true)) {
            checks.required(path, "");
        } else if (value.isPresent()) {
            value(field.type(), constraints, value.get(), path);
        } else if (field.required() || always) {
            absent(field, path);
        }
    }

    /// Go has no absent values for these fields: they are checked as empty ones.
    private void absent(Field field, FieldPath path) {
        if (field.type() instanceof Struct struct) {
            struct(struct, JsonObject.EMPTY, path);
        } else if (field.type() == Scalar.STRING && !field.constraints().format().isEmpty()) {
            text(field.constraints(), "", path);
        }
    }

    private static boolean isEmpty(Json value) {
        return switch (value) {
            case JsonString(var text) -> text.isEmpty();
            case JsonArray array -> array.items().isEmpty();
            case JsonObject object -> object.isEmpty();
            default -> false;
        };
    }

    private void value(SchemaType type, FieldConstraints constraints, Json value, FieldPath path) {
        switch (type) {
            case Struct struct -> {
                if (value instanceof JsonObject object) {
                    if (constraints.format().equals(FieldFormats.LABEL_SELECTOR)) {
                        SelectorChecks.check(object, path, checks);
                    }
                    struct(struct, object, path);
                }
            }
            case ListOf list -> {
                if (value instanceof JsonArray array) {
                    list(list, constraints, array.items(), path);
                }
            }
            case MapOf map -> {
                if (value instanceof JsonObject object) {
                    object.members()
                            .forEach((key, one) ->
                                    value(map.value(), FieldConstraints.NONE, one, path.key(key)));
                }
            }
            case Scalar scalar -> scalar(scalar, constraints, value, path);
        }
    }

    private void struct(Struct struct, JsonObject object, FieldPath path) {
        for (var union : struct.fields().unions()) {
            union(union, object, path);
        }
        for (var field : struct.fields().all()) {
            field(field, object, path, false);
        }
    }

    private void union(FieldUnion union, JsonObject object, FieldPath path) {
        var set = union.fields().stream().filter(object::has).count();
        var names = union.fields().stream().map(name -> "`" + name + "`");
        if (union.exclusive() && set != 1) {
            checks.invalid(
                    path,
                    object,
                    "must specify exactly one of: " + names.collect(Collectors.joining(", ")));
        } else if (set == 0) {
            checks.invalid(
                    path,
                    object,
                    "either " + names.collect(Collectors.joining(" or ")) + " must be specified");
        }
    }

    private void list(ListOf type, FieldConstraints constraints, List<Json> items, FieldPath path) {
        if (constraints.maxItems() > 0 && items.size() > constraints.maxItems()) {
            checks.add(FieldError.tooMany(path, items.size(), constraints.maxItems()));
        }
        var key = keyOf(type);
        var seen = new HashSet<String>();
        for (var i = 0; i < items.size(); i++) {
            value(type.item(), constraints, items.get(i), path.index(i));
            if (key.isPresent() && items.get(i) instanceof JsonObject item) {
                var text = item.text(key.get());
                if (!text.isEmpty() && !seen.add(text)) {
                    checks.add(FieldError.duplicate(path.index(i).child(key.get()), Json.of(text)));
                }
            }
        }
    }

    private static Optional<String> keyOf(ListOf type) {
        return type.merge() instanceof Merge.ByKeys(var keys) && keys.size() == 1
                ? Optional.of(keys.getFirst())
                : Optional.empty();
    }

    private void scalar(Scalar type, FieldConstraints constraints, Json value, FieldPath path) {
        if (value instanceof JsonString(var text)) {
            if (type == Scalar.QUANTITY) {
                amount(constraints, text, path);
            } else if (!text.isEmpty()) {
                text(constraints, text, path);
            }
        } else if (value instanceof JsonNumber number) {
            number(constraints, number.asLong().orElse(0), path);
        }
    }

    private void text(FieldConstraints constraints, String text, FieldPath path) {
        if (!constraints.values().isEmpty() && !constraints.values().contains(text)) {
            checks.add(FieldError.notSupported(path, text, constraints.values()));
        }
        if (constraints.maxLength() > 0 && text.length() > constraints.maxLength()) {
            checks.add(FieldError.tooLong(path, constraints.maxLength()));
        }
        if (!constraints.format().isEmpty()) {
            checks.form(text, path, FieldFormats.messages(constraints.format(), text));
        }
    }

    private void number(FieldConstraints constraints, long number, FieldPath path) {
        var min = constraints.min();
        var max = constraints.max();
        var low = min.isPresent() && number < min.getAsLong();
        var high = max.isPresent() && number > max.getAsLong();
        if (!low && !high) {
            return;
        }
        var message =
                min.isPresent() && max.isPresent()
                        ? "must be between %d and %d, inclusive"
                                .formatted(min.getAsLong(), max.getAsLong())
                        : low
                                ? "must be greater than or equal to " + min.getAsLong()
                                : "must be less than or equal to " + max.getAsLong();
        checks.invalid(path, Json.of(number), message);
    }

    /// The only supported minimum of a quantity is 0.
    private void amount(FieldConstraints constraints, String text, FieldPath path) {
        if (constraints.min().isPresent()
                && SemanticEquality.quantity(Json.of(text))
                        .map(q -> q.signum() < 0)
                        .orElse(false)) {
            checks.invalid(path, text, ObjectChecks.NOT_NEGATIVE);
        }
    }

    private void changes(Struct struct, JsonObject old, JsonObject object, FieldPath path) {
        for (var field : struct.fields().all()) {
            var name = field.name();
            if (isCommon(field) || name.equals(STATUS)) {
                continue;
            }
            switch (field.constraints().changes()) {
                case IMMUTABLE -> checks.immutable(old, object, name, path);
                case FORBIDDEN -> {
                    if (!SemanticEquality.sameMember(name, old, object)) {
                        checks.forbidden(
                                path.child(name), "updates to " + name + " are forbidden.");
                    }
                }
                case ALLOWED -> {
                    if (field.type() instanceof Struct inner
                            && old.object(name).isPresent()
                            && object.object(name).isPresent()) {
                        changes(
                                inner,
                                old.objectOrEmpty(name),
                                object.objectOrEmpty(name),
                                path.child(name));
                    }
                }
            }
        }
    }
}
