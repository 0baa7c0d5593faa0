package dev.berth.server.patch;

import dev.berth.model.json.Json;
import dev.berth.model.json.Json.JsonArray;
import dev.berth.model.json.JsonObject;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// Limits that keep a hostile patch from costing more than it is worth.
final class PatchLimits {

    /// Deeper trees are refused before anything recurses into them; our reader has the same limit.
    static final int MAX_DEPTH = 200;

    /// More operations in one JSON patch are refused.
    static final int MAX_OPERATIONS = 10_000;

    /// The `copy` operations of one JSON patch may not add more than this, written as JSON.
    static final long MAX_COPIED_BYTES = 3L * 1024 * 1024;

    private PatchLimits() {}

    /// A rejection when one of the trees is too deep to be worked on.
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

    /// The same for a tree that takes most of its parts from one that is not too deep.
    ///
    /// @param before what was in the same place
    static boolean tooDeep(JsonObject tree, JsonObject before) {
        return hasDeeperThan(MAX_DEPTH - 1, tree, before);
    }

    @SuppressWarnings("ReferenceEquality") // the same object in the same place is as deep as it was
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

    /// Goes no deeper itself than it must.
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
