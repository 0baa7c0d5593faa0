package dev.berth.core.allocate;

import java.util.List;
import java.util.stream.IntStream;

/// A condition on the devices of one claim, with the numbers that it keeps in the [SearchTrail]:
/// how many devices it has seen, then a set of values. For a match the set is what all of them have
/// in common, for distinctness it is what any of them has.
final class Constraint {

    /// Stands for all claims of a pod: only a preference reaches that far.
    static final int EVERY_CLAIM = -1;

    private final int claim;
    private final boolean match;
    private final String attribute;
    private final List<String> requests;
    private final ConstraintValues values;
    private int at;
    private int words;

    Constraint(
            int claim,
            boolean match,
            String attribute,
            List<String> requests,
            ConstraintValues values) {
        this.claim = claim;
        this.match = match;
        this.attribute = attribute;
        this.requests = List.copyOf(requests);
        this.values = values;
    }

    boolean isPreference() {
        return claim == EVERY_CLAIM;
    }

    boolean isMatch() {
        return match;
    }

    String attribute() {
        return attribute;
    }

    ConstraintValues values() {
        return values;
    }

    /// Whether it binds the devices of a request, or of one of its alternatives.
    boolean binds(int ofClaim, String request, String option) {
        return (claim == ofClaim || claim == EVERY_CLAIM)
                && (requests.isEmpty() || requests.contains(request) || requests.contains(option));
    }

    /// How many numbers it needs, once all values are known.
    int size() {
        words = BitSets.words(values.size());
        return 1 + words;
    }

    /// Where its numbers are, once it is placed.
    IntStream numbers() {
        return IntStream.range(at, at + 1 + words);
    }

    void placeAt(int index) {
        at = index;
    }

    boolean hasBegun(SearchTrail trail) {
        return trail.at(at) > 0;
    }

    /// Whether a device with these values may join.
    boolean admits(SearchTrail trail, int[] device) {
        if (ConstraintValues.isAbsent(device) || ConstraintValues.isFaulty(device)) {
            return false;
        }
        if (!hasBegun(trail)) {
            return true;
        }
        var common = false;
        for (var value : device) {
            common |= hasValue(trail, value);
        }
        return match ? common : !common && device.length > 0;
    }

    boolean hasValue(SearchTrail trail, int value) {
        return (trail.at(at + 1 + (value >>> 6)) & BitSets.bit(value)) != 0;
    }

    /// Lets a device join; [#admits] has said that it may.
    void join(SearchTrail trail, int[] device) {
        var first = !hasBegun(trail);
        trail.set(at, trail.at(at) + 1);
        for (var word = 0; word < words; word++) {
            var own = 0L;
            for (var value : device) {
                own |= value >>> 6 == word ? BitSets.bit(value) : 0;
            }
            var index = at + 1 + word;
            trail.set(index, match && !first ? trail.at(index) & own : trail.at(index) | own);
        }
    }
}
