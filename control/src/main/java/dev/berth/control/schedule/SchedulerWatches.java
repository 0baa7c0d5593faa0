package dev.berth.control.schedule;

import dev.berth.client.Cluster;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Watches all kinds that the scheduler needs and forwards their events to its views.
///
/// The first kind, pods, is listed first and the others afterwards. The first decision about a pod
/// therefore sees every node, claim and slice that existed when the pod was listed.
final class SchedulerWatches implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(SchedulerWatches.class);

    private final MessageQueue inbox;

    // Both guarded by `this`.
    private final List<Cluster.Subscription> open = new ArrayList<>();
    private boolean isClosed;

    // All belong to the thread that reads the inbox.
    private final Set<String> complete = new HashSet<>();
    private final Set<String> missing = new HashSet<>();
    private List<WatchedKind<?>> unstarted = List.of();
    private int kinds;

    /// Watches nothing yet.
    ///
    /// @param inbox message queue of the thread that owns the views
    SchedulerWatches(MessageQueue inbox) {
        this.inbox = inbox;
    }

    void start(Cluster cluster, List<WatchedKind<?>> all) {
        kinds = all.size();
        unstarted = all.subList(1, all.size());
        watch(cluster, all.getFirst());
    }

    /// True when the first list of every kind has arrived. Before that an allocated device could
    /// appear free.
    boolean isComplete() {
        return complete.size() == kinds;
    }

    private <T> void watch(Cluster cluster, WatchedKind<T> kind) {
        opened(kind.source().watch(cluster, new QueueingHandler<>(cluster, kind)));
    }

    private <T> void listed(Cluster cluster, WatchedKind<T> kind, Iterable<T> objects) {
        kind.view().replaceAll(objects);
        complete.add(kind.plural());
        missing.remove(kind.plural());
        var others = unstarted;
        unstarted = List.of();
        others.forEach(other -> watch(cluster, other));
    }

    /// Handles missing permission.
    private void forbidden(WatchedKind<?> kind, String message) {
        kind.onForbidden()
                .ifPresent(forget -> {
                    complete.add(kind.plural());
                    if (missing.add(kind.plural())) {
                        forget.run();
                        LOG.warn("scheduling without {}: {}", kind.plural(), message);
                    }
                });
    }

    /// Forwards events to the inbox; the events of a batch are added at once.
    private final class QueueingHandler<T> implements Cluster.EventHandler<T> {

        private final Cluster cluster;
        private final WatchedKind<T> kind;

        // Both belong to the watch thread.
        private final List<Runnable> batch = new ArrayList<>();
        private boolean isBatching;

        QueueingHandler(Cluster cluster, WatchedKind<T> kind) {
            this.cluster = cluster;
            this.kind = kind;
        }

        @Override
        public void batch(Runnable changes) {
            isBatching = true;
            try {
                changes.run();
            } finally {
                isBatching = false;
                inbox.addAll(batch);
                batch.clear();
            }
        }

        private void enqueue(Runnable message) {
            if (isBatching) {
                batch.add(message);
            } else {
                inbox.add(message);
            }
        }

        @Override
        public void replaceAll(Iterable<T> objects) {
            enqueue(() -> listed(cluster, kind, objects));
        }

        @Override
        public void put(T object) {
            enqueue(() -> kind.view().put(object));
        }

        @Override
        public void remove(T object) {
            enqueue(() -> kind.view().remove(object));
        }

        @Override
        public void onForbidden(String message) {
            enqueue(() -> forbidden(kind, message));
        }
    }

    private synchronized void opened(Cluster.Subscription subscription) {
        if (isClosed) {
            subscription.close();
        } else {
            open.add(subscription);
        }
    }

    @Override
    public void close() {
        closing().forEach(Cluster.Subscription::close);
    }

    private synchronized List<Cluster.Subscription> closing() {
        isClosed = true;
        return List.copyOf(open);
    }
}
