package dev.berth.model.json;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.model.codec.Codec;
import dev.berth.model.codec.Kinds;
import dev.berth.model.codec.UnknownFieldPolicy;
import java.io.ByteArrayInputStream;
import java.io.UncheckedIOException;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Random;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/// Names with colliding hash codes cost about as much as others.
class HashCollisionTest {

    private static final int NAMES = 20_000;

    /// Far below the cost of a linear search, and far above random variation.
    private static final int FACTOR = 25;

    /// Names of one `String.hashCode`.
    private static List<String> ofOneHashCode() {
        var names = new ArrayList<String>();
        for (var number = 0; number < NAMES; number++) {
            var name = new StringBuilder();
            for (var bit = 14; bit >= 0; bit--) {
                name.append((number >> bit & 1) == 0 ? "Aa" : "BB");
            }
            names.add(name.toString());
        }
        return names;
    }

    /// Names of one hash in the symbol table of the parser, which adds up what comes after twelve
    /// bytes in steps of four.
    private static List<String> ofOneSymbolHash() {
        var names = new ArrayList<String>();
        var parts = List.of("abcd", "efgh", "ijkl", "mnop", "qrst", "uvwx", "yzab", "cdef", "ghij");
        var order = new ArrayList<>(parts);
        var random = new Random(1);
        while (names.size() < NAMES) {
            Collections.shuffle(order, random);
            names.add("headheadhead" + String.join("", order));
        }
        return names.stream().distinct().toList();
    }

    private static List<String> random() {
        var random = new Random(1);
        var names = new ArrayList<String>();
        for (var i = 0; i < NAMES; i++) {
            names.add(Long.toHexString(random.nextLong()) + Long.toHexString(random.nextLong()));
        }
        return names;
    }

    private static byte[] object(List<String> names) {
        return names.stream()
                .map(name -> "\"" + name + "\":\"\"")
                .collect(Collectors.joining(",", "{", "}"))
                .getBytes(UTF_8);
    }

    private static JsonObject tree(ParseResult reading) {
        assertThat(reading).isInstanceOf(ParseResult.Documents.class);
        return (JsonObject) ((ParseResult.Documents) reading).documents().getFirst().root();
    }

    @FunctionalInterface
    private interface Act {
        void on(List<String> names);
    }

    private static long cpuNanos(Act act, List<String> names) {
        var threads = ManagementFactory.getThreadMXBean();
        var least = Long.MAX_VALUE;
        for (var i = 0; i < 3; i++) {
            var before = threads.getCurrentThreadCpuTime();
            act.on(names);
            least = Math.min(least, threads.getCurrentThreadCpuTime() - before);
        }
        return least;
    }

    private static void assertCheap(Act act) {
        var usual = cpuNanos(act, random());
        for (var names : List.of(ofOneHashCode(), ofOneSymbolHash())) {
            assertThat(cpuNanos(act, names)).isLessThan(FACTOR * Math.max(usual, 1_000_000));
        }
    }

    private static void use(JsonObject object, List<String> names) {
        assertThat(object.size()).isEqualTo(names.size());
        assertThat(names.stream().allMatch(object::has)).isTrue();
        assertThat(object.has("BBBBBBBBBBBBBBBBBBBBBBBBBBBBBBxx")).isFalse();
        assertThat(new JsonObject(new HashMap<>(object.members()))).isEqualTo(object);
    }

    @Test
    void collidingNamesInJsonAreParsedAndSearched() {
        assertCheap(names -> use(tree(JsonReader.readUnplaced(object(names))), names));
        assertCheap(names -> use(tree(JsonReader.read(object(names))), names));
    }

    @Test
    void collidingNamesInYamlAreParsedAndSearched() {
        assertCheap(names -> use(tree(YamlReader.read(new String(object(names), UTF_8))), names));
    }

    @Test
    void valuesWithCollidingNamesAreComparedAndShared() {
        assertCheap(names -> {
            var one = tree(JsonReader.readUnplaced(object(names)));
            var reversed = tree(JsonReader.readUnplaced(object(names.reversed())));
            assertThat(reversed).isEqualTo(one);
            assertThat(reversed.sharing(one)).isEqualTo(one);
        });
    }

    @Test
    void aDuplicateAmongCollidingNamesIsFound() {
        var names = new ArrayList<>(ofOneSymbolHash());
        names.add(names.getFirst());

        var reading = (ParseResult.Documents) JsonReader.readUnplaced(object(names));

        assertThat(reading.documents().getFirst().duplicates())
                .containsExactly(FieldPath.ROOT.child(names.getFirst()));
    }

    @Test
    void collidingLabelsAreDecodedFromObjectsEventsAndLists() {
        for (var names : List.of(ofOneHashCode(), ofOneSymbolHash())) {
            var node =
                    "{\"metadata\":{\"name\":\"n\",\"labels\":%s}}"
                            .formatted(new String(object(names), UTF_8));
            var codec = new Codec();

            var read =
                    codec.readJson(
                            Kinds.NODE, "v1", node.getBytes(UTF_8), UnknownFieldPolicy.LENIENT);

            assertThat(read.orThrow().metadata().labels()).hasSize(names.size());
        }
    }

    @Test
    void aListWithCollidingNamesIsDecodedOnRetry() {
        var list =
                "{\"kind\":\"NodeList\",\"items\":[{\"metadata\":{\"name\":\"n\",\"labels\":%s}}]}"
                        .formatted(new String(object(ofOneSymbolHash()), UTF_8))
                        .getBytes(UTF_8);
        var codec = new Codec();
        try {
            var _ =
                    codec.readList(
                            Kinds.NODE, "v1", stream(list), UnknownFieldPolicy.STRICT, _ -> {});
        } catch (UncheckedIOException _) {
            // Clients request a list again when the connection fails.
        }

        var nodes = new ArrayList<String>();
        var head =
                codec.readList(
                        Kinds.NODE,
                        "v1",
                        stream(list),
                        UnknownFieldPolicy.LENIENT,
                        node -> nodes.add(node.orThrow().metadata().name()));

        assertThat(head.value()).isPresent();
        assertThat(nodes).containsExactly("n");
    }

    private static ByteArrayInputStream stream(byte[] text) {
        return new ByteArrayInputStream(text);
    }
}
