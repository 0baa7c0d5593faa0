package dev.berth.server.registry;

import dev.berth.model.json.JsonObject;
import java.util.Set;
import java.util.function.UnaryOperator;

/// Something beneath an object that has rules of its own: `binding`, `eviction`, `scale`, `token`.
/// The plain `/status` is none of these; see [Resource#hasStatus].
///
/// @param kind of what is sent and answered: `Binding`, `Scale`
/// @param group of that kind, `autoscaling` for `Scale`
/// @param verbs of authorization: `get`, `create`, `update`, `patch`
public record Subresource(
        String name, String group, String version, String kind, Set<String> verbs, Rules rules) {

    public Subresource {
        verbs = Set.copyOf(verbs);
    }

    /// What it does.
    public interface Rules {

        /// The answer to reading.
        JsonObject read(JsonObject parent, RequestContext context);

        /// Carries out a `create` or `update`; returns the answer.
        ///
        /// @param writing how the parent is changed, retried by itself when somebody was faster
        JsonObject write(JsonObject parent, JsonObject body, RequestContext context, Writer writer);
    }

    /// Changes the parent object.
    public interface Writer {

        /// Stores what the change makes of the newest parent; the change may throw [ApiException].
        JsonObject change(UnaryOperator<JsonObject> change);

        /// The same with another object, such as the budget that an eviction uses up.
        ///
        /// @param collection such as `policy/poddisruptionbudgets`
        JsonObject changeOther(
                String collection, String namespace, String name, UnaryOperator<JsonObject> change);

        /// Deletes the parent as `DELETE` would, with these options.
        JsonObject delete(JsonObject deleteOptions);

        /// Adds a warning to the answer.
        void warn(String warning);
    }
}
