package dev.berth.core.persistent;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class PersistentSortedMapTest {

    @Test
    void isEmptyAtFirst() {
        PersistentSortedMap<String, String> none = PersistentSortedMap.of();
        assertThat(none.isEmpty()).isTrue();
        assertThat(none.find("a")).isEmpty();
        assertThat(none.without("a").size()).isZero();
    }

    @Test
    void aChangeLeavesTheOldMapUnchanged() {
        var before = PersistentSortedMap.<String, Integer>of().with("a", 1).with("b", 2);
        var after = before.with("a", 3).without("b").with("c", 4);
        assertThat(before.values()).containsExactly(1, 2);
        assertThat(after.values()).containsExactly(3, 4);
    }

    @Test
    void puttingTheSameObjectChangesNothing() {
        var map = PersistentSortedMap.<String, String>of().with("a", "x");
        assertThat(map.with("a", "x")).isSameAs(map);
    }

    @Test
    void behavesLikeATreeMap() {
        var random = new Random(1);
        var expected = new TreeMap<Integer, Integer>();
        PersistentSortedMap<Integer, Integer> actual = PersistentSortedMap.of();
        for (var i = 0; i < 20_000; i++) {
            var key = random.nextInt(1_500);
            // It grows to many chunks first and shrinks to none in the end.
            if (random.nextInt(20_000) > i) {
                expected.put(key, i);
                actual = actual.with(key, i);
            } else {
                expected.remove(key);
                actual = actual.without(key);
            }
            assertThat(actual.size()).isEqualTo(expected.size());
            if (i % 500 == 0) {
                assertThat(entries(actual)).isEqualTo(expected);
                for (var probe = -1; probe <= 1_500; probe++) {
                    assertThat(actual.find(probe).orElse(-1))
                            .isEqualTo(expected.getOrDefault(probe, -1));
                }
            }
        }
    }

    @Test
    void isBuiltFromASortedMap() {
        for (var size : List.of(0, 1, 47, 48, 49, 1_000)) {
            var entries = new TreeMap<Integer, Integer>();
            for (var i = 0; i < size; i++) {
                entries.put(i * 2, i);
            }
            var map = PersistentSortedMap.of(entries);
            assertThat(entries(map)).isEqualTo(entries);
            assertThat(entries(map.with(3, 3)).keySet()).contains(3).hasSize(size + 1);
        }
    }

    @Test
    void visitsChangesSinceAnEarlierMap() {
        var random = new Random(2);
        for (var round = 0; round < 300; round++) {
            PersistentSortedMap<Integer, Object> before = PersistentSortedMap.of();
            for (var i = random.nextInt(600); i > 0; i--) {
                before = before.with(random.nextInt(700), new Object());
            }
            var after = before;
            for (var i = random.nextInt(round + 1); i > 0; i--) {
                var key = random.nextInt(700);
                after = random.nextBoolean() ? after.without(key) : after.with(key, new Object());
            }
            var visited = new ArrayList<Integer>();
            after.changesSince(before, visited::add);
            assertThat(visited).as("round %d", round).isSorted().doesNotHaveDuplicates();
            assertThat(new HashSet<>(visited)).isEqualTo(changes(before, after));
        }
    }

    private static Set<Integer> changes(
            PersistentSortedMap<Integer, Object> before,
            PersistentSortedMap<Integer, Object> after) {
        var changed = new HashSet<Integer>();
        for (var key = 0; key < 700; key++) {
            if (!before.find(key).equals(after.find(key))) {
                changed.add(key);
            }
        }
        return changed;
    }

    private static Map<Integer, Integer> entries(PersistentSortedMap<Integer, Integer> map) {
        var entries = new TreeMap<Integer, Integer>();
        map.forEach(entries::put);
        return entries;
    }
}
