package dev.berth.core.lint;

import java.util.Collection;
import java.util.Comparator;
import java.util.Locale;
import java.util.Optional;

/// Finds the known name that is most similar to a misspelt one.
public final class SpellingSuggestions {

    /// A name with a distance of more than a third of its length is another name, not a
    /// misspelling.
    private static final int TOLERATED_FRACTION = 3;

    private SpellingSuggestions() {}

    /// The known name most similar to `wanted`, if one is similar enough; ties go to the first in
    /// order.
    public static Optional<String> nearest(String wanted, Collection<String> known) {
        var bound = Math.max(2, wanted.length() / TOLERATED_FRACTION);
        return known.stream()
                .sorted()
                .filter(name -> distance(wanted, name) <= bound)
                .min(Comparator.comparingInt(name -> distance(wanted, name)));
    }

    /// Edit distance: letters to insert, delete, change or swap with their neighbour; letter case
    /// is ignored unless it is the only difference.
    private static int distance(String a, String b) {
        var letters = alignment(a.toLowerCase(Locale.ROOT), b.toLowerCase(Locale.ROOT));
        return letters == 0 && !a.equals(b) ? 1 : letters;
    }

    /// Optimal string alignment, three rows at a time.
    private static int alignment(String a, String b) {
        var twoAbove = new int[b.length() + 1];
        var above = new int[b.length() + 1];
        for (var j = 0; j <= b.length(); j++) {
            above[j] = j;
        }
        for (var i = 1; i <= a.length(); i++) {
            var row = new int[b.length() + 1];
            row[0] = i;
            for (var j = 1; j <= b.length(); j++) {
                var change = a.charAt(i - 1) == b.charAt(j - 1) ? 0 : 1;
                row[j] = Math.min(above[j - 1] + change, Math.min(above[j], row[j - 1]) + 1);
                if (i > 1
                        && j > 1
                        && a.charAt(i - 1) == b.charAt(j - 2)
                        && a.charAt(i - 2) == b.charAt(j - 1)) {
                    row[j] = Math.min(row[j], twoAbove[j - 2] + 1);
                }
            }
            twoAbove = above;
            above = row;
        }
        return above[b.length()];
    }
}
