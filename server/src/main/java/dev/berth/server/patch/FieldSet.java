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

/// Immutable set of field paths: the fields that a manager owns.
///
/// Owning a container does not imply owning its fields, nor the reverse. JSON form as in
/// `fieldsV1`: `{"f:spec":{"f:replicas":{}}}`, with `".":{}` where a container is a member itself.
///
/// A set is a tree. The subtree of a step is a set too, which also records whether the field of the
/// step is a member. Sets share subtrees. An operation that changes nothing returns the same
/// object, so that cached JSON and hash codes are kept.
public final class FieldSet {

    static final PathStep[] NO_STEPS = {};
    static final FieldSet[] NO_SETS = {};

    public static final FieldSet EMPTY = new FieldSet(false, NO_STEPS, NO_SETS);

    /// Subtree of a field that is a member and has no members below.
    static final FieldSet LEAF = new FieldSet(true, NO_STEPS, NO_SETS);

    private static final String SELF = ".";

    private final boolean member;

    // In ascending order, with the non-empty subtree of each step.
    private final PathStep[] steps;
    private final FieldSet[] below;

    // Computed on first use. Races are benign: each thread computes the same value.
    private int hash;
    private @Nullable JsonObject json;

    private FieldSet(boolean member, PathStep[] steps, FieldSet[] below) {
        this.member = member;
        this.steps = steps;
        this.below = below;
    }

    /// Takes ownership of the arrays if they are full.
    static FieldSet of(boolean member, PathStep[] steps, FieldSet[] below, int count) {
        if (count == 0) {
            return member ? LEAF : EMPTY;
        }
        return count == steps.length
                ? new FieldSet(member, steps, below)
                : new FieldSet(member, Arrays.copyOf(steps, count), Arrays.copyOf(below, count));
    }

    /// A set of fields given by names alone, each written `metadata.name`.
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

    /// The set of one field; empty for the empty path.
    static FieldSet ofPath(List<PathStep> path) {
        var set = LEAF;
        for (var step : path.reversed()) {
            set = new FieldSet(false, new PathStep[] {step}, new FieldSet[] {set});
        }
        return set.withoutSelf();
    }

    /// Parses `fieldsV1`; empty if it is malformed.
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
            if (!(reading instanceof PathStep.Reading.Parsed(var step))
                    || !(fields.valueAt(at) instanceof JsonObject inner)) {
                return Optional.empty();
            }
            var below = parsed(inner, inner.members().containsKey(SELF));
            if (below.isEmpty()) {
                return Optional.empty();
            }
            set.add(step, below.get().isEmpty() ? LEAF : below.get());
        }
        return Optional.of(set.build(member));
    }

    public JsonObject toJson() {
        var known = json;
        if (known == null) {
            known = serialized();
            json = known;
        }
        return known;
    }

    /// Caches the text of the JSON, for a set that is written repeatedly.
    void keepText() {
        JsonWriter.keepText(toJson());
    }

    private JsonObject serialized() {
        if (isEmpty()) {
            return JsonObject.EMPTY;
        }
        var members = LinkedHashMap.<String, Json>newLinkedHashMap(steps.length + 1);
        if (member) {
            members.put(SELF, JsonObject.EMPTY);
        }
        for (var at = 0; at < steps.length; at++) {
            members.put(steps[at].serialized(), below[at].toJson());
        }
        return new JsonObject(members);
    }

    public boolean isEmpty() {
        return steps.length == 0;
    }

    boolean isNothing() {
        return isEmpty() && !member;
    }

    /// The given length minus the length of all steps; negative if they do not fit.
    long remainingLength(long length) {
        var left = length;
        for (var at = 0; at < steps.length && left >= 0; at++) {
            left = below[at].remainingLength(left - steps[at].length());
        }
        return left;
    }

    /// This set with the field of its own step.
    FieldSet withSelf() {
        return member ? this : of(true, steps, below, steps.length);
    }

    /// This set without the field of its own step.
    FieldSet withoutSelf() {
        return member ? of(false, steps, below, steps.length) : this;
    }

    /// Union of both sets.
    @SuppressWarnings("ReferenceEquality") // identical objects are equal
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

    /// Compares two steps; an index beyond the end sorts last.
    private int order(int ours, FieldSet other, int theirs) {
        return ours == steps.length
                ? 1
                : theirs == other.steps.length ? -1 : steps[ours].compareTo(other.steps[theirs]);
    }

    /// Intersection of both sets.
    public FieldSet intersection(FieldSet other) {
        var both = new FieldSetBuilder(Math.min(steps.length, other.steps.length));
        for (var at = 0; at < steps.length; at++) {
            var theirs = other.find(steps[at]);
            if (theirs >= 0) {
                both.add(steps[at], below[at].intersection(other.below[theirs]));
            }
        }
        return both.build(member && other.member);
    }

    /// Difference of both sets. Fields below a field of the other set stay.
    public FieldSet difference(FieldSet other) {
        return subtract(other, false);
    }

    /// This set without the fields of the other set and everything below them.
    public FieldSet without(FieldSet other) {
        return subtract(other, true);
    }

    /// @param deep whether everything below a field of the other set is removed, too
    @SuppressWarnings("ReferenceEquality") // identical objects are equal
    private FieldSet subtract(FieldSet other, boolean deep) {
        var left = below;
        for (var theirs = 0; theirs < other.steps.length; theirs++) {
            var ours = find(other.steps[theirs]);
            if (ours < 0) {
                continue;
            }
            var gone = other.below[theirs];
            var now = deep && gone.member ? EMPTY : below[ours].subtract(gone, deep);
            if (now != below[ours]) {
                left = left == below ? below.clone() : left;
                left[ours] = now;
            }
        }
        var stays = member && !other.member;
        return left == below && stays == member ? this : withSubtrees(stays, left);
    }

    /// This set with new subtrees; steps with an empty subtree are dropped.
    private FieldSet withSubtrees(boolean newMember, FieldSet[] sets) {
        var count = 0;
        for (var set : sets) {
            count += set.isNothing() ? 0 : 1;
        }
        if (count == sets.length) {
            return of(newMember, steps, sets, count);
        }
        var left = new PathStep[count];
        var subtrees = new FieldSet[count];
        var to = 0;
        for (var at = 0; at < sets.length; at++) {
            if (!sets[at].isNothing()) {
                left[to] = steps[at];
                subtrees[to++] = sets[at];
            }
        }
        return of(newMember, left, subtrees, count);
    }

    /// Index of the step; negative if it is absent.
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

    /// Replaces each subtree by the non-empty result of a function.
    @SuppressWarnings("ReferenceEquality") // identical objects are equal
    FieldSet mapChildren(BiFunction<PathStep, FieldSet, FieldSet> rule) {
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

    /// The members; within a subtree, shorter paths come first.
    public List<List<PathStep>> paths() {
        var paths = new ArrayList<List<PathStep>>();
        collect(List.of(), paths);
        return paths;
    }

    private void collect(List<PathStep> prefix, List<List<PathStep>> paths) {
        for (var at = 0; at < steps.length; at++) {
            if (below[at].member) {
                paths.add(append(prefix, steps[at]));
            }
        }
        for (var at = 0; at < steps.length; at++) {
            below[at].collect(append(prefix, steps[at]), paths);
        }
    }

    private static List<PathStep> append(List<PathStep> prefix, PathStep step) {
        var path = new ArrayList<>(prefix);
        path.add(step);
        return List.copyOf(path);
    }

    /// Display form of a path: `.spec.containers[name="a"].image`.
    public static String text(List<PathStep> path) {
        return path.stream().map(PathStep::toString).collect(Collectors.joining());
    }

    @Override
    @SuppressWarnings("ReferenceEquality") // identical objects are equal
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

    /// One path per line.
    @Override
    public String toString() {
        return paths().stream().map(FieldSet::text).collect(Collectors.joining("\n"));
    }
}
