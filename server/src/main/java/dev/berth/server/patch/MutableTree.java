package dev.berth.server.patch;

import dev.berth.model.json.Json;
import dev.berth.model.json.Json.JsonArray;
import dev.berth.model.json.Json.JsonString;
import dev.berth.model.json.JsonNumber;
import dev.berth.model.json.JsonObject;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.LinkedHashMap;

/// Copy-on-write JSON tree. Containers are opened only where an operation changes them, so that
/// thousands of operations do not copy the whole object thousands of times.
sealed interface MutableTree {

    /// An unchanged subtree.
    record Closed(Json json) implements MutableTree {}

    /// An object with mutable members.
    record OpenObject(LinkedHashMap<String, MutableTree> members) implements MutableTree {}

    /// A list with mutable items.
    record OpenArray(ArrayList<MutableTree> items) implements MutableTree {}

    /// Size and depth of a subtree.
    record Measure(long bytes, int depth) {}

    /// A mutable form of this subtree; scalars stay closed.
    default MutableTree opened() {
        if (!(this instanceof Closed(var json))) {
            return this;
        }
        if (json instanceof JsonObject object) {
            var members = new LinkedHashMap<String, MutableTree>();
            object.members().forEach((name, value) -> members.put(name, new Closed(value)));
            return new OpenObject(members);
        }
        if (json instanceof JsonArray array) {
            var items = new ArrayList<MutableTree>(array.size());
            array.items().forEach(item -> items.add(new Closed(item)));
            return new OpenArray(items);
        }
        return this;
    }

    /// The immutable value. Only for subtrees whose depth was checked, since it recurses.
    default Json frozen() {
        return switch (this) {
            case Closed(var json) -> json;
            case OpenObject(var members) -> {
                var values = new LinkedHashMap<String, Json>();
                members.forEach((name, value) -> values.put(name, value.frozen()));
                yield new JsonObject(values);
            }
            case OpenArray(var items) ->
                    Json.array(items.stream().map(MutableTree::frozen).toList());
        };
    }

    /// Compares without freezing: the cost is that of the expected value, not that of this one.
    default boolean same(Json expected) {
        return switch (this) {
            case Closed(var json) -> json.equals(expected);
            case OpenObject(var members) ->
                    expected instanceof JsonObject object
                            && object.members().size() == members.size()
                            && object.members().entrySet().stream()
                                    .allMatch(member -> {
                                        var mine = members.get(member.getKey());
                                        return mine != null && mine.same(member.getValue());
                                    });
            case OpenArray(var items) -> {
                if (!(expected instanceof JsonArray array) || array.size() != items.size()) {
                    yield false;
                }
                for (var i = 0; i < items.size(); i++) {
                    if (!items.get(i).same(array.items().get(i))) {
                        yield false;
                    }
                }
                yield true;
            }
        };
    }

    /// Approximate size in JSON, and depth; stops counting beyond a limit.
    default Measure measured(long maxBytes) {
        record Subtree(MutableTree part, int depth) {}
        var open = new ArrayDeque<Subtree>();
        open.push(new Subtree(this, 0));
        var bytes = 0L;
        var depth = 0;
        while (!open.isEmpty() && bytes <= maxBytes && depth <= PatchLimits.MAX_DEPTH) {
            var subtree = open.pop();
            var below = subtree.depth + 1;
            depth = Math.max(depth, subtree.depth);
            switch (subtree.part.opened()) {
                case Closed(var json) -> bytes += scalarBytes(json);
                case OpenObject(var members) -> {
                    bytes += 2;
                    for (var member : members.entrySet()) {
                        bytes += member.getKey().length() + 4L;
                        open.push(new Subtree(member.getValue(), below));
                    }
                }
                case OpenArray(var items) -> {
                    bytes += 2L + items.size();
                    items.forEach(item -> open.push(new Subtree(item, below)));
                }
            }
        }
        return new Measure(bytes, depth);
    }

    private static long scalarBytes(Json json) {
        return switch (json) {
            case JsonString(var value) -> value.length() + 2L;
            case JsonNumber(var literal) -> literal.length();
            default -> 4;
        };
    }
}
