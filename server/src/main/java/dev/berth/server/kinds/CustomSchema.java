package dev.berth.server.kinds;

import dev.berth.core.admission.FieldError;
import dev.berth.model.json.FieldPath;
import dev.berth.model.json.JsonObject;
import java.util.List;
import java.util.Optional;

/// What the schema of a custom kind does to its objects.
public interface CustomSchema {

    /// Takes everything as it comes.
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

    /// The object without fields that the schema does not know.
    JsonObject prune(JsonObject object);

    /// The object with the schema's defaults.
    JsonObject defaults(JsonObject object);

    /// What is wrong with the object.
    ///
    /// @param old what it replaces; empty when it is new
    List<FieldError> validate(JsonObject object, Optional<JsonObject> old);

    /// Makes rules of schemas.
    @FunctionalInterface
    interface Compiler {

        /// The rules that a schema stands for.
        ///
        /// @param openApiV3Schema as in a version of a definition
        CustomSchema compile(JsonObject openApiV3Schema);

        /// What is wrong with a schema; a structural one has nothing.
        default List<FieldError> problems(JsonObject openApiV3Schema, FieldPath path) {
            return List.of();
        }
    }
}
