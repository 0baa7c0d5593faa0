package dev.berth.server;

import dev.berth.core.admission.Problem;
import dev.berth.model.json.FieldPath;
import dev.berth.model.json.JsonObject;
import dev.berth.server.kinds.CustomSchema;
import dev.berth.server.schema.StructuralSchema;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// Makes rules of the schemas of custom kinds.
final class CustomSchemas implements CustomSchema.Compiler {

    @Override
    public CustomSchema compile(JsonObject openApiV3Schema) {
        return new Rules(StructuralSchema.of(openApiV3Schema));
    }

    @Override
    public List<Problem> problems(JsonObject openApiV3Schema, FieldPath path) {
        return StructuralSchema.of(openApiV3Schema).faults().stream()
                .map(fault -> Problem.invalid(path, openApiV3Schema, fault))
                .toList();
    }

    private record Rules(StructuralSchema schema) implements CustomSchema {

        @Override
        public JsonObject prune(JsonObject object) {
            return schema.prune(object, new ArrayList<>());
        }

        @Override
        public JsonObject defaults(JsonObject object) {
            return schema.withDefaults(object);
        }

        @Override
        public List<Problem> validate(JsonObject object, Optional<JsonObject> old) {
            return schema.validate(object);
        }
    }
}
