package dev.berth.model.codec;

import dev.berth.model.codec.record.CollectionTypes;
import dev.berth.model.codec.record.FieldLayout;
import dev.berth.model.codec.record.MappedType;
import dev.berth.model.codec.record.RecordMapping;
import dev.berth.model.codec.record.ScalarTypes;
import dev.berth.model.codec.record.Schema;
import dev.berth.model.json.Json;
import dev.berth.model.json.Json.JsonArray;
import dev.berth.model.json.Json.JsonNull;
import dev.berth.model.json.JsonObject;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;

/// Generates random objects with all fields of a kind, each of the right type. Most are invalid:
/// mutually exclusive fields appear together, which decoding must survive.
final class RandomTrees {

    private static final List<String> WORDS =
            List.of(
                    "ExactCount",
                    "All",
                    "NoSchedule",
                    "NoExecute",
                    "None",
                    "Exists",
                    "Equal",
                    "In",
                    "FromClass",
                    "*",
                    "gpu",
                    "gpu.example.com",
                    "gpu.example.com/model",
                    "1.2.3",
                    "Later",
                    "ünïcode \"quoted\"",
                    "");
    private static final List<String> AMOUNTS =
            List.of("0", "1", "-3", "1.5", "500m", "1024Mi", "2Gi", "1e3", "3E", "12345678901");
    private static final List<Long> NUMBERS = List.of(0L, 1L, -1L, 2L, 8L, 2_000_000_000L);

    private final Random random;
    private final double chance;

    /// Paths of the fields that were used so far, without positions.
    private final Set<String> used = new TreeSet<>();

    /// @param chance probability of a field
    RandomTrees(long seed, double chance) {
        this.random = new Random(seed);
        this.chance = chance;
    }

    JsonObject object(Kind<?> kind) {
        return object(kind, kind.version());
    }

    JsonObject object(Kind<?> kind, String version) {
        var tree = (JsonObject) layout(ApiVersions.layout(kind, version), kind.name());
        return tree.with("apiVersion", Json.of(kind.apiVersion(version)))
                .with("kind", Json.of(kind.name()));
    }

    Set<String> used() {
        return used;
    }

    private Json value(Schema schema, String path) {
        return switch (schema) {
            case FieldLayout layout -> layout(layout, path);
            case RecordMapping<?> shape -> layout(shape.layout(), path);
            case MappedType<?, ?> mapped -> value(mapped.base(), path);
            case CollectionTypes.ListType<?> list -> list(list.item(), path);
            case CollectionTypes.ListSchema list -> list(list.item(), path);
            case CollectionTypes.MapType<?> map -> map(map.value(), path);
            default -> scalar(schema);
        };
    }

    private Json layout(FieldLayout layout, String path) {
        var members = new LinkedHashMap<String, Json>();
        for (var member : layout.members()) {
            if (random.nextDouble() < chance) {
                var inner = path + "." + member.name();
                used.add(inner);
                members.put(
                        member.name(),
                        random.nextInt(50) == 0
                                ? JsonNull.INSTANCE
                                : value(member.schema(), inner));
            }
        }
        return new JsonObject(members);
    }

    private Json list(Schema item, String path) {
        var items = new ArrayList<Json>();
        for (var left = random.nextInt(4); left > 0; left--) {
            items.add(value(item, path));
        }
        return new JsonArray(items);
    }

    private Json map(Schema value, String path) {
        var members = new LinkedHashMap<String, Json>();
        for (var left = random.nextInt(4); left > 0; left--) {
            members.put(pick(WORDS), value(value, path));
        }
        return new JsonObject(members);
    }

    private Json scalar(Schema type) {
        if (type.equals(ScalarTypes.INT64) || type.equals(ScalarTypes.INT32)) {
            return Json.of(pick(NUMBERS));
        } else if (type.equals(ScalarTypes.BOOL)) {
            return Json.of(random.nextBoolean());
        } else if (type.equals(ScalarTypes.QUANTITY)) {
            return Json.of(pick(AMOUNTS));
        } else if (type.equals(ScalarTypes.TIME)) {
            return Json.of(Instant.ofEpochSecond(random.nextInt(2_000_000_000)).toString());
        } else if (type.equals(ScalarTypes.RAW)) {
            return Json.array(Json.of(1), JsonNull.INSTANCE, JsonObject.of("a", Json.of("")));
        } else if (type.equals(ScalarTypes.RAW_OBJECT)) {
            return JsonObject.of("raw", Json.array(Json.of(pick(WORDS))));
        }
        return Json.of(pick(WORDS));
    }

    private <T> T pick(List<T> from) {
        return from.get(random.nextInt(from.size()));
    }
}
