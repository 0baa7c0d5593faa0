package dev.berth.server.auth;

import dev.berth.server.auth.PodReferences.Reference;
import dev.berth.server.registry.StoredObjects;
import dev.berth.server.store.Entry;
import dev.berth.server.store.ObjectKey;
import dev.berth.server.store.Store;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/// Index of the objects that the pods of each node refer to. The cost of a pod change is
/// proportional to the size of the pod; a lookup is constant in the number of pods.
final class NodePodReferences {

    private record Bound(String node, Set<Reference> references) {}

    private final Store store;
    private final CollectionFollower follower;
    // Guarded by this.
    private final Map<ObjectKey, Bound> pods = new HashMap<>();

    /// Number of pods of a node that refer to an object.
    private final Map<String, Map<Reference, Integer>> counts = new HashMap<>();

    private long caughtUpRevision = -1;

    NodePodReferences(Store store) {
        this.store = store;
        this.follower =
                new CollectionFollower(
                        store,
                        "pods",
                        new CollectionFollower.Index() {
                            @Override
                            public void clear() {
                                pods.clear();
                                counts.clear();
                            }

                            @Override
                            public void put(Entry entry) {
                                putPod(entry);
                            }

                            @Override
                            public void remove(ObjectKey key) {
                                removePod(key);
                            }
                        });
    }

    /// True when a pod that is bound to the node refers to the object.
    synchronized boolean refer(String node, Reference reference) {
        catchUp();
        return counts.getOrDefault(node, Map.of()).containsKey(reference);
    }

    /// The objects of one kind that the pods of a node refer to.
    synchronized List<Reference> references(String node, String kind) {
        catchUp();
        return counts.getOrDefault(node, Map.of()).keySet().stream()
                .filter(one -> one.kind().equals(kind))
                .toList();
    }

    private void catchUp() {
        var revision = store.revision();
        if (revision != caughtUpRevision) {
            follower.catchUp();
            caughtUpRevision = revision;
        }
    }

    private void putPod(Entry entry) {
        var pod = StoredObjects.tree(entry);
        var node = pod.objectOrEmpty("spec").text("nodeName");
        removePod(entry.key());
        // Mirror pods are created by the node itself, so they must not give it access to anything.
        if (node.isEmpty() || PodReferences.isMirror(pod)) {
            return;
        }
        var bound = new Bound(node, PodReferences.of(pod));
        pods.put(entry.key(), bound);
        var ofNode = counts.computeIfAbsent(node, _ -> new HashMap<>());
        bound.references.forEach(one -> ofNode.merge(one, 1, Integer::sum));
    }

    private void removePod(ObjectKey key) {
        var bound = pods.remove(key);
        if (bound == null) {
            return;
        }
        var ofNode = counts.getOrDefault(bound.node, new HashMap<>());
        for (var reference : bound.references) {
            ofNode.computeIfPresent(reference, (_, count) -> count == 1 ? null : count - 1);
        }
        if (ofNode.isEmpty()) {
            counts.remove(bound.node);
        }
    }
}
