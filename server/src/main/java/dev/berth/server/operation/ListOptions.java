package dev.berth.server.operation;

import dev.berth.server.registry.ListQuery;
import dev.berth.server.registry.ObjectSelection;
import dev.berth.server.registry.Resource;

/// Options of a list: selectors in their string form, resource version and pagination.
///
/// @param match how `resourceVersion` is interpreted: empty, `Exact` or `NotOlderThan`
/// @param limit 0 for no limit
public record ListOptions(
        String labelSelector,
        String fieldSelector,
        String resourceVersion,
        String match,
        int limit,
        String continueToken) {

    /// All objects in their latest state.
    public static final ListOptions NONE = new ListOptions("", "", "", "", 0, "");

    /// The query for objects of a kind.
    public ListQuery query(Resource resource) {
        return new ListQuery(
                ObjectSelection.parse(resource, labelSelector, fieldSelector),
                resourceVersion,
                match,
                limit,
                continueToken);
    }
}
