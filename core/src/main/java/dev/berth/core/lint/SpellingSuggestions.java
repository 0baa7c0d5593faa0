package dev.berth.core.lint;

import dev.berth.model.text.SimilarNames;
import java.util.Collection;
import java.util.Comparator;
import java.util.Locale;
import java.util.Optional;

/// Finds the known name that is most similar to a misspelt one.
public final class SpellingSuggestions {

    /// A name with a distance of more than a third of its length is another name, not a
    /// misspelling.
    private static final int TOLERATED_FRACTION = 3;

    /// Names of objects differ in few letters although they are different: `gpu.nvidia.com` and
    /// `mig.nvidia.com`.
    private static final int TOLERATED_IN_OBJECT_NAMES = 2;

    private SpellingSuggestions() {}

    /// The name of a known object that is most similar to `wanted`, if it differs in at most two
    /// letters.
    public static Optional<String> nearestObject(String wanted, Collection<String> known) {
        return nearest(wanted, known)
                .filter(name -> distance(wanted, name) <= TOLERATED_IN_OBJECT_NAMES);
    }

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
        var letters = SimilarNames.distance(a.toLowerCase(Locale.ROOT), b.toLowerCase(Locale.ROOT));
        return letters == 0 && !a.equals(b) ? 1 : letters;
    }
}
