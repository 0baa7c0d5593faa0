package dev.berth.core.allocate.bound;

import dev.berth.core.allocate.state.BitSets;
import java.util.Arrays;
import java.util.List;

/// Bipartite matching of demands with items, by augmenting paths.
final class BipartiteMatching {

    private final List<long[]> eligible;
    private final int[] owner;
    private final boolean[] visited;

    /// @param eligible for each demand the items that can serve it
    /// @param items the number of items
    BipartiteMatching(List<long[]> eligible, int items) {
        this.eligible = eligible;
        this.owner = new int[items];
        this.visited = new boolean[items];
        Arrays.fill(owner, -1);
    }

    /// Matches a demand with `need` further items; false when the demands matched so far leave too
    /// few.
    boolean match(int demand, int need) {
        for (var n = 0; n < need; n++) {
            Arrays.fill(visited, false);
            if (!augment(demand)) {
                return false;
            }
        }
        return true;
    }

    private boolean augment(int demand) {
        var items = eligible.get(demand);
        for (var item = BitSets.next(items, 0); item >= 0; item = BitSets.next(items, item + 1)) {
            if (owner[item] < 0 && !visited[item]) {
                owner[item] = demand;
                return true;
            }
        }
        for (var item = BitSets.next(items, 0); item >= 0; item = BitSets.next(items, item + 1)) {
            if (visited[item] || owner[item] == demand) {
                continue;
            }
            visited[item] = true;
            if (augment(owner[item])) {
                owner[item] = demand;
                return true;
            }
        }
        return false;
    }
}
