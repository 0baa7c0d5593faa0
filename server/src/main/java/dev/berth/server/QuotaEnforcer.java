package dev.berth.server;

import dev.berth.model.json.JsonObject;
import dev.berth.server.kinds.QuotaEvaluation;
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
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import java.util.stream.Stream;

/// Holds namespaces to their quotas: charges before something is written, counts anew when
/// something is gone or has ended.
///
/// In a namespace with quotas one write of what they count is judged, charged and carried out after
/// the other, and nothing is counted anew in between: who counts sees either neither the charge nor
/// the object, or both. Nothing else waits. The charge goes before the object, so that a server
/// that ends between the two leaves too much charged and never too little.
final class QuotaEnforcer implements AdmissionChain.Guard {

    private static final String QUOTAS = "resourcequotas";

    /// How often charging is tried again when somebody changes a quota meanwhile.
    private static final int ATTEMPTS = 50;

    /// Namespaces share so many locks.
    private static final int LOCKS = 64;

    /// A quota with what it is to become.
    private record Bill(ObjectKey quota, long revision, JsonObject charged) {}

    private final Store store;
    private final StoredObjects objects;
    private final Supplier<Resources> resources;
    private final QuotaRecounter recounts = new QuotaRecounter(this::recount);
    // Each guards charges of some namespaces and the writes that they are for.
    private final List<Lock> locks =
            Stream.<Lock>generate(ReentrantLock::new).limit(LOCKS).toList();

    QuotaEnforcer(Store store, StoredObjects objects, Supplier<Resources> resources) {
        this.store = store;
        this.objects = objects;
        this.resources = resources;
    }

    @Override
    public WriteResult guarded(AdmissionChain.PendingWrite wish, Supplier<WriteResult> writing) {
        var namespace = wish.namespace();
        if (!isCounted(wish)) {
            return writing.get();
        }
        if (!isLimited(wish)) {
            var written = writing.get();
            // A quota that was made and counted meanwhile has not seen the object.
            if (isLimited(wish)) {
                recount(namespace);
            }
            return written;
        }
        var lock = lock(namespace);
        lock.lock();
        try {
            return charge(wish) ? charged(namespace, writing) : writing.get();
        } finally {
            lock.unlock();
        }
    }

    /// Writes what was charged, and takes the charge back when nothing was written. What is charged
    /// then is counted from what is stored, so no other write loses its charge.
    private WriteResult charged(String namespace, Supplier<WriteResult> writing) {
        try {
            var written = writing.get();
            if (!(written instanceof WriteResult.Done)) {
                recount(namespace);
            }
            return written;
        } catch (RuntimeException e) {
            quotas(namespace).forEach(quota -> recounts.add(key(quota)));
            throw e;
        }
    }

    @Override
    public void check(AdmissionChain.PendingWrite wish) {
        if (isCounted(wish)) {
            // Whoever is refused is refused by this.
            var _ = bills(wish);
        }
    }

    private static boolean isCounted(AdmissionChain.PendingWrite wish) {
        return wish.resource().isNamespaced()
                && QuotaEvaluation.mayCharge(wish.resource(), wish.old(), wish.object());
    }

    /// True when there is a quota for objects of the kind, so that they have to wait for each
    /// other.
    private boolean isLimited(AdmissionChain.PendingWrite wish) {
        return quotas(wish.namespace()).stream()
                .anyMatch(quota -> QuotaEvaluation.mayCount(quota, wish.resource()));
    }

    private List<JsonObject> quotas(String namespace) {
        return objects.list(QUOTAS, namespace);
    }

    private Lock lock(String namespace) {
        return locks.get(Math.floorMod(namespace.hashCode(), LOCKS));
    }

    /// Charges all quotas of a namespace or, if one has no room, none.
    private boolean charge(AdmissionChain.PendingWrite wish) {
        for (var attempt = 0; attempt < ATTEMPTS; attempt++) {
            var bills = bills(wish);
            if (bills.stream().allMatch(bill -> put(bill.quota, bill.revision, bill.charged))) {
                return !bills.isEmpty();
            }
            // Those that were charged before one had changed are not to be charged twice.
            recount(wish.namespace());
        }
        throw ApiError.conflict(
                        about(wish),
                        "the quotas of namespace %s change too fast; try again"
                                .formatted(wish.namespace()))
                .exception();
    }

    private static ApiError.About about(AdmissionChain.PendingWrite wish) {
        return wish.resource().about(wish.object().objectOrEmpty("metadata").text("name"));
    }

    private List<Bill> bills(AdmissionChain.PendingWrite wish) {
        var bills = new ArrayList<Bill>();
        for (var one : quotas(wish.namespace())) {
            var entry = store.get(key(one));
            if (entry.isPresent()) {
                bill(entry.get(), wish).ifPresent(bills::add);
            }
        }
        return bills;
    }

    private Optional<Bill> bill(Entry entry, AdmissionChain.PendingWrite wish) {
        var stored = StoredObjects.tree(entry);
        var quota =
                QuotaEvaluation.needsRecount(stored)
                        ? QuotaEvaluation.recount(stored, resources.get().all(), objects)
                        : stored;
        return switch (QuotaEvaluation.charge(
                quota, wish.resource(), wish.object(), wish.old(), objects)) {
            case QuotaEvaluation.Charge.Free _ -> Optional.empty();
            case QuotaEvaluation.Charge.Charged(var changed) ->
                    Optional.of(new Bill(entry.key(), entry.revision(), changed));
            case QuotaEvaluation.Charge.Exceeded(var why) ->
                    throw ApiError.forbidden(about(wish), why).exception();
        };
    }

    private boolean put(ObjectKey key, long revision, JsonObject quota) {
        var resource = resources.get().byCollection(QUOTAS).orElseThrow();
        return store.update(key, revision, ServedObjects.toStore(resource, quota))
                instanceof WriteResult.Done;
    }

    /// Follows changes: a quota that is new or has new limits is counted, and so is one that counts
    /// something that is gone, has ended or became another. One that was there before this server
    /// counts as new: nobody knows what went on since it was counted.
    void on(Change change) {
        var key = change.entry().key();
        var isQuota = key.collection().equals(QUOTAS);
        switch (change.type()) {
            case CREATED -> {
                if (isQuota) {
                    recounts.add(key);
                }
            }
            case UPDATED -> {
                if (isQuota && QuotaEvaluation.needsRecount(StoredObjects.tree(change.entry()))) {
                    recounts.add(key);
                } else if (!isQuota) {
                    touch(change, Optional.of(change.entry()));
                }
            }
            case DELETED -> touch(change, Optional.empty());
        }
    }

    private void touch(Change change, Optional<Entry> now) {
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
                recounts.add(key(quota));
            }
        }
    }

    /// Counts in the background until it is closed; until it is called, whoever follows counts.
    AutoCloseable start() {
        recounts.start();
        return recounts;
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
