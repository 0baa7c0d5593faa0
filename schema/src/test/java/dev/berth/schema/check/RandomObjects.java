package dev.berth.schema.check;

import dev.berth.model.codec.Kind;
import dev.berth.model.json.Json;
import dev.berth.model.json.Json.JsonArray;
import dev.berth.model.json.Json.JsonNull;
import dev.berth.model.json.JsonObject;
import dev.berth.schema.SchemaType;
import dev.berth.schema.SchemaType.ListOf;
import dev.berth.schema.SchemaType.MapOf;
import dev.berth.schema.SchemaType.Scalar;
import dev.berth.schema.SchemaType.Struct;
import dev.berth.schema.Schemas;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;

/// Generates random objects with all fields of a kind, each of the right type. Most are invalid:
/// mutually exclusive fields appear together, which decoding must survive.
final class RandomObjects {

    private static final Schemas SCHEMAS = Schemas.builtIn();

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
    RandomObjects(long seed, double chance) {
        this.random = new Random(seed);
        this.chance = chance;
    }

    JsonObject object(Kind<?> kind) {
        return object(kind, kind.version());
    }

    JsonObject object(Kind<?> kind, String version) {
        var tree =
                struct(SCHEMAS.kind(kind.group(), version, kind.name()).orElseThrow(), kind.name());
        return tree.with("apiVersion", Json.of(kind.apiVersion(version)))
                .with("kind", Json.of(kind.name()));
    }

    Set<String> used() {
        return used;
    }

    private Json value(SchemaType type, String path) {
        return switch (type) {
            case Struct struct -> struct(struct, path);
            case ListOf list -> list(list.item(), path);
            case MapOf map -> map(map.value(), path);
            case Scalar scalar -> scalar(scalar);
        };
    }

    private JsonObject struct(Struct struct, String path) {
        var members = new LinkedHashMap<String, Json>();
        for (var field : struct.fields().all()) {
            if (random.nextDouble() < chance) {
                var inner = path + "." + field.name();
                used.add(inner);
                members.put(
                        field.name(),
                        random.nextInt(50) == 0 ? JsonNull.INSTANCE : value(field.type(), inner));
            }
        }
        return new JsonObject(members);
    }

    private Json list(SchemaType item, String path) {
        var items = new ArrayList<Json>();
        for (var left = random.nextInt(4); left > 0; left--) {
            items.add(value(item, path));
        }
        return new JsonArray(items);
    }

    private Json map(SchemaType value, String path) {
        var members = new LinkedHashMap<String, Json>();
        for (var left = random.nextInt(4); left > 0; left--) {
            members.put(pick(WORDS), value(value, path));
        }
        return new JsonObject(members);
    }

    private Json scalar(Scalar type) {
        return switch (type) {
            case STRING -> Json.of(pick(WORDS));
            case BOOLEAN -> Json.of(random.nextBoolean());
            case INT32, INT64, NUMBER, INT_OR_STRING -> Json.of(pick(NUMBERS));
            case BYTES -> Json.of("YWJj");
            case TIME -> Json.of(Instant.ofEpochSecond(random.nextInt(2_000_000_000)).toString());
            case MICRO_TIME -> Json.of("2026-01-31T12:00:00.123456Z");
            case DURATION -> Json.of("1m30s");
            case QUANTITY -> Json.of(pick(AMOUNTS));
            case ANY -> JsonObject.of("raw", Json.array(Json.of(1), Json.of(pick(WORDS))));
        };
    }

    private <T> T pick(List<T> from) {
        return from.get(random.nextInt(from.size()));
    }
}
