package dev.berth.server.patch;

import dev.berth.model.json.Json;
import dev.berth.model.json.JsonObject;
import dev.berth.model.json.JsonWriter;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Optional;
import java.util.function.BiFunction;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/// A set of fields of an object: what a manager owns. Immutable.
///
/// To own a container is not to own what is in it, nor the other way round. JSON, as in `fieldsV1`:
/// `{"f:spec":{"f:replicas":{}}}`, with `".":{}` where a container is a member itself.
///
/// A set is a tree: what is below a step is a set too, which also knows whether the field that the
/// step leads to is a member. Trees of different sets share what they have in common, and whoever
/// changes nothing of a set gets the same object, so that what is known of it stays known.
public final class FieldSet {

    static final PathStep[] NO_STEPS = {};
    static final FieldSet[] NO_SETS = {};

    public static final FieldSet EMPTY = new FieldSet(false, NO_STEPS, NO_SETS);

    /// Below a step to a field that is a member, and of which nothing further down is.
    static final FieldSet LEAF = new FieldSet(true, NO_STEPS, NO_SETS);

    private static final String SELF = ".";

    private final boolean member;

    // In ascending order, and for each what is below it, which is not nothing.
    private final PathStep[] steps;
    private final FieldSet[] below;

    // Found when first asked for. Who races finds the same.
    private int hash;
    private @Nullable JsonObject json;

    private FieldSet(boolean member, PathStep[] steps, FieldSet[] below) {
        this.member = member;
        this.steps = steps;
        this.below = below;
    }

    /// The arrays are the set's from now on if they are full.
    static FieldSet of(boolean member, PathStep[] steps, FieldSet[] below, int count) {
        if (count == 0) {
            return member ? LEAF : EMPTY;
        }
        return count == steps.length
                ? new FieldSet(member, steps, below)
                : new FieldSet(member, Arrays.copyOf(steps, count), Arrays.copyOf(below, count));
    }

    /// A set of fields that are reached by names alone, each written `metadata.name`.
    public static FieldSet of(String... paths) {
        var set = EMPTY;
        for (var path : paths) {
            var steps = new ArrayList<PathStep>();
            for (var name : path.split("\\.", -1)) {
                steps.add(new PathStep.Named(name));
            }
            set = set.union(ofPath(steps));
        }
        return set;
    }

    /// The set of one field. The path of nothing is nobody's.
    static FieldSet ofPath(List<PathStep> path) {
        var set = LEAF;
        for (var step : path.reversed()) {
            set = new FieldSet(false, new PathStep[] {step}, new FieldSet[] {set});
        }
        return set.inside();
    }

    /// Reads `fieldsV1`; empty when it is not such.
    public static Optional<FieldSet> parse(JsonObject fields) {
        return PatchLimits.tooDeep(fields) ? Optional.empty() : parsed(fields, false);
    }

    private static Optional<FieldSet> parsed(JsonObject fields, boolean member) {
        var set = new FieldSetBuilder(fields.size());
        for (var at = 0; at < fields.size(); at++) {
            if (fields.nameAt(at).equals(SELF)) {
                continue;
            }
            var reading = PathStep.read(fields.nameAt(at));
            if (reading instanceof PathStep.Reading.Unknown) {
                continue;
            }
            if (!(reading instanceof PathStep.Reading.Known(var step))
                    || !(fields.valueAt(at) instanceof JsonObject inner)) {
                return Optional.empty();
            }
            var below = parsed(inner, inner.members().containsKey(SELF));
            if (below.isEmpty()) {
                return Optional.empty();
            }
            set.add(step, below.get().isEmpty() ? LEAF : below.get());
        }
        return Optional.of(set.done(member));
    }

    public JsonObject toJson() {
        var known = json;
        if (known == null) {
            known = written();
            json = known;
        }
        return known;
    }

    /// Keeps the text of the JSON, for a set that is written again and again.
    void keepText() {
        JsonWriter.keepText(toJson());
    }

    private JsonObject written() {
        if (isEmpty()) {
            return JsonObject.EMPTY;
        }
        var members = LinkedHashMap.<String, Json>newLinkedHashMap(steps.length + 1);
        if (member) {
            members.put(SELF, JsonObject.EMPTY);
        }
        for (var at = 0; at < steps.length; at++) {
            members.put(steps[at].written(), below[at].toJson());
        }
        return new JsonObject(members);
    }

    public boolean isEmpty() {
        return steps.length == 0;
    }

    boolean isNothing() {
        return isEmpty() && !member;
    }

    /// What is left of some length when all steps are written in it; less than zero when they do
    /// not fit.
    long leftOf(long length) {
        var left = length;
        for (var at = 0; at < steps.length && left >= 0; at++) {
            left = below[at].leftOf(left - steps[at].length());
        }
        return left;
    }

    /// This, and the field that it is below.
    FieldSet joined() {
        return member ? this : of(true, steps, below, steps.length);
    }

    /// This, without the field that it is below.
    FieldSet inside() {
        return member ? of(false, steps, below, steps.length) : this;
    }

    /// What is in either.
    @SuppressWarnings("ReferenceEquality") // what is the same object is surely the same
    public FieldSet union(FieldSet other) {
        if (this == other || other.isNothing()) {
            return this;
        }
        if (isNothing()) {
            return other;
        }
        var size = steps.length + other.steps.length;
        var all = new PathStep[size];
        var sets = new FieldSet[size];
        var count = 0;
        var isSame = member || !other.member;
        var theirs = 0;
        for (var ours = 0; ours < steps.length || theirs < other.steps.length; count++) {
            var order = order(ours, other, theirs);
            if (order > 0) {
                all[count] = other.steps[theirs];
                sets[count] = other.below[theirs++];
                isSame = false;
            } else {
                all[count] = steps[ours];
                sets[count] = order < 0 ? below[ours] : below[ours].union(other.below[theirs++]);
                isSame &= sets[count] == below[ours++];
            }
        }
        return isSame ? this : of(member || other.member, all, sets, count);
    }

    /// Which of two steps comes first; one beyond the end comes after all.
    private int order(int ours, FieldSet other, int theirs) {
        return ours == steps.length
                ? 1
                : theirs == other.steps.length ? -1 : steps[ours].compareTo(other.steps[theirs]);
    }

    /// What is in both.
    public FieldSet intersection(FieldSet other) {
        var both = new FieldSetBuilder(Math.min(steps.length, other.steps.length));
        for (var at = 0; at < steps.length; at++) {
            var theirs = other.find(steps[at]);
            if (theirs >= 0) {
                both.add(steps[at], below[at].intersection(other.below[theirs]));
            }
        }
        return both.done(member && other.member);
    }

    /// What is here and not there. Fields below a field of the other set stay.
    public FieldSet difference(FieldSet other) {
        return less(other, false);
    }

    /// What is here, less the fields of the other set and all that is below them.
    public FieldSet without(FieldSet other) {
        return less(other, true);
    }

    /// @param deep whether what is below a field of the other set goes with it
    @SuppressWarnings("ReferenceEquality") // what is the same object has not changed
    private FieldSet less(FieldSet other, boolean deep) {
        var left = below;
        for (var theirs = 0; theirs < other.steps.length; theirs++) {
            var ours = find(other.steps[theirs]);
            if (ours < 0) {
                continue;
            }
            var gone = other.below[theirs];
            var now = deep && gone.member ? EMPTY : below[ours].less(gone, deep);
            if (now != below[ours]) {
                left = left == below ? below.clone() : left;
                left[ours] = now;
            }
        }
        var stays = member && !other.member;
        return left == below && stays == member ? this : ofThings(stays, left);
    }

    /// With the same steps, but without those below which there is nothing.
    private FieldSet ofThings(boolean newMember, FieldSet[] sets) {
        var count = 0;
        for (var set : sets) {
            count += set.isNothing() ? 0 : 1;
        }
        if (count == sets.length) {
            return of(newMember, steps, sets, count);
        }
        var left = new PathStep[count];
        var things = new FieldSet[count];
        var to = 0;
        for (var at = 0; at < sets.length; at++) {
            if (!sets[at].isNothing()) {
                left[to] = steps[at];
                things[to++] = sets[at];
            }
        }
        return of(newMember, left, things, count);
    }

    /// Where the step is; less than zero when it is nowhere.
    private int find(PathStep step) {
        return Arrays.binarySearch(steps, step);
    }

    public boolean contains(List<PathStep> path) {
        var here = this;
        for (var step : path) {
            here = here.below(step);
        }
        return !path.isEmpty() && here.member;
    }

    boolean has(PathStep step) {
        return below(step).member;
    }

    FieldSet below(PathStep step) {
        var at = find(step);
        return at < 0 ? EMPTY : below[at];
    }

    /// This with something else below each step, which must not be nothing.
    @SuppressWarnings("ReferenceEquality") // what is the same object has not changed
    FieldSet withParts(BiFunction<PathStep, FieldSet, FieldSet> rule) {
        var parts = below;
        for (var at = 0; at < below.length; at++) {
            var part = rule.apply(steps[at], below[at]);
            if (part != below[at]) {
                parts = parts == below ? below.clone() : parts;
                parts[at] = part;
            }
        }
        return parts == below ? this : new FieldSet(member, steps, parts);
    }

    /// The members, those nearer to the root first on each way down.
    public List<List<PathStep>> paths() {
        var paths = new ArrayList<List<PathStep>>();
        collect(List.of(), paths);
        return paths;
    }

    private void collect(List<PathStep> prefix, List<List<PathStep>> paths) {
        for (var at = 0; at < steps.length; at++) {
            if (below[at].member) {
                paths.add(joined(prefix, steps[at]));
            }
        }
        for (var at = 0; at < steps.length; at++) {
            below[at].collect(joined(prefix, steps[at]), paths);
        }
    }

    private static List<PathStep> joined(List<PathStep> prefix, PathStep step) {
        var path = new ArrayList<>(prefix);
        path.add(step);
        return List.copyOf(path);
    }

    /// A path as people read it: `.spec.containers[name="a"].image`.
    public static String text(List<PathStep> path) {
        return path.stream().map(PathStep::toString).collect(Collectors.joining());
    }

    @Override
    @SuppressWarnings("ReferenceEquality") // what is the same object is surely the same
    public boolean equals(Object other) {
        return this == other
                || (other instanceof FieldSet set
                        && member == set.member
                        && hashCode() == set.hashCode()
                        && Arrays.equals(steps, set.steps)
                        && Arrays.equals(below, set.below));
    }

    @Override
    public int hashCode() {
        var known = hash;
        if (known == 0) {
            known = Boolean.hashCode(member);
            for (var at = 0; at < steps.length; at++) {
                known = 31 * (31 * known + steps[at].hashCode()) + below[at].hashCode();
            }
            hash = known;
        }
        return known;
    }

    /// One path a line.
    @Override
    public String toString() {
        return paths().stream().map(FieldSet::text).collect(Collectors.joining("\n"));
    }
}
