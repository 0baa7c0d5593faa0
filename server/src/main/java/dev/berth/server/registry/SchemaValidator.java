package dev.berth.server.registry;

import dev.berth.model.json.JsonObject;
import java.util.List;

/// Checks that objects have the fields of their kind, of the right types.
@FunctionalInterface
public interface SchemaValidator {

    /// What came of it.
    ///
    /// @param object in the version that travels inside, with known fields only
    /// @param faults why it cannot be understood at all; empty when it can
    /// @param oddities what was ignored: `unknown field "spec.x"`
    record Checked(JsonObject object, List<String> faults, List<String> oddities) {
        public Checked {
            faults = List.copyOf(faults);
            oddities = List.copyOf(oddities);
        }
    }

    /// Checks an object of the given version of the API.
    Checked check(Resource resource, String version, JsonObject object);
}
