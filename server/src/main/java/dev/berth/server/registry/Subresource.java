package dev.berth.server.registry;

import dev.berth.model.json.JsonObject;
import java.util.List;
import java.util.Set;
import java.util.function.UnaryOperator;

/// A subresource with rules of its own: `binding`, `eviction`, `scale`, `token`. The plain
/// `/status` is handled separately, see [Resource#hasStatus].
///
/// @param kind kind of the request and response body: `Binding`, `Scale`
/// @param group API group of that kind, `autoscaling` for `Scale`
/// @param verbs supported verbs: `get`, `create`, `update`, `patch`
/// @param columns columns of its table; empty when it has no table
public record Subresource(
        String name,
        String group,
        String version,
        String kind,
        Set<String> verbs,
        List<TableColumn> columns,
        Rules rules) {

    public Subresource {
        verbs = Set.copyOf(verbs);
        columns = List.copyOf(columns);
    }

    /// A subresource without a table.
    public Subresource(
            String name,
            String group,
            String version,
            String kind,
            Set<String> verbs,
            Rules rules) {
        this(name, group, version, kind, verbs, List.of(), rules);
    }

    /// The API version of the body.
    public String apiVersion() {
        return group.isEmpty() ? version : group + "/" + version;
    }

    /// Reads and writes of the subresource.
    public interface Rules {

        /// The response to a read.
        JsonObject read(JsonObject parent, RequestContext context);

        /// Executes a `create` or `update`; returns the response.
        ///
        /// @param writer changes the parent, and retries after conflicts
        JsonObject write(JsonObject parent, JsonObject body, RequestContext context, Writer writer);
    }

    /// Changes the parent object.
    public interface Writer {

        /// Applies a change to the latest parent and stores the result; the change may throw
        /// [ApiException].
        JsonObject change(UnaryOperator<JsonObject> change);

        /// The same for another object, such as the PodDisruptionBudget that an eviction is charged
        /// to.
        ///
        /// @param collection such as `policy/poddisruptionbudgets`
        JsonObject changeOther(
                String collection, String namespace, String name, UnaryOperator<JsonObject> change);

        /// Deletes the parent as `DELETE` would, with these options.
        JsonObject delete(JsonObject deleteOptions);

        /// Adds a warning to the response.
        void warn(String warning);
    }
}
