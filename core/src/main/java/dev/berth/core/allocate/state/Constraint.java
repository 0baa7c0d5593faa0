package dev.berth.core.allocate.state;

import java.util.List;
import java.util.stream.IntStream;

/// A `matchAttribute` or `distinctAttribute` constraint. Its state in the [SearchTrail] is the
/// number of assigned devices followed by a set of values: for a match the values common to all of
/// them, for distinctness the values of any of them.
public final class Constraint {

    /// Claim number of preferences, which apply to all claims of a pod.
    public static final int EVERY_CLAIM = -1;

    private final int claim;
    private final boolean match;
    private final String attribute;
    private final List<String> requests;
    private final ConstraintValues values;
    private int at;
    private int words;

    public Constraint(
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

    public boolean isPreference() {
        return claim == EVERY_CLAIM;
    }

    public boolean isMatch() {
        return match;
    }

    public String attribute() {
        return attribute;
    }

    public ConstraintValues values() {
        return values;
    }

    /// Whether it applies to a request or to one of its alternatives.
    public boolean appliesTo(int ofClaim, String request, String option) {
        return (claim == ofClaim || claim == EVERY_CLAIM)
                && (requests.isEmpty() || requests.contains(request) || requests.contains(option));
    }

    /// The length of its state in the trail; valid once all values are numbered.
    public int size() {
        words = BitSets.words(values.size());
        return 1 + words;
    }

    /// The trail indexes of its state.
    public IntStream trailIndexes() {
        return IntStream.range(at, at + 1 + words);
    }

    public void placeAt(int index) {
        at = index;
    }

    public boolean hasBegun(SearchTrail trail) {
        return trail.at(at) > 0;
    }

    /// Whether a device with these values satisfies the constraint.
    public boolean admits(SearchTrail trail, int[] device) {
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

    public boolean hasValue(SearchTrail trail, int value) {
        return (trail.at(at + 1 + (value >>> 6)) & BitSets.bit(value)) != 0;
    }

    /// Adds a device that satisfies [#admits].
    void add(SearchTrail trail, int[] device) {
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
