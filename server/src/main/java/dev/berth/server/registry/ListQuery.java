package dev.berth.server.registry;

/// What a list was asked for, as the words of the request.
///
/// @param resourceVersion empty for the newest state, `0` for whatever is at hand
/// @param match how to understand the version: empty, `Exact` or `NotOlderThan`
/// @param limit 0 for no limit
public record ListQuery(
        ObjectSelection selection,
        String resourceVersion,
        String match,
        int limit,
        String continueAt) {}
