package dev.berth.core.place;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// Receives the rejections of a node: the first one only, as the scheduler needs it, or all of
/// them, for explanations.
public final class RejectionCollector {

    private final boolean collectsAll;
    private final List<Rejection> rejections = new ArrayList<>(1);

    private RejectionCollector(boolean collectsAll) {
        this.collectsAll = collectsAll;
    }

    static RejectionCollector first() {
        return new RejectionCollector(false);
    }

    static RejectionCollector all() {
        return new RejectionCollector(true);
    }

    /// Adds a rejection, unless the collector is complete.
    public void add(Rejection rejection) {
        if (!isComplete()) {
            rejections.add(rejection);
        }
    }

    /// True when further rejections would be ignored, so that a filter can stop.
    public boolean isComplete() {
        return !collectsAll && !rejections.isEmpty();
    }

    /// The collected rejections in the order of filters.
    public List<Rejection> rejections() {
        return List.copyOf(rejections);
    }

    Optional<Rejection> firstRejection() {
        return rejections.isEmpty() ? Optional.empty() : Optional.of(rejections.getFirst());
    }
}
