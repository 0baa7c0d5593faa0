package dev.berth.control.workloads;

import dev.berth.client.Cluster;
import dev.berth.client.Request;
import dev.berth.client.RequestResult;
import dev.berth.client.ResourcePath;
import dev.berth.client.cache.CacheIndex;
import dev.berth.client.cache.ObjectCache;
import dev.berth.core.workload.Workload;
import dev.berth.model.api.meta.ObjectRef;
import dev.berth.model.api.meta.Uid;
import dev.berth.model.api.pod.Pod;
import dev.berth.model.codec.Kinds;
import dev.berth.model.json.JsonObject;
import dev.berth.model.workqueue.WorkResult;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.ConcurrentHashMap;

/// Cache of the pods that workload controllers own, by owner. Tracks creations and deletions that
/// have not arrived in the informer cache yet (client-go: expectations), so that pods are not
/// created or deleted twice.
final class OwnedPods {

    private static final ResourcePath PODS = ResourcePath.of(Kinds.POD);

    /// Time after which an expectation is dropped.
    private static final Duration EXPECTATION_TIMEOUT = Duration.ofSeconds(30);

    /// A creation or deletion whose event has not arrived yet.
    private record Expected(ObjectRef pod, Uid uid, boolean isCreation, Instant at) {}

    private final Cluster cluster;
    private final ObjectCache<Pod> pods;
    private final CacheIndex<String, Pod> byOwner;
    private final Map<String, Map<Uid, Expected>> expected = new ConcurrentHashMap<>();

    OwnedPods(Cluster cluster, ObjectCache<Pod> pods) {
        this.cluster = cluster;
        this.pods = pods;
        this.byOwner =
                pods.index(pod ->
                        pod.metadata().controller().stream()
                                .map(owner -> owner.uid().value())
                                .toList());
    }

    List<Pod> of(Workload owner) {
        return byOwner.find(owner.uid());
    }

    /// True when all creations and deletions for an owner have arrived in the cache.
    boolean isSatisfied(Workload owner, Instant now) {
        var waiting = expected.get(owner.uid());
        if (waiting == null) {
            return true;
        }
        waiting.values().removeIf(one -> isSatisfied(one, now));
        return waiting.isEmpty();
    }

    private boolean isSatisfied(Expected one, Instant now) {
        if (one.at().plus(EXPECTATION_TIMEOUT).isBefore(now)) {
            return true;
        }
        var cached = pods.find(one.pod()).filter(pod -> pod.metadata().uid().equals(one.uid()));
        return one.isCreation()
                ? cached.isPresent()
                : cached.isEmpty() || cached.get().metadata().isDeleting();
    }

    void remove(String owner) {
        expected.remove(owner);
    }

    WorkResult create(Workload owner, JsonObject pod, Instant now) {
        var result = cluster.send(Request.Create.of(PODS, owner.namespace(), pod));
        if (!(result instanceof RequestResult.Done(var created))) {
            return new WorkResult.Retry(result.message());
        }
        var metadata = created.objectOrEmpty("metadata");
        expect(
                owner,
                new Expected(
                        new ObjectRef(owner.namespace(), metadata.text("name")),
                        new Uid(metadata.text("uid")),
                        true,
                        now));
        return WorkResult.DONE;
    }

    WorkResult delete(Workload owner, Pod pod, Instant now) {
        var result =
                cluster.send(
                        new Request.Delete(
                                PODS,
                                owner.namespace(),
                                pod.metadata().name(),
                                Optional.of(pod.metadata().uid().value()),
                                OptionalLong.empty()));
        expect(owner, new Expected(pod.ref(), pod.metadata().uid(), false, now));
        return result.asWorkResult();
    }

    private void expect(Workload owner, Expected one) {
        expected.computeIfAbsent(owner.uid(), _ -> new ConcurrentHashMap<>()).put(one.uid(), one);
    }
}
