package dev.berth.server.patch;

import dev.berth.model.json.Json;
import dev.berth.model.json.Json.JsonArray;
import dev.berth.model.json.JsonObject;
import java.util.Optional;

/// Limits that keep a hostile patch from costing more than it is worth.
final class Bounds {

    /// Deeper trees are refused before anything recurses into them; our reader has the same limit.
    static final int MAX_DEPTH = 200;

    /// More operations in one JSON patch are refused.
    static final int MAX_OPERATIONS = 10_000;

    /// The `copy` operations of one JSON patch may not add more than this, written as JSON.
    static final long MAX_COPIED_BYTES = 3L * 1024 * 1024;

    private Bounds() {}

    /// A rejection when one of the trees is too deep to be worked on.
    static Optional<Rejected> exceeded(Json... trees) {
        for (var tree : trees) {
            if (tooDeep(tree)) {
                return Optional.of(
                        Rejected.badRequest(
                                "the object or the patch is nested deeper than %d levels"
                                        .formatted(MAX_DEPTH)));
            }
        }
        return Optional.empty();
    }

    static boolean tooDeep(Json tree) {
        return isDeeperThan(MAX_DEPTH, tree);
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
