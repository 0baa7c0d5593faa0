package dev.berth.server.kinds.check;

import dev.berth.core.admission.field.FieldError;
import dev.berth.core.admission.field.FieldErrors;
import dev.berth.core.admission.field.NameFormats;
import dev.berth.core.admission.field.SemanticEquality;
import dev.berth.model.json.FieldPath;
import dev.berth.model.json.Json;
import dev.berth.model.json.Json.JsonNull;
import dev.berth.model.json.JsonObject;
import dev.berth.server.registry.RequestContext;
import java.util.HashSet;
import java.util.List;
import java.util.function.BiConsumer;

/// Collects the validation errors of an object, with checks that many kinds share.
public final class ObjectChecks {

    public static final FieldPath SPEC = FieldPath.of("spec");
    public static final FieldPath STATUS = FieldPath.of("status");
    public static final FieldPath METADATA = FieldPath.of("metadata");
    public static final String NOT_NEGATIVE = "must be greater than or equal to 0";

    private final FieldErrors problems = new FieldErrors();
    private final RequestContext context;

    public ObjectChecks(RequestContext context) {
        this.context = context;
    }

    public RequestContext context() {
        return context;
    }

    public FieldErrors problems() {
        return problems;
    }

    public List<FieldError> found() {
        return problems.all();
    }

    public void add(FieldError problem) {
        problems.add(problem);
    }

    public void addAll(List<FieldError> all) {
        problems.addAll(all);
    }

    public void required(FieldPath path, String detail) {
        add(FieldError.required(path, detail));
    }

    public void invalid(FieldPath path, String value, String detail) {
        add(FieldError.invalid(path, value, detail));
    }

    public void invalid(FieldPath path, Json value, String detail) {
        add(FieldError.invalid(path, value, detail));
    }

    public void forbidden(FieldPath path, String detail) {
        add(FieldError.forbidden(path, detail));
    }

    /// Requires a non-empty string.
    public boolean text(JsonObject holder, String name, FieldPath path) {
        if (!holder.text(name).isEmpty()) {
            return true;
        }
        required(path.child(name), "");
        return false;
    }

    public void form(String value, FieldPath path, List<String> messages) {
        addAll(FieldError.invalid(path, value, messages));
    }

    public void label(String value, FieldPath path) {
        form(value, path, NameFormats.label(value));
    }

    public void subdomain(String value, FieldPath path) {
        form(value, path, NameFormats.subdomain(value));
    }

    /// Requires one of several strings.
    public void oneOf(JsonObject holder, String name, FieldPath path, List<String> supported) {
        var value = holder.text(name);
        if (value.isEmpty()) {
            required(path.child(name), "");
        } else if (!supported.contains(value)) {
            add(FieldError.notSupported(path.child(name), value, supported));
        }
    }

    /// Requires one of several strings if present.
    public void optionalOneOf(
            JsonObject holder, String name, FieldPath path, List<String> supported) {
        if (holder.has(name) && !supported.contains(holder.text(name))) {
            add(FieldError.notSupported(path.child(name), holder.text(name), supported));
        }
    }

    public void notNegative(JsonObject holder, String name, FieldPath path) {
        var value = holder.number(name);
        if (value.isPresent() && value.getAsLong() < 0) {
            invalid(path.child(name), Json.of(value.getAsLong()), NOT_NEGATIVE);
        }
    }

    public void between(JsonObject holder, String name, FieldPath path, long low, long high) {
        var value = holder.number(name);
        if (value.isPresent() && (value.getAsLong() < low || value.getAsLong() > high)) {
            invalid(
                    path.child(name),
                    Json.of(value.getAsLong()),
                    "must be between %d and %d, inclusive".formatted(low, high));
        }
    }

    /// Rejects changes of a member.
    public void immutable(JsonObject old, JsonObject object, String name, FieldPath path) {
        if (!SemanticEquality.sameMember(name, old, object)) {
            add(
                    FieldError.immutable(
                            path.child(name), object.member(name).orElse(JsonNull.INSTANCE)));
        }
    }

    public void immutableSpec(JsonObject old, JsonObject object, String name) {
        immutable(old.objectOrEmpty("spec"), object.objectOrEmpty("spec"), name, SPEC);
    }

    /// Checks each object of a list, with its path.
    public void each(
            JsonObject holder, String list, FieldPath path, BiConsumer<JsonObject, FieldPath> one) {
        var items = holder.objects(list);
        for (var i = 0; i < items.size(); i++) {
            one.accept(items.get(i), path.child(list).index(i));
        }
    }

    /// Reports items of a list with a duplicate key.
    public void unique(JsonObject holder, String list, FieldPath path, String key) {
        var seen = new HashSet<String>();
        each(
                holder,
                list,
                path,
                (item, at) -> {
                    var value = item.text(key);
                    if (!value.isEmpty() && !seen.add(value)) {
                        add(FieldError.duplicate(at.child(key), Json.of(value)));
                    }
                });
    }
}
