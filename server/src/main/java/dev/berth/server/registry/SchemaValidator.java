package dev.berth.server.registry;

import dev.berth.model.json.JsonObject;
import java.util.List;

/// Validates objects against the schema of their kind.
@FunctionalInterface
public interface SchemaValidator {

    /// Result of a validation.
    ///
    /// @param object in the internal version, without unknown fields
    /// @param errors why the object cannot be decoded; empty if it can
    /// @param warnings ignored fields: `unknown field "spec.x"`
    record Result(JsonObject object, List<String> errors, List<String> warnings) {
        public Result {
            errors = List.copyOf(errors);
            warnings = List.copyOf(warnings);
        }
    }

    /// Validates an object of the given API version.
    Result check(Resource resource, String version, JsonObject object);
}
