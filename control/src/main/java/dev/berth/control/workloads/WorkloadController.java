package dev.berth.control.workloads;

import dev.berth.client.Cluster;
import dev.berth.client.Request;
import dev.berth.client.RequestResult;
import dev.berth.client.ResourcePath;
import dev.berth.client.cache.ObjectCache;
import dev.berth.client.cache.ObjectCache.Listener;
import dev.berth.control.loop.KeyedControlLoop;
import dev.berth.control.loop.SharedCaches;
import dev.berth.core.workload.Workload;
import dev.berth.model.api.meta.ObjectRef;
import dev.berth.model.api.meta.OwnerReference;
import dev.berth.model.api.pod.Pod;
import dev.berth.model.codec.Kinds;
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
    private final ResourcePath address;
    private final String kind;
    private final ObjectCache<JsonObject> owners;
    final OwnedPods pods;

    WorkloadController(Cluster cluster, SharedCaches caches, ResourcePath address, String kind) {
        this.cluster = cluster;
        this.address = address;
        this.kind = kind;
        this.owners = needs(caches.of(address));
        var allPods = needs(caches.of(Kinds.POD));
        this.pods = new OwnedPods(cluster, allPods);
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
                .filter(owner -> owner.kind().equals(kind))
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
        return patch(owner, "status", JsonObject.of("status", status)).asWorkResult();
    }

    /// Zero numbers may be absent.
    private static boolean isSame(JsonObject current, JsonObject desired) {
        for (var entry : desired.members().entrySet()) {
            var present = current.member(entry.getKey());
            var isZero =
                    entry.getValue() instanceof JsonNumber number && number.asLong().orElse(1) == 0;
            if (present.isEmpty() ? !isZero : !present.get().equals(entry.getValue())) {
                return false;
            }
        }
        return true;
    }

    final RequestResult patch(Workload owner, String subresource, JsonObject patch) {
        return cluster.send(
                new Request.Patch(
                        address,
                        owner.namespace(),
                        owner.name(),
                        subresource,
                        Request.PatchType.MERGE,
                        patch));
    }

    final Cluster cluster() {
        return cluster;
    }
}
