package dev.berth.control.schedule;

import dev.berth.client.Cluster;
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

/// Brings everything that a scheduler must know from a cluster into its view.
final class Following implements AutoCloseable {

    private final Inbox inbox;
    private final List<Cluster.Following> open = new ArrayList<>();

    // Belongs to the thread that empties the inbox.
    private final Set<String> complete = new HashSet<>();
    private int kinds;

    /// Follows nothing yet.
    ///
    /// @param inbox of the thread to which views belong
    Following(Inbox inbox) {
        this.inbox = inbox;
    }

    void start(Cluster cluster, FeatureGates gates, ClusterView view) {
        follow(cluster, Kinds.NODE, view::replaceNodes, view::put, view::remove);
        follow(cluster, Kinds.DEVICE_CLASS, view::replaceClasses, view::put, view::remove);
        follow(cluster, Kinds.RESOURCE_SLICE, view::replaceSlices, view::put, view::remove);
        follow(cluster, Kinds.RESOURCE_CLAIM, view::replaceClaims, view::put, view::remove);
        if (gates.enabled(Gate.DRA_DEVICE_TAINT_RULES)) {
            follow(
                    cluster,
                    Kinds.DEVICE_TAINT_RULE,
                    view::replaceTaintRules,
                    view::put,
                    view::remove);
        }
        if (SchedulerOptions.groupsOwnClaims(gates)) {
            follow(cluster, Kinds.POD_GROUP, view::replaceGroups, view::put, view::remove);
        }
        follow(cluster, Kinds.POD, view::replacePods, view::put, view::remove);
    }

    /// Whether everything has been told at least once. Before that a device would seem free that
    /// somebody holds.
    boolean isComplete() {
        return complete.size() == kinds;
    }

    private <T extends KubernetesObject> void follow(
            Cluster cluster,
            Kind<T> kind,
            Consumer<Iterable<T>> replaceAll,
            Consumer<T> put,
            Consumer<T> remove) {
        kinds++;
        Consumer<Iterable<T>> first =
                objects -> {
                    replaceAll.accept(objects);
                    complete.add(kind.plural());
                };
        open.add(cluster.follow(kind, "", new HandingOn<>(inbox, first, put, remove)));
    }

    /// Puts into the inbox what it is told, all at once what it is told together.
    private static final class HandingOn<T> implements Cluster.Follower<T> {

        private final Inbox inbox;
        private final Consumer<Iterable<T>> replaceAll;
        private final Consumer<T> put;
        private final Consumer<T> remove;

        // Both belong to the thread that tells.
        private final List<Runnable> gathered = new ArrayList<>();
        private boolean gathers;

        HandingOn(
                Inbox inbox,
                Consumer<Iterable<T>> replaceAll,
                Consumer<T> put,
                Consumer<T> remove) {
            this.inbox = inbox;
            this.replaceAll = replaceAll;
            this.put = put;
            this.remove = remove;
        }

        @Override
        public void together(Runnable tellings) {
            gathers = true;
            try {
                tellings.run();
            } finally {
                gathers = false;
                inbox.addAll(gathered);
                gathered.clear();
            }
        }

        private void handOn(Runnable message) {
            if (gathers) {
                gathered.add(message);
            } else {
                inbox.add(message);
            }
        }

        @Override
        public void replaceAll(Iterable<T> objects) {
            handOn(() -> replaceAll.accept(objects));
        }

        @Override
        public void put(T object) {
            handOn(() -> put.accept(object));
        }

        @Override
        public void remove(T object) {
            handOn(() -> remove.accept(object));
        }
    }

    @Override
    public void close() {
        open.forEach(Cluster.Following::close);
    }
}
