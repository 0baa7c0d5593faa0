package dev.berth.app.scenario;

import dev.berth.client.Cluster;
import dev.berth.client.ResourcePath;
import dev.berth.client.cache.ObjectCache;
import dev.berth.model.api.DeviceClass;
import dev.berth.model.api.KubernetesObject;
import dev.berth.model.api.Node;
import dev.berth.model.api.Pod;
import dev.berth.model.api.ResourceClaim;
import dev.berth.model.api.ResourceSlice;
import dev.berth.model.codec.Kind;
import dev.berth.model.codec.Kinds;
import dev.berth.model.json.JsonObject;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Predicate;
import java.util.function.Supplier;

/// Follows a cluster, so that somebody can wait until it is as they want it.
final class ClusterWatcher implements AutoCloseable {

    private final ObjectCache<Pod> pods = ObjectCache.ofRecords();
    private final ObjectCache<ResourceClaim> claims = ObjectCache.ofRecords();
    private final ObjectCache<Node> nodes = ObjectCache.ofRecords();
    private final ObjectCache<ResourceSlice> slices = ObjectCache.ofRecords();
    private final ObjectCache<DeviceClass> classes = ObjectCache.ofRecords();
    private final ObjectCache<JsonObject> events = ObjectCache.ofTrees();
    private final ObjectCache<JsonObject> namespaces = ObjectCache.ofTrees();
    private final List<Cluster.Subscription> subscriptions = new ArrayList<>();

    // Guards the number of changes, which tells those who wait that something is new.
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private long changes;

    /// A mirror that tells when it was told something, be it that there is nothing.
    private record Told<T>(ObjectCache<T> mirror, Runnable bell)
            implements Cluster.EventHandler<T> {

        @Override
        public void replaceAll(Iterable<T> objects) {
            mirror.replaceAll(objects);
            bell.run();
        }

        @Override
        public void put(T object) {
            mirror.put(object);
            bell.run();
        }

        @Override
        public void remove(T object) {
            mirror.remove(object);
            bell.run();
        }
    }

    ClusterWatcher(Cluster cluster) {
        watch(cluster, Kinds.POD, pods);
        watch(cluster, Kinds.RESOURCE_CLAIM, claims);
        watch(cluster, Kinds.NODE, nodes);
        watch(cluster, Kinds.RESOURCE_SLICE, slices);
        watch(cluster, Kinds.DEVICE_CLASS, classes);
        watch(cluster, ResourcePath.EVENTS, events);
        watch(cluster, ScenarioNamespace.NAMESPACES, namespaces);
    }

    private <T extends KubernetesObject> void watch(
            Cluster cluster, Kind<T> kind, ObjectCache<T> mirror) {
        subscriptions.add(cluster.watch(kind, "", new Told<>(mirror, this::ring)));
    }

    private void watch(Cluster cluster, ResourcePath address, ObjectCache<JsonObject> mirror) {
        subscriptions.add(cluster.watch(address, "", new Told<>(mirror, this::ring)));
    }

    /// What is seen now.
    NamespaceView sight(String namespace) {
        return new NamespaceView(
                inside(pods, namespace),
                List.copyOf(claims.all()),
                events.all().stream()
                        .filter(event ->
                                event.objectOrEmpty("metadata").text("namespace").equals(namespace))
                        .toList(),
                List.copyOf(nodes.all()),
                List.copyOf(slices.all()),
                List.copyOf(classes.all()));
    }

    private static <T extends KubernetesObject> List<T> inside(
            ObjectCache<T> mirror, String namespace) {
        return mirror.all().stream()
                .filter(object -> object.metadata().namespace().equals(namespace))
                .toList();
    }

    /// Whether nothing is left of a namespace.
    boolean isGone(String namespace) {
        return namespaces.all().stream()
                        .noneMatch(
                                one -> one.objectOrEmpty("metadata").text("name").equals(namespace))
                && inside(pods, namespace).isEmpty()
                && inside(claims, namespace).isEmpty();
    }

    boolean hasSeenAll() {
        return pods.isSynced()
                && claims.isSynced()
                && nodes.isSynced()
                && slices.isSynced()
                && classes.isSynced()
                && events.isSynced()
                && namespaces.isSynced();
    }

    /// Asks again after every change, until the answer is good enough or patience ends.
    ///
    /// @return the last answer
    <T> T await(Duration patience, Supplier<T> question, Predicate<T> isEnough)
            throws InterruptedException {
        var end = System.nanoTime() + patience.toNanos();
        while (true) {
            var seen = changes();
            var hasSeenAll = hasSeenAll();
            var answer = question.get();
            if ((hasSeenAll && isEnough.test(answer)) || !awaitChange(seen, end)) {
                return answer;
            }
        }
    }

    private long changes() {
        lock.lock();
        try {
            return changes;
        } finally {
            lock.unlock();
        }
    }

    /// False when time is up.
    private boolean awaitChange(long seen, long end) throws InterruptedException {
        lock.lock();
        try {
            while (changes == seen) {
                var left = end - System.nanoTime();
                if (left <= 0) {
                    return false;
                }
                changed.awaitNanos(left);
            }
            return true;
        } finally {
            lock.unlock();
        }
    }

    private void ring() {
        lock.lock();
        try {
            changes++;
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    @Override
    public void close() {
        subscriptions.forEach(Cluster.Subscription::close);
    }
}
