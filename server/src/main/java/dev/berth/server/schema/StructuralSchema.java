package dev.berth.server.schema;

import com.google.re2j.Pattern;
import com.google.re2j.PatternSyntaxException;
import dev.berth.core.admission.FieldError;
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

/// The schema of a kind that users define, as far as it judges and changes objects.
///
/// Expressions are matched by re2, whose time grows with the text only: both sides of a match come
/// from users.
public final class StructuralSchema {

    static final Set<String> OF_EVERY_OBJECT = Set.of("apiVersion", "kind", "metadata");

    private final JsonObject schema;
    private final Map<String, Pattern> patterns = new HashMap<>();
    private final List<String> faults = new ArrayList<>();
    private final ExpressionRules expressions = new ExpressionRules();
    private final List<FieldError> wrongRules;

    private StructuralSchema(JsonObject schema) {
        this.schema = schema;
        prepare(schema, FieldPath.of("openAPIV3Schema"));
        this.wrongRules = expressions.prepare(schema, FieldPath.ROOT);
    }

    /// Takes a schema as it is.
    ///
    /// @param schema what the definition has as `openAPIV3Schema`
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
            faults.add(path + ": " + e.getDescription());
        }
    }

    /// What is wrong with the schema itself, so that its definition should be refused.
    public List<String> faults() {
        return List.copyOf(faults);
    }

    /// What is wrong with the rules that it has as expressions, seen from the schema.
    public List<FieldError> wrongRules() {
        return wrongRules;
    }

    /// What is wrong with an object that is new.
    public List<FieldError> validate(JsonObject object) {
        return validate(object, Optional.empty());
    }

    /// What is wrong with an object. Expressions are asked only when the rest is right.
    ///
    /// @param old what it replaces; empty when it is new
    public List<FieldError> validate(JsonObject object, Optional<JsonObject> old) {
        var problems = misshapen(object);
        return problems.isEmpty() ? expressions.judge(schema, object, old) : problems;
    }

    private List<FieldError> misshapen(JsonObject object) {
        var rules = new SchemaRules(patterns);
        rules.value(schema, object, "");
        var problems = new ArrayList<>(rules.problems());
        new ListRules(problems).value(schema, object, FieldPath.ROOT);
        return problems;
    }

    /// The object without fields that the schema does not have. Metadata is left as it is.
    ///
    /// @param unknown gets a sentence about each field that went
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
            var place = path.isEmpty() ? name : path + "." + name;
            if (whole && OF_EVERY_OBJECT.contains(name)) {
                kept.put(name, value);
            } else if (properties.members().get(name) instanceof JsonObject property) {
                kept.put(name, prunedValue(property, value, place, unknown));
            } else if (CrdSchemas.hasAdditional(schema)) {
                kept.put(
                        name,
                        schema.members().get("additionalProperties") instanceof JsonObject values
                                ? prunedValue(values, value, place, unknown)
                                : value);
            } else if (CrdSchemas.keepsUnknown(schema)) {
                kept.put(name, value);
            } else {
                unknown.add("unknown field \"" + place + "\"");
            }
        }
        return new JsonObject(kept);
    }

    /// The object with the values that the schema gives to fields that are missing; empty when
    /// these would add more than so many bytes.
    public Optional<JsonObject> withDefaults(JsonObject object, long maxBytes) {
        return new SchemaDefaults(maxBytes).fill(schema, object);
    }
}
