package dev.berth.model.text;

import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/// Suggestions for a misspelled name: known names that it is a prefix of, that are a prefix of it,
/// or that are within a small edit distance.
public final class SimilarNames {

    private static final int MOST = 3;
    private static final int SHORTEST_PREFIX = 2;
    private static final int TOO_FAR = Integer.MAX_VALUE;

    private SimilarNames() {}

    /// At most three of the known names, the most similar first.
    public static List<String> of(String name, Collection<String> known) {
        record Ranked(String name, int distance) {}
        return known.stream()
                .map(one -> new Ranked(one, rank(name, one)))
                .filter(one -> one.distance != TOO_FAR)
                .sorted(Comparator.comparingInt(Ranked::distance))
                .limit(MOST)
                .map(Ranked::name)
                .toList();
    }

    /// `did you mean a, b or c?`; empty when no known name is similar.
    public static Optional<String> question(String name, Collection<String> known) {
        var similar = of(name, known);
        return similar.isEmpty()
                ? Optional.empty()
                : Optional.of("did you mean " + either(similar) + "?");
    }

    /// `a`, `a or b`, `a, b or c`.
    public static String either(List<String> names) {
        var last = names.size() - 1;
        return last < 1
                ? String.join("", names)
                : String.join(", ", names.subList(0, last)) + " or " + names.get(last);
    }

    private static int rank(String given, String known) {
        var a = given.toLowerCase(Locale.ROOT);
        var b = known.toLowerCase(Locale.ROOT);
        var distance = distance(a, b);
        var isPrefix =
                Math.min(a.length(), b.length()) >= SHORTEST_PREFIX
                        && (a.startsWith(b) || b.startsWith(a));
        return isPrefix || distance <= Math.max(1, a.length() / 3) ? distance : TOO_FAR;
    }

    /// Number of characters to insert, delete, replace, or swap with their neighbour (optimal
    /// string alignment).
    public static int distance(String a, String b) {
        var table = new int[a.length() + 1][b.length() + 1];
        for (var i = 0; i <= a.length(); i++) {
            for (var j = 0; j <= b.length(); j++) {
                table[i][j] = i == 0 || j == 0 ? i + j : step(table, a, b, i, j);
            }
        }
        return table[a.length()][b.length()];
    }

    private static int step(int[][] table, String a, String b, int i, int j) {
        var isSame = a.charAt(i - 1) == b.charAt(j - 1);
        var best =
                Math.min(
                        Math.min(table[i - 1][j], table[i][j - 1]) + 1,
                        table[i - 1][j - 1] + (isSame ? 0 : 1));
        var isSwap =
                i > 1
                        && j > 1
                        && a.charAt(i - 1) == b.charAt(j - 2)
                        && a.charAt(i - 2) == b.charAt(j - 1);
        return isSwap ? Math.min(best, table[i - 2][j - 2] + 1) : best;
    }
}
