package dev.berth.server.patch;

import dev.berth.model.json.Json;
import dev.berth.model.json.Json.JsonArray;
import dev.berth.model.json.JsonObject;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// Limits on depth and size of patches, against denial of service.
final class PatchLimits {

    /// Maximum depth, checked before any recursion; the JSON reader has the same limit.
    static final int MAX_DEPTH = 200;

    /// Maximum number of operations in one JSON patch.
    static final int MAX_OPERATIONS = 10_000;

    /// Maximum size that the `copy` operations of one JSON patch may add, as JSON.
    static final long MAX_COPIED_BYTES = 3L * 1024 * 1024;

    private PatchLimits() {}

    /// A rejection if one of the trees is too deep.
    static Optional<PatchRejection> exceeded(Json... trees) {
        for (var tree : trees) {
            if (tooDeep(tree)) {
                return Optional.of(
                        PatchRejection.badRequest(
                                "the object or the patch is nested deeper than %d levels"
                                        .formatted(MAX_DEPTH)));
            }
        }
        return Optional.empty();
    }

    static boolean tooDeep(Json tree) {
        return isDeeperThan(MAX_DEPTH, tree);
    }

    /// The same for a tree that shares most subtrees with one that is not too deep.
    ///
    /// @param before the old tree
    static boolean tooDeep(JsonObject tree, JsonObject before) {
        return hasDeeperThan(MAX_DEPTH - 1, tree, before);
    }

    @SuppressWarnings("ReferenceEquality") // an identical subtree has the same depth
    private static boolean hasDeeperThan(int levels, JsonObject object, JsonObject before) {
        for (var at = 0; at < object.size(); at++) {
            var value = object.valueAt(at);
            var old = before.members().get(object.nameAt(at));
            if (value != old && isDeeperThan(levels, value, old)) {
                return true;
            }
        }
        return false;
    }

    private static boolean isDeeperThan(int levels, Json value, @Nullable Json old) {
        if (levels >= 0 && value instanceof JsonObject now && old instanceof JsonObject was) {
            return hasDeeperThan(levels - 1, now, was);
        }
        return isDeeperThan(levels, value);
    }

    /// Recurses at most to the limit.
    private static boolean isDeeperThan(int levels, Json tree) {
        if (levels < 0) {
            return true;
        }
        return switch (tree) {
            case JsonObject object -> hasDeeperThan(levels - 1, object);
            case JsonArray(var items) -> isDeeperThan(levels - 1, items);
            default -> false;
        };
    }

    private static boolean hasDeeperThan(int levels, JsonObject object) {
        for (var at = 0; at < object.size(); at++) {
            if (isDeeperThan(levels, object.valueAt(at))) {
                return true;
            }
        }
        return false;
    }

    private static boolean isDeeperThan(int levels, Iterable<Json> values) {
        for (var value : values) {
            if (isDeeperThan(levels, value)) {
                return true;
            }
        }
        return false;
    }
}
