package dev.berth.server;

import dev.berth.core.admission.field.FieldError;
import dev.berth.model.json.FieldPath;
import dev.berth.model.json.JsonObject;
import dev.berth.server.kinds.custom.CustomSchema;
import dev.berth.server.registry.StoredSize;
import dev.berth.server.schema.StructuralSchema;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// Compiles the OpenAPI schemas of custom kinds to validation and defaulting rules.
final class CustomSchemas implements CustomSchema.Compiler {

    @Override
    public CustomSchema compile(JsonObject openApiV3Schema) {
        return new Rules(StructuralSchema.of(openApiV3Schema));
    }

    @Override
    public List<FieldError> problems(JsonObject openApiV3Schema, FieldPath path) {
        var schema = StructuralSchema.of(openApiV3Schema);
        var problems = new ArrayList<FieldError>();
        for (var error : schema.errors()) {
            problems.add(FieldError.invalid(path, openApiV3Schema, error));
        }
        for (var problem : schema.ruleErrors()) {
            problems.add(
                    new FieldError(
                            problem.type(),
                            under(path, problem.path()),
                            problem.badValue(),
                            problem.detail()));
        }
        return problems;
    }

    private static FieldPath under(FieldPath path, FieldPath below) {
        return below.parent()
                .map(parent ->
                        below.subscript()
                                ? under(path, parent).key(below.step())
                                : under(path, parent).child(below.step()))
                .orElse(path);
    }

    private record Rules(StructuralSchema schema) implements CustomSchema {

        @Override
        public JsonObject prune(JsonObject object) {
            return schema.prune(object, new ArrayList<>());
        }

        @Override
        public JsonObject defaults(JsonObject object) {
            return schema.withDefaults(object, StoredSize.MAX_BYTES)
                    .orElseThrow(StoredSize::tooManyDefaults);
        }

        @Override
        public List<FieldError> validate(JsonObject object, Optional<JsonObject> old) {
            return schema.validate(object, old);
        }
    }
}
