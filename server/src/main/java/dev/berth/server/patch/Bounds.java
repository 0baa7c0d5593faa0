package dev.berth.server.patch;

import dev.berth.model.json.Json;
import dev.berth.model.json.Json.JsonArray;
import dev.berth.model.json.JsonObject;
import java.util.ArrayDeque;
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

    /// Looks with a stack of its own, since the tree may be deeper than ours is.
    static boolean tooDeep(Json tree) {
        record Place(Json value, int depth) {}
        var open = new ArrayDeque<Place>();
        open.push(new Place(tree, 0));
        while (!open.isEmpty()) {
            var place = open.pop();
            if (place.depth > MAX_DEPTH) {
                return true;
            }
            switch (place.value) {
                case JsonObject object ->
                        object.members()
                                .values()
                                .forEach(value -> open.push(new Place(value, place.depth + 1)));
                case JsonArray array ->
                        array.items()
                                .forEach(value -> open.push(new Place(value, place.depth + 1)));
                default -> {}
            }
        }
        return false;
    }
}
