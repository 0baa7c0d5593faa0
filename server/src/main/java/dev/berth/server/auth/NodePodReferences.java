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

/// What the pods of each node refer to. A change of a pod costs as much as the pod is big; a
/// question costs a look into a map, however many pods there are.
final class NodePodReferences {

    private record Bound(String node, Set<Reference> references) {}

    private final Store store;
    private final CollectionFollower follower;
    // Guarded by this.
    private final Map<ObjectKey, Bound> pods = new HashMap<>();

    /// How many pods of a node refer to a thing.
    private final Map<String, Map<Reference, Integer>> counts = new HashMap<>();

    private long seen = -1;

    NodePodReferences(Store store) {
        this.store = store;
        this.follower =
                new CollectionFollower(
                        store,
                        "pods",
                        new CollectionFollower.Reader() {
                            @Override
                            public void restart() {
                                pods.clear();
                                counts.clear();
                            }

                            @Override
                            public void put(Entry entry) {
                                replace(entry);
                            }

                            @Override
                            public void remove(ObjectKey key) {
                                forget(key);
                            }
                        });
    }

    /// True when a pod that is bound to the node refers to it.
    synchronized boolean refer(String node, Reference reference) {
        catchUp();
        return counts.getOrDefault(node, Map.of()).containsKey(reference);
    }

    /// What the pods of a node refer to, of one kind.
    synchronized List<Reference> references(String node, String kind) {
        catchUp();
        return counts.getOrDefault(node, Map.of()).keySet().stream()
                .filter(one -> one.kind().equals(kind))
                .toList();
    }

    private void catchUp() {
        var revision = store.revision();
        if (revision != seen) {
            follower.catchUp();
            seen = revision;
        }
    }

    private void replace(Entry entry) {
        var pod = StoredObjects.tree(entry);
        var node = pod.objectOrEmpty("spec").text("nodeName");
        forget(entry.key());
        // A node makes mirror pods itself; they must not open anything to it.
        if (node.isEmpty() || PodReferences.isMirror(pod)) {
            return;
        }
        var bound = new Bound(node, PodReferences.of(pod));
        pods.put(entry.key(), bound);
        var ofNode = counts.computeIfAbsent(node, _ -> new HashMap<>());
        bound.references.forEach(one -> ofNode.merge(one, 1, Integer::sum));
    }

    private void forget(ObjectKey key) {
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
