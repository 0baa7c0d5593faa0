package dev.berth.server.patch;

import dev.berth.model.json.Json;
import dev.berth.model.json.JsonObject;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/// A set of fields of an object: what a manager owns. Immutable.
///
/// To own a container is not to own what is in it, nor the other way round. JSON, as in `fieldsV1`:
/// `{"f:spec":{"f:replicas":{}}}`, with `".":{}` where a container is a member itself.
public final class FieldSet {

    public static final FieldSet EMPTY = new FieldSet(new TreeMap<>());

    private static final Branch NOTHING = new Branch(false, EMPTY);

    private static final String SELF = ".";

    private final SortedMap<PathStep, Branch> branches;

    // Sets stay the same over many writes of an object, and are written each time.
    private @Nullable JsonObject json;
    private @Nullable JsonObject jsonWithSelf;

    /// @param member true when the field itself is in the set
    private record Branch(boolean member, FieldSet below) {
        boolean isEmpty() {
            return !member && below.isEmpty();
        }
    }

    private FieldSet(SortedMap<PathStep, Branch> branches) {
        this.branches = branches;
    }

    /// A set of fields that are reached by names alone, each written `metadata.name`.
    public static FieldSet of(String... paths) {
        var set = new Growing();
        for (var path : paths) {
            var steps = new ArrayList<PathStep>();
            for (var name : path.split("\\.", -1)) {
                steps.add(new PathStep.Named(name));
            }
            set.add(steps);
        }
        return set.done();
    }

    /// Reads `fieldsV1`; empty when it is not such.
    public static Optional<FieldSet> parse(JsonObject fields) {
        return Bounds.tooDeep(fields) ? Optional.empty() : parsed(fields);
    }

    private static Optional<FieldSet> parsed(JsonObject fields) {
        var branches = new TreeMap<PathStep, Branch>();
        for (var member : fields.members().entrySet()) {
            if (member.getKey().equals(SELF)) {
                continue;
            }
            var reading = PathStep.read(member.getKey());
            if (reading instanceof PathStep.Reading.Unknown) {
                continue;
            }
            if (!(reading instanceof PathStep.Reading.Known(var step))
                    || !(member.getValue() instanceof JsonObject inner)) {
                return Optional.empty();
            }
            var below = parsed(inner);
            if (below.isEmpty()) {
                return Optional.empty();
            }
            var itself = below.get().isEmpty() || inner.members().containsKey(SELF);
            branches.merge(step, new Branch(itself, below.get()), FieldSet::both);
        }
        return Optional.of(new FieldSet(branches));
    }

    public JsonObject toJson() {
        return written(false);
    }

    private JsonObject written(boolean self) {
        var known = self ? jsonWithSelf : json;
        if (known != null) {
            return known;
        }
        var members = new LinkedHashMap<String, Json>();
        if (self && !isEmpty()) {
            members.put(SELF, JsonObject.EMPTY);
        }
        branches.forEach(
                (step, branch) -> members.put(step.written(), branch.below.written(branch.member)));
        var written = members.isEmpty() ? JsonObject.EMPTY : new JsonObject(members);
        if (self) {
            jsonWithSelf = written;
        } else {
            json = written;
        }
        return written;
    }

    public boolean isEmpty() {
        return branches.isEmpty();
    }

    /// What is in either.
    public FieldSet union(FieldSet other) {
        return isEmpty() ? other : changed(other, (a, b) -> a == null ? b : both(a, b));
    }

    private static Branch both(Branch a, Branch b) {
        return new Branch(a.member || b.member, a.below.union(b.below));
    }

    /// This, with another branch wherever the other set has one; the same object when none is
    /// different.
    ///
    /// @param rule what becomes of our branch, if we have one, and theirs
    @SuppressWarnings("ReferenceEquality") // what is the same object is surely the same
    private FieldSet changed(FieldSet other, Rule rule) {
        TreeMap<PathStep, Branch> result = null;
        for (var theirs : other.branches.entrySet()) {
            var step = theirs.getKey();
            var ours = branches.get(step);
            var now = rule.apply(ours, theirs.getValue());
            if (ours == null
                    ? now.isEmpty()
                    : now.member == ours.member && now.below == ours.below) {
                continue;
            }
            result = result == null ? new TreeMap<>(branches) : result;
            if (now.isEmpty()) {
                result.remove(step);
            } else {
                result.put(step, now);
            }
        }
        return result == null ? this : new FieldSet(result);
    }

    @FunctionalInterface
    private interface Rule {
        Branch apply(@Nullable Branch ours, Branch theirs);
    }

    /// What is in both.
    public FieldSet intersection(FieldSet other) {
        var result = new TreeMap<PathStep, Branch>();
        branches.forEach((step, ours) -> {
            var theirs = other.branches.getOrDefault(step, NOTHING);
            var kept =
                    new Branch(ours.member && theirs.member, ours.below.intersection(theirs.below));
            if (!kept.isEmpty()) {
                result.put(step, kept);
            }
        });
        return new FieldSet(result);
    }

    /// What is here and not there. Fields below a field of the other set stay.
    public FieldSet difference(FieldSet other) {
        return changed(
                other,
                (a, b) ->
                        a == null
                                ? NOTHING
                                : new Branch(a.member && !b.member, a.below.difference(b.below)));
    }

    /// What is here, less the fields of the other set and all that is below them.
    public FieldSet without(FieldSet other) {
        return changed(
                other,
                (a, b) ->
                        a == null || b.member
                                ? NOTHING
                                : new Branch(a.member, a.below.without(b.below)));
    }

    public boolean contains(List<PathStep> path) {
        var here = this;
        for (var i = 0; i < path.size(); i++) {
            var branch = here.branches.get(path.get(i));
            if (branch == null) {
                return false;
            }
            if (i == path.size() - 1) {
                return branch.member;
            }
            here = branch.below;
        }
        return false;
    }

    boolean has(PathStep step) {
        var branch = branches.get(step);
        return branch != null && branch.member;
    }

    FieldSet below(PathStep step) {
        var branch = branches.get(step);
        return branch == null ? EMPTY : branch.below;
    }

    /// The steps that begin a path of this set, in order.
    List<PathStep> steps() {
        return List.copyOf(branches.keySet());
    }

    /// The members, those nearer to the root first on each way down.
    public List<List<PathStep>> paths() {
        var paths = new ArrayList<List<PathStep>>();
        collect(List.of(), paths);
        return paths;
    }

    private void collect(List<PathStep> prefix, List<List<PathStep>> paths) {
        branches.forEach((step, branch) -> {
            if (branch.member) {
                paths.add(joined(prefix, step));
            }
        });
        branches.forEach((step, branch) -> branch.below.collect(joined(prefix, step), paths));
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
    public boolean equals(Object other) {
        return other instanceof FieldSet set && branches.equals(set.branches);
    }

    @Override
    public int hashCode() {
        return branches.hashCode();
    }

    /// One path a line.
    @Override
    public String toString() {
        return paths().stream().map(FieldSet::text).collect(Collectors.joining("\n"));
    }

    /// A set that is being collected.
    static final class Growing {

        private final TreeMap<PathStep, Growing> below = new TreeMap<>();
        private boolean member;

        /// The path of nothing is nobody's.
        void add(List<PathStep> path) {
            at(path).join();
        }

        /// What is collected one step further down.
        Growing at(PathStep step) {
            return below.computeIfAbsent(step, _ -> new Growing());
        }

        /// The same by a whole path.
        Growing at(List<PathStep> path) {
            var here = this;
            for (var step : path) {
                here = here.at(step);
            }
            return here;
        }

        /// Puts the field itself into the set.
        void join() {
            member = true;
        }

        FieldSet done() {
            if (below.isEmpty()) {
                return EMPTY;
            }
            var branches = new TreeMap<PathStep, Branch>();
            below.forEach((step, growing) -> {
                var branch = new Branch(growing.member, growing.done());
                if (!branch.isEmpty()) {
                    branches.put(step, branch);
                }
            });
            return branches.isEmpty() ? EMPTY : new FieldSet(branches);
        }
    }
}
