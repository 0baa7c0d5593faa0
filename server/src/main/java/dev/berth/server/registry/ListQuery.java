package dev.berth.server.registry;

/// The parameters of a list request.
///
/// @param resourceVersion empty for the latest state, `0` for any state
/// @param match how `resourceVersion` is interpreted: empty, `Exact` or `NotOlderThan`
/// @param limit 0 for no limit
public record ListQuery(
        ObjectSelection selection,
        String resourceVersion,
        String match,
        int limit,
        String continueToken) {}
