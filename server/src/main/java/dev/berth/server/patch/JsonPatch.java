package dev.berth.server.patch;

import dev.berth.model.json.Json;
import dev.berth.model.json.Json.JsonArray;
import dev.berth.model.json.Json.JsonNull;
import dev.berth.model.json.Json.JsonString;
import dev.berth.model.json.JsonObject;
import dev.berth.server.patch.MutableTree.Closed;
import dev.berth.server.patch.MutableTree.OpenArray;
import dev.berth.server.patch.MutableTree.OpenObject;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;

/// JSON patch (RFC 6902): a sequence of operations, applied atomically.
///
/// Differences of Kubernetes: `add`, `move` and `copy` do not accept the whole document (`""`),
/// `replace` and `test` do; a `test` for `null` passes for a missing member; numbers are equal only
/// if their literals are. An index counts from zero, never from the end.
public final class JsonPatch {

    private MutableTree root;
    private long copiedBytes;

    private JsonPatch(JsonObject object) {
        this.root = new Closed(object);
    }

    /// One operation of a patch.
    private record Operation(
            String kind, Optional<String> path, Optional<String> from, Json value) {

        String pathOrThrow() {
            return path.orElseThrow(() -> missing("path"));
        }

        String fromOrThrow() {
            return from.orElseThrow(() -> missing("from"));
        }

        private PatchException missing(String member) {
            return PatchException.unprocessable(
                    "%s operation failed to decode %s: missing value".formatted(kind, member));
        }
    }

    public static PatchResult apply(JsonObject object, Json patch) {
        try {
            var exceeded = PatchLimits.exceeded(object, patch);
            return exceeded.isPresent()
                    ? exceeded.get()
                    : new JsonPatch(object).run(operations(patch));
        } catch (PatchException exception) {
            return exception.rejected();
        }
    }

    private static List<Operation> operations(Json patch) {
        if (!(patch instanceof JsonArray array)) {
            throw wrongKind(patch, "value", "[]handlers.jsonPatchOp");
        }
        if (array.size() > PatchLimits.MAX_OPERATIONS) {
            throw new PatchException(
                    PatchRejection.tooLarge(
                            "The allowed maximum operations in a JSON patch is %d, got %d"
                                    .formatted(PatchLimits.MAX_OPERATIONS, array.size())));
        }
        var operations = new ArrayList<Operation>(array.size());
        for (var item : array.items()) {
            if (!(item instanceof JsonObject operation)) {
                throw wrongKind(item, "value", "handlers.jsonPatchOp");
            }
            operations.add(
                    new Operation(
                            text(operation, "op").orElse("unknown"),
                            text(operation, "path"),
                            text(operation, "from"),
                            operation.member("value").orElse(JsonNull.INSTANCE)));
        }
        return operations;
    }

    private static Optional<String> text(JsonObject operation, String name) {
        var value = operation.member(name);
        if (value.isPresent() && !(value.get() instanceof JsonString)) {
            throw wrongKind(value.get(), "struct field jsonPatchOp." + name, "string");
        }
        return operation.string(name);
    }

    private static PatchException wrongKind(Json value, String what, String expected) {
        return PatchException.badRequest(
                "error decoding patch: json: cannot unmarshal %s into Go %s of type %s"
                        .formatted(value.kindName(), what, expected));
    }

    private PatchResult run(List<Operation> operations) {
        operations.forEach(this::perform);
        if (root.measured(Long.MAX_VALUE).depth() > PatchLimits.MAX_DEPTH) {
            throw PatchException.unprocessable(
                    "the patched object is nested deeper than %d levels"
                            .formatted(PatchLimits.MAX_DEPTH));
        }
        if (!(root.frozen() instanceof JsonObject object)) {
            throw PatchException.unprocessable("the patched object is not an object");
        }
        return new PatchedObject(object);
    }

    private void perform(Operation operation) {
        switch (operation.kind) {
            case "add" -> add("add", operation.pathOrThrow(), new Closed(operation.value));
            case "remove" -> remove("remove", operation.pathOrThrow());
            case "replace" -> replace(operation);
            case "move" -> {
                var to = operation.pathOrThrow();
                add("move", to, remove("move", operation.fromOrThrow()));
            }
            case "copy" -> copy(operation);
            case "test" -> test(operation);
            default -> throw PatchException.unprocessable("Unexpected kind: " + operation.kind);
        }
    }

    private void add(String kind, String path, MutableTree value) {
        var pointer = pointer(kind, path);
        switch (parent(kind, path, pointer)) {
            case OpenObject(var members) -> members.put(pointer.getLast(), value);
            case OpenArray(var items) -> {
                var last = pointer.getLast();
                var at = last.equals("-") ? OptionalInt.of(items.size()) : index(last);
                if (at.isEmpty() || at.getAsInt() > items.size()) {
                    throw badIndex(kind, path, last);
                }
                items.add(at.getAsInt(), value);
            }
            case Closed _ -> throw noSuchPath(kind, path);
        }
    }

    private MutableTree remove(String kind, String path) {
        var pointer = pointer(kind, path);
        var last = pointer.getLast();
        switch (parent(kind, path, pointer)) {
            case OpenObject(var members) -> {
                var removed = members.remove(last);
                if (removed == null) {
                    throw noSuchPath(kind, path);
                }
                return removed;
            }
            case OpenArray(var items) -> {
                return items.remove(indexOf(kind, path, last, items));
            }
            case Closed _ -> throw noSuchPath(kind, path);
        }
    }

    private void replace(Operation operation) {
        var path = operation.pathOrThrow();
        if (path.isEmpty()) {
            if (!(operation.value instanceof JsonObject || operation.value instanceof JsonArray)) {
                throw PatchException.unprocessable(
                        "replace operation value must be object or array");
            }
            root = new Closed(operation.value);
            return;
        }
        var pointer = pointer("replace", path);
        var last = pointer.getLast();
        switch (parent("replace", path, pointer)) {
            // Kubernetes adds a missing member, unlike RFC 6902. kubectl and scripts rely on it to
            // clear metadata.managedFields.
            case OpenObject(var members) -> members.put(last, new Closed(operation.value));
            case OpenArray(var items) ->
                    items.set(indexOf("replace", path, last, items), new Closed(operation.value));
            case Closed _ -> throw noSuchPath("replace", path);
        }
    }

    private void copy(Operation operation) {
        var from = operation.fromOrThrow();
        var source = find("copy", from).orElseThrow(() -> noSuchPath("copy", from));
        var measure = source.measured(PatchLimits.MAX_COPIED_BYTES);
        copiedBytes += measure.bytes();
        if (copiedBytes > PatchLimits.MAX_COPIED_BYTES || measure.depth() > PatchLimits.MAX_DEPTH) {
            throw PatchException.unprocessable(
                    "Unable to complete the copy, the accumulated size increase of copy is %d,"
                                    .formatted(copiedBytes)
                            + " exceeding the limit %d".formatted(PatchLimits.MAX_COPIED_BYTES));
        }
        add("copy", operation.pathOrThrow(), new Closed(source.frozen()));
    }

    private void test(Operation operation) {
        var path = operation.pathOrThrow();
        var found = path.isEmpty() ? Optional.of(root) : find("test", path);
        var passed =
                found.map(tree -> tree.same(operation.value))
                        .orElse(operation.value instanceof JsonNull);
        if (!passed) {
            throw PatchException.unprocessable(
                    "testing value %s failed: test failed".formatted(path));
        }
    }

    /// The value at a path; empty if its parent exists but the member does not.
    private Optional<MutableTree> find(String kind, String path) {
        var pointer = pointer(kind, path);
        var last = pointer.getLast();
        return switch (parent(kind, path, pointer)) {
            case OpenObject(var members) -> Optional.ofNullable(members.get(last));
            case OpenArray(var items) -> Optional.of(items.get(indexOf(kind, path, last, items)));
            case Closed _ -> throw noSuchPath(kind, path);
        };
    }

    /// Opens all containers on the path and returns the parent of its last step.
    private MutableTree parent(String kind, String path, List<String> pointer) {
        root = root.opened();
        var here = root;
        for (var step : pointer.subList(0, pointer.size() - 1)) {
            switch (here) {
                case OpenObject(var members) -> {
                    var next = members.get(step);
                    if (next == null) {
                        throw noSuchPath(kind, path);
                    }
                    here = next.opened();
                    members.put(step, here);
                }
                case OpenArray(var items) -> {
                    var at = indexOf(kind, path, step, items);
                    here = items.get(at).opened();
                    items.set(at, here);
                }
                case Closed _ -> throw noSuchPath(kind, path);
            }
        }
        return here;
    }

    private static List<String> pointer(String kind, String path) {
        // Kubernetes ignores text before the first slash; a path without a slash is invalid.
        var steps = path.split("/", -1);
        if (steps.length < 2 || steps.length - 1 > PatchLimits.MAX_DEPTH) {
            throw noSuchPath(kind, path);
        }
        var pointer = new ArrayList<String>(steps.length - 1);
        for (var i = 1; i < steps.length; i++) {
            pointer.add(steps[i].replace("~1", "/").replace("~0", "~"));
        }
        return pointer;
    }

    private static int indexOf(String kind, String path, String step, List<MutableTree> items) {
        var at = index(step);
        if (at.isEmpty() || at.getAsInt() >= items.size()) {
            throw badIndex(kind, path, step);
        }
        return at.getAsInt();
    }

    private static OptionalInt index(String step) {
        try {
            var at = Integer.parseInt(step);
            return at < 0 ? OptionalInt.empty() : OptionalInt.of(at);
        } catch (NumberFormatException e) {
            return OptionalInt.empty();
        }
    }

    private static PatchException noSuchPath(String kind, String path) {
        return PatchException.unprocessable(
                "%s operation does not apply: doc is missing path: \"%s\": missing value"
                        .formatted(kind, path));
    }

    private static PatchException badIndex(String kind, String path, String step) {
        return PatchException.unprocessable(
                "error in %s for path: '%s': Unable to access invalid index: %s: invalid index"
                                .formatted(kind, path, step)
                        + " referenced");
    }
}
