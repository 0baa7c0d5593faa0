package dev.berth.server;

import dev.berth.metrics.WorkQueueMetrics;
import dev.berth.model.json.JsonObject;
import dev.berth.server.kinds.quota.QuotaEvaluation;
import dev.berth.server.registry.AdmissionChain;
import dev.berth.server.registry.ApiError;
import dev.berth.server.registry.Resources;
import dev.berth.server.registry.ServedObjects;
import dev.berth.server.registry.StoredObjects;
import dev.berth.server.store.Change;
import dev.berth.server.store.Entry;
import dev.berth.server.store.ObjectKey;
import dev.berth.server.store.Store;
import dev.berth.server.store.WriteResult;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import java.util.stream.Stream;

/// Enforces ResourceQuotas: charges usage before a write, recounts when objects were deleted or
/// have terminated.
///
/// In a namespace with quotas, writes of counted objects are evaluated, charged and executed one at
/// a time, and no recount runs in between: a recount sees either both the charge and the object, or
/// neither. Other writes do not wait. The charge precedes the write, so a server that crashes
/// between the two leaves too much usage charged, never too little.
final class QuotaEnforcer implements AdmissionChain.Guard {

    private static final String QUOTAS = "resourcequotas";

    /// Maximum number of attempts after conflicts with concurrent changes of a quota.
    private static final int ATTEMPTS = 50;

    /// Number of locks that namespaces share.
    private static final int LOCKS = 64;

    /// The update of a quota's usage by a write.
    private record UsageUpdate(ObjectKey quota, long revision, JsonObject charged) {}

    private final Store store;
    private final StoredObjects objects;
    private final Supplier<Resources> resources;
    private final QuotaRecounter recounter = new QuotaRecounter(this::recount);
    // Each lock guards the charges of some namespaces and the charged writes.
    private final List<Lock> locks =
            Stream.<Lock>generate(ReentrantLock::new).limit(LOCKS).toList();

    QuotaEnforcer(Store store, StoredObjects objects, Supplier<Resources> resources) {
        this.store = store;
        this.objects = objects;
        this.resources = resources;
    }

    @Override
    public WriteResult guardedWrite(
            AdmissionChain.PendingWrite pending, Supplier<WriteResult> write) {
        var namespace = pending.namespace();
        if (!isCounted(pending)) {
            return write.get();
        }
        if (!isLimited(pending)) {
            var written = write.get();
            // A quota that was created and counted meanwhile does not include the object.
            if (isLimited(pending)) {
                recount(namespace);
            }
            return written;
        }
        var lock = lock(namespace);
        lock.lock();
        try {
            return charge(pending) ? charged(namespace, write) : write.get();
        } finally {
            lock.unlock();
        }
    }

    /// Runs a charged write, and recounts the quotas when nothing was written. A recount starts
    /// from the stored objects, so no other write loses its charge.
    private WriteResult charged(String namespace, Supplier<WriteResult> write) {
        try {
            var written = write.get();
            if (!(written instanceof WriteResult.Done)) {
                recount(namespace);
            }
            return written;
        } catch (RuntimeException e) {
            quotas(namespace).forEach(quota -> recounter.recount(key(quota)));
            throw e;
        }
    }

    @Override
    public void check(AdmissionChain.PendingWrite pending) {
        if (isCounted(pending)) {
            // Throws if a quota is exceeded.
            var _ = updates(pending);
        }
    }

    private static boolean isCounted(AdmissionChain.PendingWrite pending) {
        return pending.resource().isNamespaced()
                && QuotaEvaluation.mayCharge(pending.resource(), pending.old(), pending.object());
    }

    /// True when a quota counts objects of the kind, so that their writes have to be serialized.
    private boolean isLimited(AdmissionChain.PendingWrite pending) {
        return quotas(pending.namespace()).stream()
                .anyMatch(quota -> QuotaEvaluation.mayCount(quota, pending.resource()));
    }

    private List<JsonObject> quotas(String namespace) {
        return objects.list(QUOTAS, namespace);
    }

    private Lock lock(String namespace) {
        return locks.get(Math.floorMod(namespace.hashCode(), LOCKS));
    }

    /// Charges all quotas of a namespace or, if one is exceeded, none.
    private boolean charge(AdmissionChain.PendingWrite pending) {
        for (var attempt = 0; attempt < ATTEMPTS; attempt++) {
            var updates = updates(pending);
            if (updates.stream()
                    .allMatch(update -> put(update.quota, update.revision, update.charged))) {
                return !updates.isEmpty();
            }
            // Quotas that were charged before the conflict must not be charged twice.
            recount(pending.namespace());
        }
        throw ApiError.conflict(
                        about(pending),
                        "too many concurrent changes of the quotas of namespace %s; try again"
                                .formatted(pending.namespace()))
                .exception();
    }

    private static ApiError.About about(AdmissionChain.PendingWrite pending) {
        return pending.resource().about(pending.object().objectOrEmpty("metadata").text("name"));
    }

    private List<UsageUpdate> updates(AdmissionChain.PendingWrite pending) {
        var updates = new ArrayList<UsageUpdate>();
        for (var one : quotas(pending.namespace())) {
            var entry = store.get(key(one));
            if (entry.isPresent()) {
                update(entry.get(), pending).ifPresent(updates::add);
            }
        }
        return updates;
    }

    private Optional<UsageUpdate> update(Entry entry, AdmissionChain.PendingWrite pending) {
        var stored = StoredObjects.tree(entry);
        var quota =
                QuotaEvaluation.needsRecount(stored)
                        ? QuotaEvaluation.recount(stored, resources.get().all(), objects)
                        : stored;
        return switch (QuotaEvaluation.charge(
                quota, pending.resource(), pending.object(), pending.old(), objects)) {
            case QuotaEvaluation.Charge.Free _ -> Optional.empty();
            case QuotaEvaluation.Charge.Charged(var changed) ->
                    Optional.of(new UsageUpdate(entry.key(), entry.revision(), changed));
            case QuotaEvaluation.Charge.Exceeded(var message) ->
                    throw ApiError.forbidden(about(pending), message).exception();
        };
    }

    private boolean put(ObjectKey key, long revision, JsonObject quota) {
        var resource = resources.get().byCollection(QUOTAS).orElseThrow();
        return store.update(key, revision, ServedObjects.storedBytes(resource, quota))
                instanceof WriteResult.Done;
    }

    /// Handles changes: recounts a quota that is new or has new limits, and quotas whose objects
    /// were deleted, have terminated or changed their scope. Quotas that existed before this server
    /// started count as new, since their usage may be outdated.
    void on(Change change) {
        var key = change.entry().key();
        var isQuota = key.collection().equals(QUOTAS);
        switch (change.type()) {
            case CREATED -> {
                if (isQuota) {
                    recounter.recount(key);
                }
            }
            case UPDATED -> {
                if (isQuota && QuotaEvaluation.needsRecount(StoredObjects.tree(change.entry()))) {
                    recounter.recount(key);
                } else if (!isQuota) {
                    recountIfTouched(change, Optional.of(change.entry()));
                }
            }
            case DELETED -> recountIfTouched(change, Optional.empty());
        }
    }

    private void recountIfTouched(Change change, Optional<Entry> now) {
        var key = change.entry().key();
        var quotas = key.namespace().isEmpty() ? List.<JsonObject>of() : quotas(key.namespace());
        var resource = resources.get().byCollection(key.collection());
        if (quotas.isEmpty() || resource.isEmpty()) {
            return;
        }
        var old = StoredObjects.tree(change.previous().orElse(change.entry()));
        for (var quota : quotas) {
            if (QuotaEvaluation.isTouched(
                    quota, resource.get(), old, now.map(StoredObjects::tree))) {
                recounter.recount(key(quota));
            }
        }
    }

    /// Recounts in the background until it is closed. Before it is called, [#on] recounts
    /// synchronously.
    AutoCloseable start(Clock clock, WorkQueueMetrics metrics) {
        metrics.observe("resourcequota", recounter, clock);
        recounter.start(clock);
        return recounter;
    }

    private void recount(String namespace) {
        quotas(namespace).forEach(quota -> recount(key(quota)));
    }

    private void recount(ObjectKey key) {
        var lock = lock(key.namespace());
        lock.lock();
        try {
            count(key);
        } finally {
            lock.unlock();
        }
    }

    private void count(ObjectKey key) {
        for (var attempt = 0; attempt < ATTEMPTS; attempt++) {
            var entry = store.get(key);
            if (entry.isEmpty()) {
                return;
            }
            var quota = StoredObjects.tree(entry.get());
            var counted = QuotaEvaluation.recount(quota, resources.get().all(), objects);
            if (counted.equals(quota) || put(key, entry.get().revision(), counted)) {
                return;
            }
        }
    }

    private static ObjectKey key(JsonObject quota) {
        var metadata = quota.objectOrEmpty("metadata");
        return new ObjectKey(QUOTAS, metadata.text("namespace"), metadata.text("name"));
    }
}
