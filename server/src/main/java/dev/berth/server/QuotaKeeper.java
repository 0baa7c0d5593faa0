package dev.berth.server;

import dev.berth.model.json.JsonObject;
import dev.berth.server.kinds.Quotas;
import dev.berth.server.registry.Call;
import dev.berth.server.registry.Failure;
import dev.berth.server.registry.Gatekeepers;
import dev.berth.server.registry.Objects;
import dev.berth.server.registry.Resource;
import dev.berth.server.registry.Resources;
import dev.berth.server.registry.Served;
import dev.berth.server.store.Change;
import dev.berth.server.store.Key;
import dev.berth.server.store.Store;
import dev.berth.server.store.Write;
import java.util.Optional;
import java.util.function.Supplier;

/// Holds namespaces to their quotas: charges before something is created, counts anew when
/// something is gone.
///
/// A quota is charged by compare-and-swap before the object is created, so that two creators never
/// share the last place. What was charged for nothing is given back by counting anew.
final class QuotaKeeper implements Gatekeepers.Quota {

    private static final String QUOTAS = "resourcequotas";

    /// How often charging is tried again when somebody else was faster.
    private static final int ATTEMPTS = 50;

    private final Store store;
    private final Objects objects;
    private final Supplier<Resources> resources;

    QuotaKeeper(Store store, Objects objects, Supplier<Resources> resources) {
        this.store = store;
        this.objects = objects;
        this.resources = resources;
    }

    @Override
    public Write charged(
            Resource resource, JsonObject object, Call call, Supplier<Write> creation) {
        if (!resource.isNamespaced()) {
            return creation.get();
        }
        var charged = false;
        for (var quota : objects.list(QUOTAS, call.namespace())) {
            charged |= charge(key(quota), resource, object);
        }
        var written = creation.get();
        if (charged && !(written instanceof Write.Done)) {
            recount(call.namespace());
        }
        return written;
    }

    private boolean charge(Key key, Resource resource, JsonObject object) {
        for (var attempt = 0; attempt < ATTEMPTS; attempt++) {
            var entry = store.get(key);
            if (entry.isEmpty()) {
                return false;
            }
            var quota = Objects.tree(entry.get());
            if (Quotas.needsRecount(quota)) {
                quota = Quotas.recount(quota, resources.get().all(), objects);
            }
            switch (Quotas.charge(quota, resource, object, Optional.empty(), objects)) {
                case Quotas.Charge.Free _ -> {
                    return false;
                }
                case Quotas.Charge.Exceeded(var why) -> {
                    var name = object.objectOrEmpty("metadata").text("name");
                    throw Failure.forbidden(resource.about(name), why).refused();
                }
                case Quotas.Charge.Charged(var changed) -> {
                    if (put(key, entry.get().revision(), changed)) {
                        return true;
                    }
                }
            }
        }
        throw Failure.conflict(
                        resource.about(key.name()),
                        "quota %s changes too fast; try again".formatted(key.name()))
                .refused();
    }

    private boolean put(Key key, long revision, JsonObject quota) {
        var resource = resources.get().byCollection(QUOTAS).orElseThrow();
        return store.update(key, revision, Served.toStore(resource, quota)) instanceof Write.Done;
    }

    /// Follows changes: a quota that is new or has new limits is counted, and so are all of a
    /// namespace when something in it is gone.
    void on(Change change) {
        var key = change.entry().key();
        if (key.collection().equals(QUOTAS)) {
            if (change.type() != Change.Type.DELETED
                    && Quotas.needsRecount(Objects.tree(change.entry()))) {
                recount(key);
            }
        } else if (change.type() == Change.Type.DELETED && !key.namespace().isEmpty()) {
            recount(key.namespace());
        }
    }

    private void recount(String namespace) {
        objects.list(QUOTAS, namespace).forEach(quota -> recount(key(quota)));
    }

    private void recount(Key key) {
        for (var attempt = 0; attempt < ATTEMPTS; attempt++) {
            var entry = store.get(key);
            if (entry.isEmpty()) {
                return;
            }
            var quota = Objects.tree(entry.get());
            var counted = Quotas.recount(quota, resources.get().all(), objects);
            if (counted.equals(quota) || put(key, entry.get().revision(), counted)) {
                return;
            }
        }
    }

    private static Key key(JsonObject quota) {
        var metadata = quota.objectOrEmpty("metadata");
        return new Key(QUOTAS, metadata.text("namespace"), metadata.text("name"));
    }
}
