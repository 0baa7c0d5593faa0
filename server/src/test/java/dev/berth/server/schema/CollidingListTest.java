package dev.berth.server.schema;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.model.json.Json;
import dev.berth.model.json.JsonObject;
import dev.berth.model.json.JsonReader;
import dev.berth.model.json.ParseResult;
import java.lang.management.ManagementFactory;
import java.util.function.IntFunction;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/// Cost of uniqueness checks for list items whose hash codes all collide.
class CollidingListTest {

    private static final int ITEMS = 20_000;

    /// Maximum slowdown; far less than that of a pairwise comparison.
    private static final int FACTOR = 25;

    private static JsonObject tree(String text) {
        return (JsonObject)
                ((ParseResult.Documents) JsonReader.read(text.replace('\'', '"')))
                        .documents()
                        .getFirst()
                        .root();
    }

    /// The number in binary, with digits that keep the hash code.
    private static String colliding(int number) {
        var text = new StringBuilder();
        for (var bit = 14; bit >= 0; bit--) {
            text.append((number >> bit & 1) == 0 ? "Aa" : "BB");
        }
        return text.toString();
    }

    private static long cpuNanos(StructuralSchema schema, JsonObject object) {
        var threads = ManagementFactory.getThreadMXBean();
        var least = Long.MAX_VALUE;
        for (var i = 0; i < 3; i++) {
            var before = threads.getCurrentThreadCpuTime();
            assertThat(schema.validate(object)).isEmpty();
            least = Math.min(least, threads.getCurrentThreadCpuTime() - before);
        }
        return least;
    }

    private static JsonObject list(IntFunction<Json> item) {
        var items = IntStream.range(0, ITEMS).mapToObj(item).toArray(Json[]::new);
        return JsonObject.of("list", Json.array(items));
    }

    private static void assertCheap(StructuralSchema schema, IntFunction<IntFunction<Json>> item) {
        var usual = cpuNanos(schema, list(item.apply(0)));
        var colliding = cpuNanos(schema, list(item.apply(1)));
        assertThat(colliding).isLessThan(FACTOR * Math.max(usual, 1_000_000));
    }

    private static String name(int kind, int number) {
        return kind == 0 ? "name-" + number : colliding(number);
    }

    @Test
    void setsWithCollidingItemsAreCheap() {
        var schema =
                StructuralSchema.of(
                        tree(
                                """
                                {'properties':{'list':{'type':'array',
                                 'x-kubernetes-list-type':'set','items':{'type':'string'}}}}
                                """));
        assertCheap(schema, kind -> number -> Json.of(name(kind, number)));
        var twice = JsonObject.of("list", Json.array(Json.of(name(1, 3)), Json.of(name(1, 3))));
        assertThat(schema.validate(twice)).hasSize(1);
    }

    @Test
    void mapsWithCollidingKeysAreCheap() {
        var schema =
                StructuralSchema.of(
                        tree(
                                """
                                {'properties':{'list':{'type':'array',
                                 'x-kubernetes-list-type':'map',
                                 'x-kubernetes-list-map-keys':['a','b'],
                                 'items':{'type':'object','properties':{'a':{'type':'string'},
                                  'b':{'type':'string'}}}}}}
                                """));
        assertCheap(schema, kind -> number -> JsonObject.of("a", Json.of(name(kind, number))));
        var item = JsonObject.of("b", Json.of("x")).with("a", Json.of("y"));
        var same = JsonObject.of("a", Json.of("y")).with("b", Json.of("x"));
        assertThat(schema.validate(JsonObject.of("list", Json.array(item, same)))).hasSize(1);
    }
}
