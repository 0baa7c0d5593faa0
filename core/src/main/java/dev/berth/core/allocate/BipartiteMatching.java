package dev.berth.core.allocate;

import java.util.Arrays;
import java.util.List;

/// Gives each demand things of its own out of those that would do: a bipartite matching, found by
/// augmenting paths.
final class BipartiteMatching {

    private final List<long[]> wanted;
    private final int[] owner;
    private final boolean[] visited;

    /// @param wanted for each demand the things that would do
    /// @param things how many things there are
    BipartiteMatching(List<long[]> wanted, int things) {
        this.wanted = wanted;
        this.owner = new int[things];
        this.visited = new boolean[things];
        Arrays.fill(owner, -1);
    }

    /// Whether a demand can have so many things more, beside all that the others have got.
    boolean give(int demand, int need) {
        for (var n = 0; n < need; n++) {
            Arrays.fill(visited, false);
            if (!augment(demand)) {
                return false;
            }
        }
        return true;
    }

    private boolean augment(int demand) {
        var things = wanted.get(demand);
        for (var thing = BitSets.next(things, 0);
                thing >= 0;
                thing = BitSets.next(things, thing + 1)) {
            if (owner[thing] < 0 && !visited[thing]) {
                owner[thing] = demand;
                return true;
            }
        }
        for (var thing = BitSets.next(things, 0);
                thing >= 0;
                thing = BitSets.next(things, thing + 1)) {
            if (visited[thing] || owner[thing] == demand) {
                continue;
            }
            visited[thing] = true;
            if (augment(owner[thing])) {
                owner[thing] = demand;
                return true;
            }
        }
        return false;
    }
}
