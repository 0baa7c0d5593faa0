package dev.berth.server.schema;

import com.google.re2j.Pattern;
import com.google.re2j.PatternSyntaxException;
import dev.berth.core.admission.field.FieldError;
import dev.berth.model.json.FieldPath;
import dev.berth.model.json.Json;
import dev.berth.model.json.Json.JsonArray;
import dev.berth.model.json.JsonObject;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/// Structural schema of a custom resource: validation, pruning and defaulting.
///
/// Patterns are matched by RE2, whose time is linear in the text: both pattern and text come from
/// users.
public final class StructuralSchema {

    static final Set<String> OBJECT_FIELDS = Set.of("apiVersion", "kind", "metadata");

    private final JsonObject schema;
    private final Map<String, Pattern> patterns = new HashMap<>();
    private final List<String> errors = new ArrayList<>();
    private final ExpressionRules expressions = new ExpressionRules();
    private final List<FieldError> ruleErrors;

    private StructuralSchema(JsonObject schema) {
        this.schema = schema;
        prepare(schema, FieldPath.of("openAPIV3Schema"));
        this.ruleErrors = expressions.prepare(schema, FieldPath.ROOT);
    }

    /// Compiles a schema.
    ///
    /// @param schema `openAPIV3Schema` of the definition
    public static StructuralSchema of(JsonObject schema) {
        return new StructuralSchema(schema);
    }

    private void prepare(Json part, FieldPath path) {
        if (part instanceof JsonObject object) {
            object.string("pattern").ifPresent(text -> compile(text, path.child("pattern")));
            object.members()
                    .forEach((name, value) -> {
                        if (!name.equals("default") && !name.equals("enum")) {
                            prepare(value, path.child(name));
                        }
                    });
        } else if (part instanceof JsonArray(var items)) {
            for (var i = 0; i < items.size(); i++) {
                prepare(items.get(i), path.index(i));
            }
        }
    }

    private void compile(String text, FieldPath path) {
        try {
            patterns.put(text, Pattern.compile(text));
        } catch (PatternSyntaxException e) {
            errors.add(path + ": " + e.getDescription());
        }
    }

    /// Errors of the schema itself, for which its definition is rejected.
    public List<String> errors() {
        return List.copyOf(errors);
    }

    /// Errors of its CEL rules, with paths relative to the schema.
    public List<FieldError> ruleErrors() {
        return ruleErrors;
    }

    /// Validates a new object.
    public List<FieldError> validate(JsonObject object) {
        return validate(object, Optional.empty());
    }

    /// Validates an object. CEL rules are evaluated only if the rest is valid.
    ///
    /// @param old the replaced object; empty for a creation
    public List<FieldError> validate(JsonObject object, Optional<JsonObject> old) {
        var problems = structuralErrors(object);
        return problems.isEmpty() ? expressions.evaluate(schema, object, old) : problems;
    }

    private List<FieldError> structuralErrors(JsonObject object) {
        var rules = new SchemaRules(patterns);
        rules.value(schema, object, "");
        var problems = new ArrayList<>(rules.problems());
        new ListRules(problems).value(schema, object, FieldPath.ROOT);
        return problems;
    }

    /// The object without undeclared fields. Metadata is unchanged.
    ///
    /// @param unknown receives a message for each pruned field
    public JsonObject prune(JsonObject object, List<String> unknown) {
        return pruned(schema, object, "", true, unknown);
    }

    private static Json prunedValue(
            JsonObject schema, Json value, String path, List<String> unknown) {
        return switch (value) {
            case JsonObject object ->
                    pruned(schema, object, path, CrdSchemas.isEmbedded(schema), unknown);
            case JsonArray(var items) -> {
                var kept = new ArrayList<Json>(items.size());
                var item = schema.objectOrEmpty("items");
                for (var i = 0; i < items.size(); i++) {
                    kept.add(prunedValue(item, items.get(i), path + "[" + i + "]", unknown));
                }
                yield new JsonArray(kept);
            }
            default -> value;
        };
    }

    private static JsonObject pruned(
            JsonObject schema,
            JsonObject object,
            String path,
            boolean whole,
            List<String> unknown) {
        var properties = schema.objectOrEmpty("properties");
        var kept = new LinkedHashMap<String, Json>();
        for (var entry : object.members().entrySet()) {
            var name = entry.getKey();
            var value = entry.getValue();
            var child = path.isEmpty() ? name : path + "." + name;
            if (whole && OBJECT_FIELDS.contains(name)) {
                kept.put(name, value);
            } else if (properties.members().get(name) instanceof JsonObject property) {
                kept.put(name, prunedValue(property, value, child, unknown));
            } else if (CrdSchemas.hasAdditional(schema)) {
                kept.put(
                        name,
                        schema.members().get("additionalProperties") instanceof JsonObject values
                                ? prunedValue(values, value, child, unknown)
                                : value);
            } else if (CrdSchemas.preservesUnknown(schema)) {
                kept.put(name, value);
            } else {
                unknown.add("unknown field \"" + child + "\"");
            }
        }
        return new JsonObject(kept);
    }

    /// The object with the defaults of missing fields; empty if these would add more than
    /// `maxBytes`.
    public Optional<JsonObject> withDefaults(JsonObject object, long maxBytes) {
        return new SchemaDefaults(maxBytes).fill(schema, object);
    }
}
