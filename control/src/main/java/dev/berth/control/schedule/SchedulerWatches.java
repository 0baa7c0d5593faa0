package dev.berth.control.schedule;

import dev.berth.client.Cluster;
import dev.berth.client.ResourcePath;
import dev.berth.core.admission.FeatureGates;
import dev.berth.core.admission.Gate;
import dev.berth.model.api.KubernetesObject;
import dev.berth.model.codec.Kind;
import dev.berth.model.codec.Kinds;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Watches all kinds that the scheduler needs and forwards their events to its view.
///
/// Pods are listed first, the other kinds afterwards. The first decision about a pod therefore sees
/// every node, claim and slice that existed when the pod was listed.
final class SchedulerWatches implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(SchedulerWatches.class);
    private static final ResourcePath NAMESPACES = new ResourcePath("", "v1", "namespaces");

    private final MessageQueue inbox;

    // Both guarded by `this`.
    private final List<Cluster.Subscription> open = new ArrayList<>();
    private boolean isClosed;

    // Belongs to the thread that reads the inbox.
    private final Set<String> complete = new HashSet<>();
    private final Set<String> missing = new HashSet<>();
    private boolean hasStartedAll;
    private int kinds;

    /// Watches nothing yet.
    ///
    /// @param inbox message queue of the thread that owns the views
    SchedulerWatches(MessageQueue inbox) {
        this.inbox = inbox;
    }

    void start(Cluster cluster, FeatureGates gates, ClusterView view, ClusterContextView context) {
        watch(
                cluster,
                Kinds.POD,
                pods -> {
                    view.replacePods(pods);
                    if (!hasStartedAll) {
                        hasStartedAll = true;
                        startOthers(cluster, gates, view, context);
                    }
                },
                view::put,
                view::remove);
    }

    private void startOthers(
            Cluster cluster, FeatureGates gates, ClusterView view, ClusterContextView context) {
        watch(cluster, Kinds.NODE, view::replaceNodes, view::put, view::remove);
        watch(cluster, Kinds.DEVICE_CLASS, view::replaceClasses, view::put, view::remove);
        watch(cluster, Kinds.RESOURCE_SLICE, view::replaceSlices, view::put, view::remove);
        watch(cluster, Kinds.RESOURCE_CLAIM, view::replaceClaims, view::put, view::remove);
        if (gates.enabled(Gate.DRA_DEVICE_TAINT_RULES)) {
            watch(
                    cluster,
                    Kinds.DEVICE_TAINT_RULE,
                    view::replaceTaintRules,
                    view::put,
                    view::remove);
        }
        if (SchedulerOptions.groupsOwnClaims(gates)) {
            watch(cluster, Kinds.POD_GROUP, view::replaceGroups, view::put, view::remove);
        }
        watch(cluster, context);
    }

    /// Watches optional kinds: without permission to read them, pods that do not need them are
    /// still scheduled.
    private void watch(Cluster cluster, ClusterContextView view) {
        kinds++;
        opened(
                cluster.watch(
                        NAMESPACES,
                        "",
                        new QueueingHandler<>(
                                inbox,
                                initialList(NAMESPACES.plural(), view::replaceNamespaces),
                                view::putNamespace,
                                view::removeNamespace,
                                continueWithout(NAMESPACES.plural(), view::forgetNamespaces))));
        watchOptional(
                cluster,
                Kinds.STORAGE_CLASS,
                view::replaceStorageClasses,
                view::put,
                view::remove,
                view::forgetStorage);
        watchOptional(
                cluster,
                Kinds.PERSISTENT_VOLUME,
                view::replaceVolumes,
                view::put,
                view::remove,
                view::forgetStorage);
        watchOptional(
                cluster,
                Kinds.PERSISTENT_VOLUME_CLAIM,
                view::replaceVolumeClaims,
                view::put,
                view::remove,
                view::forgetStorage);
    }

    private <T extends KubernetesObject> void watchOptional(
            Cluster cluster,
            Kind<T> kind,
            Consumer<Iterable<T>> replaceAll,
            Consumer<T> put,
            Consumer<T> remove,
            Consumer<Kind<?>> forget) {
        kinds++;
        var replace = initialList(kind.plural(), replaceAll);
        var without = continueWithout(kind.plural(), () -> forget.accept(kind));
        opened(
                cluster.watch(
                        kind, "", new QueueingHandler<>(inbox, replace, put, remove, without)));
    }

    /// True when the first list of every kind has arrived. Before that an allocated device could
    /// appear free.
    boolean isComplete() {
        return hasStartedAll && complete.size() == kinds;
    }

    private <T extends KubernetesObject> void watch(
            Cluster cluster,
            Kind<T> kind,
            Consumer<Iterable<T>> replaceAll,
            Consumer<T> put,
            Consumer<T> remove) {
        kinds++;
        var replace = initialList(kind.plural(), replaceAll);
        opened(
                cluster.watch(
                        kind, "", new QueueingHandler<>(inbox, replace, put, remove, _ -> {})));
    }

    private <T> Consumer<Iterable<T>> initialList(String kind, Consumer<Iterable<T>> replaceAll) {
        return objects -> {
            replaceAll.accept(objects);
            complete.add(kind);
            missing.remove(kind);
        };
    }

    /// Handles missing permission for an optional kind.
    private Consumer<String> continueWithout(String kind, Runnable forget) {
        return message -> {
            complete.add(kind);
            if (missing.add(kind)) {
                forget.run();
                LOG.warn("scheduling without {}: {}", kind, message);
            }
        };
    }

    /// Forwards events to the inbox; the events of a batch are added at once.
    private static final class QueueingHandler<T> implements Cluster.EventHandler<T> {

        private final MessageQueue inbox;
        private final Consumer<Iterable<T>> replaceAll;
        private final Consumer<T> put;
        private final Consumer<T> remove;
        private final Consumer<String> onForbidden;

        // Both belong to the watch thread.
        private final List<Runnable> batch = new ArrayList<>();
        private boolean isBatching;

        QueueingHandler(
                MessageQueue inbox,
                Consumer<Iterable<T>> replaceAll,
                Consumer<T> put,
                Consumer<T> remove,
                Consumer<String> onForbidden) {
            this.inbox = inbox;
            this.replaceAll = replaceAll;
            this.put = put;
            this.remove = remove;
            this.onForbidden = onForbidden;
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
            enqueue(() -> replaceAll.accept(objects));
        }

        @Override
        public void put(T object) {
            enqueue(() -> put.accept(object));
        }

        @Override
        public void remove(T object) {
            enqueue(() -> remove.accept(object));
        }

        @Override
        public void onForbidden(String message) {
            enqueue(() -> onForbidden.accept(message));
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
