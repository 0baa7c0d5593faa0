package dev.berth.server.store;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class PersistentTreeTest {

    private static final long SEED = 11;

    @Test
    void behavesLikeATreeMap() {
        var random = new Random(SEED);
        var expected = new TreeMap<String, Integer>();
        var tree = PersistentTree.<Integer>empty();
        for (var step = 0; step < 20_000; step++) {
            var key = "k" + random.nextInt(500);
            if (random.nextBoolean()) {
                expected.put(key, step);
                tree = tree.with(key, step);
            } else {
                expected.remove(key);
                tree = tree.without(key);
            }
            var after = "k" + random.nextInt(500);
            var before = "k" + random.nextInt(500);
            assertThat(tree.size()).as("seed %d", SEED).isEqualTo(expected.size());
            assertThat(tree.get(key).orElse(-1)).isEqualTo(expected.getOrDefault(key, -1));
            assertThat(tree.countBefore(after)).isEqualTo(expected.headMap(after).size());
            if (after.compareTo(before) < 0) {
                var between = expected.subMap(after, false, before, false).values();
                assertThat(tree.between(after, before, 0)).containsExactlyElementsOf(between);
                assertThat(tree.between(after, before, 3))
                        .containsExactlyElementsOf(between.stream().limit(3).toList());
            }
        }
    }

    @Test
    void updatesLeaveTheOldTreeUnchanged() {
        var old = PersistentTree.<Integer>empty().with("a", 1).with("b", 2);

        var changed = old.with("a", 3).without("b");

        assertThat(old.between("", "z", 0)).containsExactly(1, 2);
        assertThat(changed.between("", "z", 0)).containsExactly(3);
    }

    /// An unbalanced tree would overflow the stack here.
    @Test
    void ascendingKeysKeepTheTreeBalanced() {
        var tree = PersistentTree.<Integer>empty();
        for (var i = 0; i < 200_000; i++) {
            tree = tree.with(Integer.toString(1_000_000 + i), i);
        }
        for (var i = 0; i < 199_999; i++) {
            tree = tree.without(Integer.toString(1_000_000 + i));
        }

        assertThat(tree.between("", "z", 0)).containsExactly(199_999);
    }
}
