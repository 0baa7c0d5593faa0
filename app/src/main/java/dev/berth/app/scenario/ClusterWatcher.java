package dev.berth.app.scenario;

import dev.berth.client.Cluster;
import dev.berth.client.ResourcePath;
import dev.berth.client.cache.ObjectCache;
import dev.berth.model.api.claim.DeviceClass;
import dev.berth.model.api.claim.ResourceClaim;
import dev.berth.model.api.meta.KubernetesObject;
import dev.berth.model.api.node.Node;
import dev.berth.model.api.pod.Pod;
import dev.berth.model.api.slice.ResourceSlice;
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

/// Watches a cluster and waits until it satisfies a condition.
final class ClusterWatcher implements AutoCloseable {

    private final ObjectCache<Pod> pods = ObjectCache.ofRecords();
    private final ObjectCache<ResourceClaim> claims = ObjectCache.ofRecords();
    private final ObjectCache<Node> nodes = ObjectCache.ofRecords();
    private final ObjectCache<ResourceSlice> slices = ObjectCache.ofRecords();
    private final ObjectCache<DeviceClass> classes = ObjectCache.ofRecords();
    private final ObjectCache<JsonObject> events = ObjectCache.ofJson();
    private final ObjectCache<JsonObject> namespaces = ObjectCache.ofJson();
    private final List<Cluster.Subscription> subscriptions = new ArrayList<>();

    // Guards the number of changes, which wakes waiting threads.
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private long changes;

    /// A cache that signals each change and the first complete list, also an empty one.
    private record NotifyingCache<T>(ObjectCache<T> cache, Runnable onChange)
            implements Cluster.EventHandler<T> {

        @Override
        public void replaceAll(Iterable<T> objects) {
            cache.replaceAll(objects);
            onChange.run();
        }

        @Override
        public void put(T object) {
            cache.put(object);
            onChange.run();
        }

        @Override
        public void remove(T object) {
            cache.remove(object);
            onChange.run();
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
            Cluster cluster, Kind<T> kind, ObjectCache<T> cache) {
        subscriptions.add(cluster.watch(kind, "", new NotifyingCache<>(cache, this::ring)));
    }

    private void watch(Cluster cluster, ResourcePath address, ObjectCache<JsonObject> cache) {
        subscriptions.add(cluster.watch(address, "", new NotifyingCache<>(cache, this::ring)));
    }

    /// The current state of a namespace.
    NamespaceView view(String namespace) {
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
            ObjectCache<T> cache, String namespace) {
        return cache.all().stream()
                .filter(object -> object.metadata().namespace().equals(namespace))
                .toList();
    }

    /// Whether a namespace and its objects are deleted.
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

    /// Evaluates a condition after every change until it is satisfied or the timeout ends.
    ///
    /// @return the last result
    <T> T await(Duration timeout, Supplier<T> question, Predicate<T> isEnough)
            throws InterruptedException {
        var end = System.nanoTime() + timeout.toNanos();
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

    /// Waits for a change; false after the timeout.
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
