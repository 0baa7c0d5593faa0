package dev.berth.server.load;

import dev.berth.model.json.Json;
import dev.berth.model.json.Json.JsonArray;
import dev.berth.model.json.Json.JsonNull;
import dev.berth.model.json.JsonNumber;
import dev.berth.model.json.JsonObject;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Random;

/// Unexpected values for fields.
final class HostileValues {

    private static final List<String> TEXTS =
            List.of(
                    "",
                    " ",
                    "\0",
                    "..",
                    "../../etc/passwd",
                    "a".repeat(300),
                    "é\u202e\ud83d\ude00",
                    "${jndi:x}",
                    "-1",
                    "1e9999",
                    "9".repeat(400),
                    "0.000000000000000000000000000001",
                    "1Ki1Ki",
                    "999999999999999999999999Ei",
                    "%s%n%d",
                    "null",
                    "[a-z]{1,10000}",
                    "(a+)+$",
                    "P1D",
                    "9999999-99-99T99:99:99Z",
                    "2026-01-01T00:00:00Z",
                    "a=b,c in (d",
                    "device.attributes[",
                    "[1,2,3].map(x, [1,2,3].map(y, x*y)).all(z, z.size() > 0)",
                    "'a'.matches('(a+)+')",
                    "self.self.self",
                    "x".repeat(20_000));

    private static final List<String> NUMBERS =
            List.of(
                    "0",
                    "-1",
                    "1",
                    "2147483648",
                    "-2147483649",
                    "9223372036854775807",
                    "9223372036854775808",
                    "-9223372036854775809",
                    "1.5",
                    "1e3",
                    "1e999999999",
                    "-1E-999999999",
                    "0.1e1",
                    "9".repeat(900),
                    "1." + "3".repeat(900));

    private HostileValues() {}

    static String text(Random random) {
        return pick(TEXTS, random);
    }

    static <T> T pick(List<T> from, Random random) {
        return from.get(random.nextInt(from.size()));
    }

    static Json any(Random random) {
        return switch (random.nextInt(8)) {
            case 0 -> JsonNull.INSTANCE;
            case 1 -> Json.of(random.nextBoolean());
            case 2, 3 -> new JsonNumber(pick(NUMBERS, random));
            case 4 -> new JsonArray(List.of());
            case 5 -> random.nextBoolean() ? JsonObject.EMPTY : nested(random.nextInt(1, 120));
            default -> Json.of(text(random));
        };
    }

    private static Json nested(int depth) {
        Json value = Json.of("deep");
        for (var level = 0; level < depth; level++) {
            value = level % 2 == 0 ? new JsonArray(List.of(value)) : JsonObject.of("a", value);
        }
        return value;
    }

    /// The tree with one change: another value, an added or removed member, a duplicated item.
    static Json changed(Json tree, Random random) {
        return switch (tree) {
            case JsonObject object when !object.isEmpty() && random.nextInt(8) > 0 ->
                    changedMember(object, random);
            case JsonArray array when array.size() > 0 && random.nextInt(6) > 0 ->
                    changedItem(array, random);
            default -> any(random);
        };
    }

    private static JsonObject changedMember(JsonObject object, Random random) {
        var name = pick(List.copyOf(object.names()), random);
        return switch (random.nextInt(12)) {
            case 0 -> object.without(name);
            case 1 -> object.with(text(random), any(random));
            case 2 -> object.without(name).with(text(random), object.members().get(name));
            case 3 -> many(object, random);
            default -> object.with(name, changed(object.members().get(name), random));
        };
    }

    private static JsonObject many(JsonObject object, Random random) {
        var members = new LinkedHashMap<>(object.members());
        for (var i = 0; i < random.nextInt(1, 300); i++) {
            members.put("m" + i, any(random));
        }
        return new JsonObject(members);
    }

    private static JsonArray changedItem(JsonArray array, Random random) {
        var items = new ArrayList<>(array.items());
        var at = random.nextInt(items.size());
        switch (random.nextInt(6)) {
            case 0 -> items.remove(at);
            case 1 -> items.add(items.get(at));
            case 2 -> items.add(any(random));
            case 3 -> {
                var item = items.get(at);
                for (var i = 0; i < random.nextInt(200); i++) {
                    items.add(item);
                }
            }
            default -> items.set(at, changed(items.get(at), random));
        }
        return new JsonArray(items);
    }
}
