package dev.berth.core.admission.field;

import dev.berth.model.json.FieldPath;
import dev.berth.model.json.Json;
import dev.berth.model.json.JsonOrder;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.TreeSet;
import java.util.function.BiConsumer;
import java.util.function.Function;

/// Collects the validation errors of one object; `field.ErrorList` in Kubernetes.
///
/// Kubernetes has many rules twice: handwritten in code, and declarative on its API types. A
/// handwritten error is marked as covered when a declarative rule reports the same. The API then
/// returns the declarative error, and skips values that an update does not change.
///
/// The number of errors of each sort is bounded: a million empty list items have two million
/// errors, which would exhaust memory.
public final class FieldErrors {

    /// Bound per sort; further errors are dropped.
    static final int MAX_PROBLEMS = 1_000;

    /// Which checks of a list are covered by declarative rules.
    public enum Cover {
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

    public static final int UNLIMITED = -1;

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

    public void covered(FieldError problem) {
        add(problem, true);
    }

    public void allCovered(Collection<FieldError> problems) {
        problems.forEach(this::covered);
    }

    /// Checks the size of a list, then its items. The items of an oversized list are not checked,
    /// which bounds the work for a list that is rejected anyway.
    public <T> void list(
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

    /// Checks a list whose items must have unique keys.
    public <T> void set(
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

    /// All errors of the handwritten rules.
    public List<FieldError> all() {
        return entries.stream().map(Entry::problem).toList();
    }

    /// The handwritten errors that no declarative rule covers.
    public List<FieldError> uncovered() {
        if (entries.isEmpty()) {
            return List.of();
        }
        return entries.stream().filter(entry -> !entry.covered).map(Entry::problem).toList();
    }
}
