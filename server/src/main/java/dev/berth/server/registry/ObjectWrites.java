package dev.berth.server.registry;

import dev.berth.core.admission.Admission.Admitted;
import dev.berth.model.json.JsonObject;
import dev.berth.model.json.JsonWriter;
import dev.berth.server.patch.ManagedFields;
import dev.berth.server.store.Entry;
import dev.berth.server.store.ObjectKey;
import dev.berth.server.store.Store;
import dev.berth.server.store.WriteResult;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;

/// Creates, updates and patches objects.
public final class ObjectWrites {

    /// Maximum number of attempts after conflicts with concurrent writes.
    private static final int ATTEMPTS = 20;

    /// Maximum number of generated names that are tried.
    private static final int NAME_ATTEMPTS = 8;

    /// Result of a write.
    ///
    /// @param object in the internal version, with its resourceVersion
    /// @param created false when an existing object was updated
    public record Written(JsonObject object, boolean created, List<String> warnings) {
        public Written {
            warnings = List.copyOf(warnings);
        }

        /// The result with the warnings of decoding before those of the write.
        public Written withDecodingWarnings(List<String> decoding) {
            return decoding.isEmpty()
                    ? this
                    : new Written(
                            object,
                            created,
                            Stream.concat(decoding.stream(), warnings.stream()).toList());
        }
    }

    /// The part of an object that is written.
    public enum Part {
        MAIN,
        STATUS,
        /// A subresource whose rules have been applied by the caller.
        SUBRESOURCE
    }

    private final Store store;
    private final IdSource ids;
    private final FieldOwnership ownership;
    private final AdmissionChain admission;

    public ObjectWrites(
            Store store, IdSource ids, FieldOwnership ownership, AdmissionChain admission) {
        this.store = store;
        this.ids = ids;
        this.ownership = ownership;
        this.admission = admission;
    }

    /// Creates an object. If a generated name is taken, another one is generated.
    public Written create(
            Resource resource, JsonObject written, RequestContext context, FieldManager manager) {
        var object = ownership.normalized(resource, written);
        admission.checkNamespace(resource, object, context);
        var generated = Metadata.name(object).isEmpty();
        for (var attempt = 1; ; attempt++) {
            var named =
                    ManagedFields.withoutReset(Metadata.created(resource, object, context, ids));
            try {
                return create(resource, named, context, manager, object);
            } catch (ApiException e) {
                if (!generated
                        || attempt == NAME_ATTEMPTS
                        || !e.error().reason().equals("AlreadyExists")) {
                    throw e;
                }
            }
        }
    }

    private Written create(
            Resource resource,
            JsonObject named,
            RequestContext context,
            FieldManager manager,
            JsonObject sent) {
        var written = resource.strategy().defaults(named, context);
        var admitted = validated(resource, resource.strategy().create(written, context));
        var owners = ownership.created(resource, sent, written, manager, context.now());
        var owned = owners.in(admitted.object());
        var warnings =
                AdmissionChain.joinedWarnings(
                        admitted.warnings(), admission.checkCreate(resource, owned, context));
        var key = key(resource, owned);
        var plain = StoredEntry.withoutRevision(resource, owned);
        var bytes = JsonWriter.bytes(plain);
        StoredSize.check(resource, key.name(), bytes.length, 0);
        var pending =
                new AdmissionChain.PendingWrite(
                        resource, context.namespace(), Optional.empty(), owned);
        if (context.dryRun()) {
            admission.check(pending);
            if (store.get(key).isPresent()) {
                throw ApiError.alreadyExists(resource.about(key.name())).exception();
            }
            return new Written(owned, true, warnings);
        }
        return switch (admission.guardedWrite(
                pending,
                () -> store.create(key, StoredEntry.value(plain, bytes, Optional.of(owners))))) {
            case WriteResult.Done(var entry) ->
                    new Written(StoredObjects.tree(entry), true, warnings);
            case WriteResult.Exists _, WriteResult.Conflict _, WriteResult.Missing _ ->
                    throw ApiError.alreadyExists(resource.about(key.name())).exception();
        };
    }

    /// Replaces an object. Without a resourceVersion the update is unconditional.
    public Written update(
            Resource resource,
            Part part,
            String name,
            JsonObject object,
            RequestContext context,
            FieldManager manager) {
        var unconditional = Metadata.of(object).text(Metadata.REVISION).isEmpty();
        return change(resource, part, name, context, manager, unconditional, _ -> object);
    }

    /// Applies a change to the latest state of an object.
    ///
    /// @param change may be called several times, and may throw [ApiException]
    public Written change(
            Resource resource,
            Part part,
            String name,
            RequestContext context,
            FieldManager manager,
            UnaryOperator<JsonObject> change) {
        return change(resource, part, name, context, manager, true, change);
    }

    private Written change(
            Resource resource,
            Part part,
            String name,
            RequestContext context,
            FieldManager manager,
            boolean retry,
            UnaryOperator<JsonObject> change) {
        var key = new ObjectKey(resource.collection(), context.namespace(), name);
        for (var attempt = 1; ; attempt++) {
            var entry =
                    store.get(key)
                            .orElseThrow(() -> ApiError.notFound(resource.about(name)).exception());
            var old = StoredObjects.tree(entry);
            var changed = ownership.normalized(resource, change.apply(old)).sharing(old);
            var written = tryReplace(resource, part, entry, old, changed, context, manager);
            if (written.isPresent()) {
                return written.get();
            }
            if (!retry || attempt == ATTEMPTS) {
                throw ApiError.modified(resource.about(name)).exception();
            }
        }
    }

    /// Runs admission for a write of a subresource with rules of its own; throws [ApiException].
    public void admit(
            Resource resource,
            Subresource subresource,
            JsonObject parent,
            JsonObject body,
            RequestContext context) {
        admission.checkSubresource(resource, subresource, parent, body, context);
    }

    /// Empty on a conflict with a concurrent write.
    private Optional<Written> tryReplace(
            Resource resource,
            Part part,
            Entry entry,
            JsonObject old,
            JsonObject changed,
            RequestContext context,
            FieldManager manager) {
        var replacing = ManagedFields.withoutReset(Metadata.replacing(resource, old, changed));
        var merged =
                part == Part.SUBRESOURCE
                        ? Metadata.withGenerationOf(changed, replacing)
                        : replacing;
        var strategy = resource.strategy();
        var written = part == Part.SUBRESOURCE ? merged : strategy.defaults(merged, context);
        var admitted =
                validated(
                        resource,
                        switch (part) {
                            case MAIN -> strategy.update(old, written, context);
                            case STATUS -> strategy.updateStatus(old, written, context);
                            case SUBRESOURCE -> new Admitted(written, List.of(), List.of());
                        });
        var stored = entry.memo(StoredEntry::new);
        var owners =
                ownership.updated(
                        resource,
                        part,
                        old,
                        stored::owners,
                        changed,
                        written,
                        manager,
                        context.now());
        var owned = owners.in(admitted.object());
        var warnings =
                AdmissionChain.joinedWarnings(
                        admitted.warnings(),
                        admission.checkUpdate(resource, part, old, owned, context));
        var pending =
                new AdmissionChain.PendingWrite(
                        resource, context.namespace(), Optional.of(old), owned);
        if (context.dryRun()) {
            admission.check(pending);
            var bytes = JsonWriter.bytes(StoredEntry.withoutRevision(resource, owned));
            StoredSize.check(resource, entry.key().name(), bytes.length, entry.bytes().length);
            return Optional.of(new Written(owned, false, warnings));
        }
        if (canBeRemoved(resource, owned)) {
            var deletion = store.delete(entry.key(), entry.revision());
            return deletion instanceof WriteResult.Done(var removed)
                    ? Optional.of(removed(resource, owned, removed, warnings))
                    : Optional.empty();
        }
        return tryUpdate(pending, entry, old, owners, warnings);
    }

    private Optional<Written> tryUpdate(
            AdmissionChain.PendingWrite pending,
            Entry entry,
            JsonObject old,
            ManagedFields owners,
            List<String> warnings) {
        var plain = StoredEntry.withoutRevision(pending.resource(), pending.object());
        var bytes = JsonWriter.bytes(plain);
        if (isStored(entry, pending.resource(), old, plain, bytes)) {
            return Optional.of(new Written(old, false, warnings));
        }
        StoredSize.check(
                pending.resource(), entry.key().name(), bytes.length, entry.bytes().length);
        var value = StoredEntry.value(plain, bytes, Optional.of(owners));
        var write =
                admission.guardedWrite(
                        pending, () -> store.update(entry.key(), entry.revision(), value));
        return outcome(write, warnings);
    }

    /// True if the stored object is equal. The order of fields is ignored: it differs between JSON
    /// clients and protobuf.
    private static boolean isStored(
            Entry entry, Resource resource, JsonObject old, JsonObject plain, byte[] bytes) {
        return Arrays.equals(bytes, entry.bytes())
                || (bytes.length == entry.bytes().length
                        && plain.equals(StoredEntry.withoutRevision(resource, old)));
    }

    private static Written removed(
            Resource resource, JsonObject object, Entry removed, List<String> warnings) {
        var last = StoredEntry.withRevision(resource.withTypeMeta(object), removed.revision());
        return new Written(last, false, warnings);
    }

    private static Optional<Written> outcome(WriteResult write, List<String> warnings) {
        return write instanceof WriteResult.Done(var entry)
                ? Optional.of(new Written(StoredObjects.tree(entry), false, warnings))
                : Optional.empty();
    }

    /// True if an object is being deleted and nothing blocks its removal any more.
    static boolean canBeRemoved(Resource resource, JsonObject object) {
        var metadata = Metadata.of(object);
        return Metadata.isBeingDeleted(object)
                && Metadata.finalizers(object).isEmpty()
                && !resource.deletion().isHeld(object)
                && metadata.number(Metadata.GRACE).orElse(0) == 0;
    }

    private static Admitted validated(Resource resource, Admitted admitted) {
        if (!admitted.accepted()) {
            var problems = new ArrayList<>(admitted.problems());
            throw ApiError.invalid(resource.about(Metadata.name(admitted.object())), problems)
                    .exception();
        }
        return admitted;
    }

    static ObjectKey key(Resource resource, JsonObject object) {
        var metadata = Metadata.of(object);
        return new ObjectKey(
                resource.collection(),
                resource.isNamespaced() ? metadata.text(Metadata.NAMESPACE) : "",
                metadata.text(Metadata.NAME));
    }
}
