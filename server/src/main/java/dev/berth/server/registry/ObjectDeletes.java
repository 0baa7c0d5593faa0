package dev.berth.server.registry;

import dev.berth.model.json.JsonObject;
import dev.berth.server.store.Entry;
import dev.berth.server.store.ObjectKey;
import dev.berth.server.store.Store;
import dev.berth.server.store.WriteResult;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/// Deleting objects, at once or step by step.
public final class ObjectDeletes {

    /// Held until objects that name this one as an owner no longer do.
    public static final String ORPHAN = "orphan";

    /// Held until objects that name this one as a blocking owner are gone.
    public static final String FOREGROUND = "foregroundDeletion";

    /// How often a deletion is tried again when somebody else changes the object meanwhile.
    private static final int ATTEMPTS = 20;

    /// What became of it.
    ///
    /// @param object as it is now, or was last
    /// @param gone false when something still holds it
    public record Deleted(JsonObject object, boolean gone) {}

    private final Store store;
    private final AdmissionChain admission;

    public ObjectDeletes(Store store, AdmissionChain admission) {
        this.store = store;
        this.admission = admission;
    }

    public Deleted delete(
            Resource resource, String name, DeleteOptions options, RequestContext context) {
        var key = new ObjectKey(resource.collection(), context.namespace(), name);
        for (var attempt = 1; attempt <= ATTEMPTS; attempt++) {
            var entry =
                    store.get(key)
                            .orElseThrow(() -> ApiError.notFound(resource.about(name)).exception());
            var old = StoredObjects.tree(entry);
            options.check(resource, old);
            admission.checkDelete(resource, old, context);
            var deleted = attempt(resource, entry, old, options, context);
            if (deleted.isPresent()) {
                return deleted.get();
            }
        }
        throw ApiError.modified(resource.about(name)).exception();
    }

    /// Empty when somebody else was faster.
    private Optional<Deleted> attempt(
            Resource resource,
            Entry entry,
            JsonObject old,
            DeleteOptions options,
            RequestContext context) {
        var held = Metadata.withFinalizers(old, finalizers(old, options));
        var grace = graceSeconds(resource, old, options);
        var stays =
                grace > 0
                        || !Metadata.finalizers(held).isEmpty()
                        || resource.deletion().isHeld(held);
        if (!stays) {
            return context.dryRun()
                    ? Optional.of(new Deleted(old, true))
                    : outcome(store.delete(entry.key(), entry.revision()), old, true);
        }
        var leaving = leaving(resource, held, grace, context);
        if (leaving.equals(old) || context.dryRun()) {
            return Optional.of(new Deleted(leaving, false));
        }
        return outcome(
                store.update(
                        entry.key(),
                        entry.revision(),
                        StoredEntry.value(
                                resource, leaving, entry.memo(StoredEntry::new).knownOwners())),
                leaving,
                false);
    }

    private static Optional<Deleted> outcome(WriteResult write, JsonObject object, boolean gone) {
        return write instanceof WriteResult.Done(var entry)
                ? Optional.of(new Deleted(StoredEntry.withRevision(object, entry.revision()), gone))
                : Optional.empty();
    }

    private static List<String> finalizers(JsonObject object, DeleteOptions options) {
        var finalizers = new ArrayList<>(Metadata.finalizers(object));
        options.policy()
                .ifPresent(policy -> {
                    finalizers.removeIf(one -> one.equals(ORPHAN) || one.equals(FOREGROUND));
                    switch (policy) {
                        case ORPHAN -> finalizers.add(ORPHAN);
                        case FOREGROUND -> finalizers.add(FOREGROUND);
                        case BACKGROUND -> {}
                    }
                });
        return finalizers;
    }

    private static long graceSeconds(Resource resource, JsonObject object, DeleteOptions options) {
        var asked =
                options.graceSeconds().isPresent()
                        ? OptionalLong.of(Math.max(0, options.graceSeconds().getAsLong()))
                        : OptionalLong.empty();
        var wanted = resource.deletion().graceSeconds(object, asked);
        var running = Metadata.of(object).number(Metadata.GRACE);
        // Once an object is leaving, its time can only become shorter.
        return Metadata.isBeingDeleted(object) && running.isPresent()
                ? asked.isPresent() ? Math.min(wanted, running.getAsLong()) : running.getAsLong()
                : wanted;
    }

    private static JsonObject leaving(
            Resource resource, JsonObject object, long graceSeconds, RequestContext context) {
        var running = Metadata.of(object).number(Metadata.GRACE);
        if (Metadata.isBeingDeleted(object) && running.orElse(0) == graceSeconds) {
            return object;
        }
        return resource.deletion()
                .leaving(
                        Metadata.leaving(
                                object, context.now().plusSeconds(graceSeconds), graceSeconds));
    }
}
