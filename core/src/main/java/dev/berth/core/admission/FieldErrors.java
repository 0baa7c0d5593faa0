package dev.berth.core.admission;

import dev.berth.model.json.FieldPath;
import dev.berth.model.json.Json;
import dev.berth.model.json.JsonOrder;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.TreeSet;
import java.util.function.BiConsumer;
import java.util.function.Function;

/// A growing list of problems, for the rules to write to.
///
/// Kubernetes states many rules twice: written as code, and declared on its types. What a written
/// rule finds is marked as covered when a declared one says the same; then the API answers in the
/// words of the declared rule, and does not look again at values that an update leaves alone.
///
/// Of each of the two sorts a limited number is kept: a million empty items have two million
/// problems, which would fill the memory.
public final class FieldErrors {

    /// Further problems of the same sort are dropped.
    static final int MAX_PROBLEMS = 1_000;

    /// What a list or one of its checks may leave to the declared rules.
    enum Cover {
        NOTHING,
        SIZE,
        SIZE_AND_UNIQUENESS,
        UNIQUENESS;

        private boolean size() {
            return this == SIZE || this == SIZE_AND_UNIQUENESS;
        }

        private boolean uniqueness() {
            return this == UNIQUENESS || this == SIZE_AND_UNIQUENESS;
        }
    }

    static final int UNLIMITED = -1;

    private record Entry(FieldError problem, boolean covered) {}

    private final List<Entry> entries = new ArrayList<>();
    private int coveredCount;

    private void add(FieldError problem, boolean covered) {
        var count = covered ? coveredCount : entries.size() - coveredCount;
        if (count < MAX_PROBLEMS) {
            entries.add(new Entry(problem, covered));
            coveredCount += covered ? 1 : 0;
        }
    }

    public void add(FieldError problem) {
        add(problem, false);
    }

    public void addAll(Collection<FieldError> problems) {
        problems.forEach(this::add);
    }

    void covered(FieldError problem) {
        add(problem, true);
    }

    void allCovered(Collection<FieldError> problems) {
        problems.forEach(this::covered);
    }

    /// Checks a list: too long a one is not looked into, so that nobody can make the server work
    /// with a list that it refuses anyway.
    <T> void list(
            List<T> items, int limit, FieldPath path, Cover cover, BiConsumer<T, FieldPath> each) {
        if (limit != UNLIMITED && items.size() > limit) {
            var problem = FieldError.tooMany(path, items.size(), limit);
            add(problem, cover.size());
            return;
        }
        for (var i = 0; i < items.size(); i++) {
            each.accept(items.get(i), path.index(i));
        }
    }

    /// Checks a list whose items must differ in their key.
    <T> void set(
            List<T> items,
            int limit,
            FieldPath path,
            Cover cover,
            BiConsumer<T, FieldPath> each,
            Function<T, Json> key) {
        list(items, limit, path, cover, each);
        if (limit != UNLIMITED && items.size() > limit) {
            return;
        }
        if (items.size() < 2) {
            return;
        }
        var seen = new TreeSet<>(JsonOrder.INSTANCE);
        for (var i = 0; i < items.size(); i++) {
            var itemKey = key.apply(items.get(i));
            if (!seen.add(itemKey)) {
                var problem = FieldError.duplicate(path.index(i), itemKey);
                add(problem, cover.uniqueness());
            }
        }
    }

    /// Everything that the written rules found.
    public List<FieldError> all() {
        return entries.stream().map(Entry::problem).toList();
    }

    /// What the written rules alone have found.
    List<FieldError> uncovered() {
        if (entries.isEmpty()) {
            return List.of();
        }
        return entries.stream().filter(entry -> !entry.covered).map(Entry::problem).toList();
    }
}
