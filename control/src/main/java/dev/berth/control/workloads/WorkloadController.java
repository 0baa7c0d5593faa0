package dev.berth.control.workloads;

import dev.berth.client.Cluster;
import dev.berth.client.Request;
import dev.berth.client.RequestResult;
import dev.berth.client.cache.ObjectCache;
import dev.berth.client.cache.ObjectCache.Listener;
import dev.berth.client.event.EventRecorder;
import dev.berth.control.loop.KeyedControlLoop;
import dev.berth.control.loop.SharedCaches;
import dev.berth.core.workload.Workload;
import dev.berth.model.api.meta.ObjectRef;
import dev.berth.model.api.meta.OwnerReference;
import dev.berth.model.api.pod.Pod;
import dev.berth.model.codec.Kinds;
import dev.berth.model.event.Event;
import dev.berth.model.json.Json;
import dev.berth.model.json.JsonNumber;
import dev.berth.model.json.JsonObject;
import dev.berth.model.workqueue.WorkResult;
import java.time.Instant;
import java.util.Optional;

/// Base of the controllers of objects that own pods.
abstract class WorkloadController extends KeyedControlLoop<ObjectRef> {

    /// Delay before an owner with outstanding expectations is reconciled again.
    private static final long EXPECTATION_DELAY_MILLIS = 1_000;

    private final Cluster cluster;
    private final WorkloadKind kind;
    private final EventRecorder events;
    private final ObjectCache<JsonObject> owners;
    final OwnedPods pods;

    WorkloadController(
            Cluster cluster, SharedCaches caches, WorkloadKind kind, EventRecorder events) {
        this.cluster = cluster;
        this.kind = kind;
        this.events = events;
        this.owners = needs(caches.of(kind.address()));
        var allPods = needs(caches.of(Kinds.POD));
        this.pods = new OwnedPods(cluster, allPods, kind, events);
        owners.addListener(Listener.of(this::onOwner));
        allPods.addListener(
                Listener.of((before, after) -> {
                    before.ifPresent(this::onPod);
                    after.ifPresent(this::onPod);
                }));
    }

    private void onOwner(Optional<JsonObject> before, Optional<JsonObject> after) {
        var owner = new Workload(after.or(() -> before).orElseThrow());
        if (after.isEmpty()) {
            pods.remove(owner.uid());
        } else {
            add(new ObjectRef(owner.namespace(), owner.name()));
        }
    }

    private void onPod(Pod pod) {
        pod.metadata()
                .controller()
                .filter(owner -> owner.kind().equals(kind.kind()))
                .map(OwnerReference::name)
                .ifPresent(name -> add(new ObjectRef(pod.metadata().namespace(), name)));
    }

    @Override
    protected final WorkResult reconcile(ObjectRef key, Instant now) {
        var owner = owners.find(key).map(Workload::new);
        if (owner.isEmpty()) {
            return WorkResult.DONE;
        }
        return pods.isSatisfied(owner.get(), now)
                ? reconcile(owner.get(), now)
                : new WorkResult.RequeueAt(now.plusMillis(EXPECTATION_DELAY_MILLIS));
    }

    /// Reconciles an owner without outstanding expectations.
    abstract WorkResult reconcile(Workload owner, Instant now);

    /// Writes the status if it differs from the present one.
    final WorkResult writeStatus(Workload owner, JsonObject status) {
        if (isSame(owner.status(), status)) {
            return WorkResult.DONE;
        }
        return patch(owner, "status", JsonObject.of("status", withoutEmptyLists(status)))
                .asWorkResult();
    }

    /// A merge patch that removes a member instead of storing an empty list.
    private static JsonObject withoutEmptyLists(JsonObject status) {
        var patch = status;
        for (var entry : status.members().entrySet()) {
            if (isEmptyList(entry.getValue())) {
                patch = patch.with(entry.getKey(), Json.JsonNull.INSTANCE);
            }
        }
        return patch;
    }

    private static boolean isEmptyList(Json value) {
        return value instanceof Json.JsonArray(var items) && items.isEmpty();
    }

    /// Zero numbers and empty lists may be absent.
    private static boolean isSame(JsonObject current, JsonObject desired) {
        for (var entry : desired.members().entrySet()) {
            var present = current.member(entry.getKey());
            if (present.isEmpty()
                    ? !isZeroOrEmpty(entry.getValue())
                    : !present.get().equals(entry.getValue())) {
                return false;
            }
        }
        return true;
    }

    private static boolean isZeroOrEmpty(Json value) {
        return isEmptyList(value)
                || value instanceof Json.JsonNull
                || (value instanceof JsonNumber number && number.asLong().orElse(1) == 0);
    }

    final RequestResult patch(Workload owner, String subresource, JsonObject patch) {
        return cluster.send(
                new Request.Patch(
                        kind.address(),
                        owner.namespace(),
                        owner.name(),
                        subresource,
                        Request.PatchType.MERGE,
                        patch));
    }

    final void recordNormal(Workload owner, String reason, String message) {
        events.record(Event.normal(kind.source(), kind.object(owner), reason, message));
    }

    final void recordWarning(Workload owner, String reason, String message) {
        events.record(Event.warning(kind.source(), kind.object(owner), reason, message));
    }

    final Cluster cluster() {
        return cluster;
    }
}
