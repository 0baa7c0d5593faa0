package dev.berth.server.kinds.custom;

import dev.berth.core.admission.field.FieldError;
import dev.berth.model.json.FieldPath;
import dev.berth.model.json.JsonObject;
import java.util.List;
import java.util.Optional;

/// Pruning, defaulting and validation of custom resources by their schema.
public interface CustomSchema {

    /// Accepts everything unchanged.
    CustomSchema ANYTHING =
            new CustomSchema() {
                @Override
                public JsonObject prune(JsonObject object) {
                    return object;
                }

                @Override
                public JsonObject defaults(JsonObject object) {
                    return object;
                }

                @Override
                public List<FieldError> validate(JsonObject object, Optional<JsonObject> old) {
                    return List.of();
                }
            };

    /// The object without fields that the schema does not declare.
    JsonObject prune(JsonObject object);

    /// The object with the schema's defaults.
    JsonObject defaults(JsonObject object);

    /// Validates an object.
    ///
    /// @param old the replaced object; empty for a creation
    List<FieldError> validate(JsonObject object, Optional<JsonObject> old);

    /// Compiles schemas.
    @FunctionalInterface
    interface Compiler {

        /// Compiles a schema.
        ///
        /// @param openApiV3Schema as in a version of a definition
        CustomSchema compile(JsonObject openApiV3Schema);

        /// Errors of a schema; empty for a valid structural one.
        default List<FieldError> problems(JsonObject openApiV3Schema, FieldPath path) {
            return List.of();
        }
    }
}
