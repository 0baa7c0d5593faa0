package dev.berth.control.workloads;

import dev.berth.client.Cluster;
import dev.berth.client.Request;
import dev.berth.client.RequestResult;
import dev.berth.client.ResourcePath;
import dev.berth.client.cache.CacheIndex;
import dev.berth.client.cache.ObjectCache;
import dev.berth.client.event.EventRecorder;
import dev.berth.core.workload.Workload;
import dev.berth.model.api.meta.ObjectRef;
import dev.berth.model.api.meta.Uid;
import dev.berth.model.api.pod.Pod;
import dev.berth.model.codec.Kinds;
import dev.berth.model.event.Event;
import dev.berth.model.json.JsonObject;
import dev.berth.model.workqueue.WorkResult;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.ConcurrentHashMap;

/// Cache of the pods that workload controllers own, by owner. Creates and deletes them with the
/// events of Kubernetes, and tracks creations and deletions that have not arrived in the informer
/// cache yet (client-go: expectations), so that pods are not created or deleted twice.
final class OwnedPods {

    private static final ResourcePath PODS = ResourcePath.of(Kinds.POD);
    private static final int FORBIDDEN = 403;

    /// Time after which an expectation is dropped.
    private static final Duration EXPECTATION_TIMEOUT = Duration.ofSeconds(30);

    /// A creation or deletion whose event has not arrived yet.
    private record Expected(ObjectRef pod, Uid uid, boolean isCreation, Instant at) {}

    private final Cluster cluster;
    private final ObjectCache<Pod> pods;
    private final WorkloadKind kind;
    private final EventRecorder events;
    private final CacheIndex<String, Pod> byOwner;
    private final Map<String, Map<Uid, Expected>> expected = new ConcurrentHashMap<>();

    OwnedPods(Cluster cluster, ObjectCache<Pod> pods, WorkloadKind kind, EventRecorder events) {
        this.cluster = cluster;
        this.pods = pods;
        this.kind = kind;
        this.events = events;
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
        if (isNamespaceTerminating(result)) {
            return WorkResult.DONE;
        }
        if (!(result instanceof RequestResult.Done(var created))) {
            recordWarning(owner, "FailedCreate", "Error creating: " + result.message());
            return new WorkResult.Retry(result.message());
        }
        var metadata = created.objectOrEmpty("metadata");
        recordNormal(owner, "SuccessfulCreate", "Created pod: " + metadata.text("name"));
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
        if (result.isDone()) {
            recordNormal(owner, "SuccessfulDelete", "Deleted pod: " + pod.metadata().name());
            expect(owner, new Expected(pod.ref(), pod.metadata().uid(), false, now));
        } else if (!(result instanceof RequestResult.Missing)) {
            recordWarning(owner, "FailedDelete", "Error deleting: " + result.message());
        }
        return result.asWorkResult();
    }

    /// No pod can be created, and the owner is about to be deleted as well.
    private static boolean isNamespaceTerminating(RequestResult result) {
        return result instanceof RequestResult.Refused(var code, _, var message)
                && code == FORBIDDEN
                && message.endsWith("because it is being terminated");
    }

    private void recordNormal(Workload owner, String reason, String message) {
        events.record(Event.normal(kind.source(), kind.object(owner), reason, message));
    }

    private void recordWarning(Workload owner, String reason, String message) {
        events.record(Event.warning(kind.source(), kind.object(owner), reason, message));
    }

    private void expect(Workload owner, Expected one) {
        expected.computeIfAbsent(owner.uid(), _ -> new ConcurrentHashMap<>()).put(one.uid(), one);
    }
}
