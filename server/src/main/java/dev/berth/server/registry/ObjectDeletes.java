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

/// Deletes objects, immediately or gracefully.
public final class ObjectDeletes {

    /// Finalizer of orphaning deletion: blocks until no object names this one as an owner.
    public static final String ORPHAN = "orphan";

    /// Finalizer of foreground deletion: blocks until the objects that name this one as a blocking
    /// owner are deleted.
    public static final String FOREGROUND = "foregroundDeletion";

    /// Maximum number of attempts after conflicts with concurrent writes.
    private static final int ATTEMPTS = 20;

    /// Result of a deletion.
    ///
    /// @param object its new state, or its last state
    /// @param removed false when finalizers or a grace period still block the removal
    public record Deleted(JsonObject object, boolean removed) {}

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

    /// Empty on a conflict with a concurrent write.
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
        var terminating = terminating(resource, held, grace, context);
        if (terminating.equals(old) || context.dryRun()) {
            return Optional.of(new Deleted(terminating, false));
        }
        return outcome(
                store.update(
                        entry.key(),
                        entry.revision(),
                        StoredEntry.value(
                                resource,
                                terminating,
                                entry.memo(StoredEntry::new).cachedOwners())),
                terminating,
                false);
    }

    private static Optional<Deleted> outcome(
            WriteResult write, JsonObject object, boolean removed) {
        return write instanceof WriteResult.Done(var entry)
                ? Optional.of(
                        new Deleted(StoredEntry.withRevision(object, entry.revision()), removed))
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
        var requested =
                options.graceSeconds().isPresent()
                        ? OptionalLong.of(Math.max(0, options.graceSeconds().getAsLong()))
                        : OptionalLong.empty();
        var graceSeconds = resource.deletion().graceSeconds(object, requested);
        var running = Metadata.of(object).number(Metadata.GRACE);
        // The grace period of a terminating object can only be shortened.
        return Metadata.isBeingDeleted(object) && running.isPresent()
                ? requested.isPresent()
                        ? Math.min(graceSeconds, running.getAsLong())
                        : running.getAsLong()
                : graceSeconds;
    }

    private static JsonObject terminating(
            Resource resource, JsonObject object, long graceSeconds, RequestContext context) {
        var running = Metadata.of(object).number(Metadata.GRACE);
        if (Metadata.isBeingDeleted(object) && running.orElse(0) == graceSeconds) {
            return object;
        }
        return resource.deletion()
                .terminating(
                        Metadata.terminating(
                                object, context.now().plusSeconds(graceSeconds), graceSeconds));
    }
}
