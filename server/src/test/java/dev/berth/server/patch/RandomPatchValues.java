package dev.berth.server.patch;

import dev.berth.model.json.Json;
import dev.berth.model.json.Json.JsonNull;
import dev.berth.model.json.JsonObject;
import dev.berth.schema.SchemaType;
import dev.berth.schema.SchemaType.ListOf;
import dev.berth.schema.SchemaType.MapOf;
import dev.berth.schema.SchemaType.Merge;
import dev.berth.schema.SchemaType.Scalar;
import dev.berth.schema.SchemaType.Struct;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Random;
import java.util.Set;

/// Random JSON values, typed or untyped.
final class RandomPatchValues {

    private static final List<String> NAMES = List.of("a", "b", "c", "d");
    private static final Set<String> SERVER_SET =
            Set.of(
                    "apiVersion",
                    "kind",
                    "name",
                    "namespace",
                    "uid",
                    "resourceVersion",
                    "managedFields",
                    "status");

    private final Random random;

    RandomPatchValues(long seed) {
        this.random = new Random(seed);
    }

    String name() {
        return NAMES.get(random.nextInt(NAMES.size()));
    }

    boolean coin() {
        return random.nextBoolean();
    }

    int below(int bound) {
        return random.nextInt(bound);
    }

    /// An object of the test kind, without fields that have no owner.
    JsonObject object() {
        return (JsonObject) value(PatchTestTypes.KIND, true);
    }

    Json value(SchemaType type, boolean top) {
        return switch (type) {
            case Scalar scalar -> scalar(scalar);
            case Struct struct -> {
                var members = new LinkedHashMap<String, Json>();
                for (var field : struct.fields().all()) {
                    var skipped = top && SERVER_SET.contains(field.name());
                    if (!skipped && (field.required() || coin())) {
                        var inner = top && field.name().equals("metadata");
                        members.put(field.name(), value(field.type(), inner));
                    }
                }
                if (struct.open() && coin()) {
                    members.put(
                            name(),
                            coin()
                                    ? scalar(Scalar.STRING)
                                    : JsonObject.of(name(), scalar(Scalar.INT32)));
                }
                yield new JsonObject(members);
            }
            case MapOf map -> {
                var members = new LinkedHashMap<String, Json>();
                for (var i = below(3); i > 0; i--) {
                    members.put(name(), value(map.value(), false));
                }
                yield new JsonObject(members);
            }
            case ListOf list -> list(list);
        };
    }

    private Json list(ListOf list) {
        var byStep = new LinkedHashMap<Object, Json>();
        for (var i = below(4); i > 0; i--) {
            var item = value(list.item(), false);
            var key =
                    list.merge() instanceof Merge.Atomic
                            ? byStep.size()
                            : ApplyTypes.step(list, item).orElseThrow();
            byStep.put(key, item);
        }
        return Json.array(new ArrayList<>(byStep.values()));
    }

    private Json scalar(Scalar scalar) {
        return switch (scalar) {
            case BOOLEAN -> Json.of(coin());
            case INT32, INT64, NUMBER, INT_OR_STRING -> Json.of(below(3));
            case ANY -> {
                var value = anything(2);
                // Null unsets a field, so it would be missing afterwards.
                yield value instanceof JsonNull ? Json.of(0) : value;
            }
            default -> Json.of(name());
        };
    }

    /// Any JSON, including names that have a meaning in patches.
    Json anything(int depth) {
        return switch (below(depth > 0 ? 8 : 5)) {
            case 0 -> Json.of(below(3));
            case 1 -> Json.of(coin());
            case 2 -> JsonNull.INSTANCE;
            case 3 -> Json.of(name());
            case 4 -> Json.of(coin() ? "replace" : "delete");
            case 5 -> {
                var items = new ArrayList<Json>();
                for (var i = below(4); i > 0; i--) {
                    items.add(anything(depth - 1));
                }
                yield Json.array(items);
            }
            default -> {
                var members = new LinkedHashMap<String, Json>();
                for (var i = below(5); i > 0; i--) {
                    members.put(oddName(), anything(depth - 1));
                }
                yield new JsonObject(members);
            }
        };
    }

    private String oddName() {
        var odd =
                List.of(
                        "metadata",
                        "spec",
                        "status",
                        "containers",
                        "finalizers",
                        "labels",
                        "name",
                        "managedFields",
                        "$patch",
                        "$retainKeys",
                        "$setElementOrder/containers",
                        "$setElementOrder/finalizers",
                        "$deleteFromPrimitiveList/finalizers",
                        "op",
                        "path",
                        "from",
                        "value",
                        "ports",
                        "replicas",
                        "selector",
                        "extra",
                        "f:spec",
                        "k:{}",
                        ".",
                        "manager",
                        "operation",
                        "apiVersion",
                        "fieldsType",
                        "fieldsV1",
                        "");
        return below(3) == 0 ? name() : odd.get(below(odd.size()));
    }

    FieldSet fields(int depth) {
        var set = FieldSet.EMPTY;
        for (var i = below(6); i > 0; i--) {
            var path = new ArrayList<PathStep>();
            for (var j = 1 + below(depth); j > 0; j--) {
                path.add(step());
            }
            set = set.union(FieldSet.ofPath(path));
        }
        return set;
    }

    private PathStep step() {
        return switch (below(5)) {
            case 0 -> new PathStep.Keyed(JsonObject.of(name(), anything(0)));
            case 1 -> new PathStep.Valued(anything(0));
            case 2 -> new PathStep.Indexed(below(3));
            default -> new PathStep.Named(name());
        };
    }
}
