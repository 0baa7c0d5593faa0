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

/// Creating, updating and patching objects.
public final class ObjectWrites {

    /// How often a change is tried again when somebody else was faster.
    private static final int ATTEMPTS = 20;

    /// How often another name is tried when a generated one is taken.
    private static final int NAME_ATTEMPTS = 8;

    /// What was written.
    ///
    /// @param object of the version that travels inside, with its revision
    /// @param created false when it was there before
    public record Written(JsonObject object, boolean created, List<String> warnings) {
        public Written {
            warnings = List.copyOf(warnings);
        }
    }

    /// Which part of an object is written.
    public enum Part {
        MAIN,
        STATUS,
        /// Some other part, whose rules have been applied already.
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

    /// Creates an object; a generated name that is taken is generated anew.
    public Written create(
            Resource resource, JsonObject written, RequestContext context, FieldManager writer) {
        var object = ownership.normalized(resource, written);
        admission.checkNamespace(resource, object, context);
        var generated = Metadata.name(object).isEmpty();
        for (var attempt = 1; ; attempt++) {
            var named = ManagedFields.withoutReset(Metadata.created(resource, object, context, ids));
            try {
                return create(resource, named, context, writer, object);
            } catch (ApiException refused) {
                if (!generated
                        || attempt == NAME_ATTEMPTS
                        || !refused.error().reason().equals("AlreadyExists")) {
                    throw refused;
                }
            }
        }
    }

    private Written create(
            Resource resource,
            JsonObject named,
            RequestContext context,
            FieldManager writer,
            JsonObject sent) {
        var written = resource.strategy().defaults(named, context);
        var admitted = accepted(resource, resource.strategy().create(written, context));
        var owners = ownership.created(resource, sent, written, writer, context.now());
        var owned = owners.in(admitted.object());
        var warnings =
                AdmissionChain.joined(
                        admitted.warnings(), admission.checkCreate(resource, owned, context));
        var key = key(resource, owned);
        var plain = StoredEntry.plain(resource, owned);
        var bytes = JsonWriter.bytes(plain);
        StoredSize.check(resource, key.name(), bytes.length, 0);
        var wish = new AdmissionChain.PendingWrite(resource, context.namespace(), Optional.empty(), owned);
        if (context.dryRun()) {
            admission.check(wish);
            if (store.get(key).isPresent()) {
                throw ApiError.alreadyExists(resource.about(key.name())).exception();
            }
            return new Written(owned, true, warnings);
        }
        return switch (admission.guarded(
                wish,
                () -> store.create(key, StoredEntry.value(plain, bytes, Optional.of(owners))))) {
            case WriteResult.Done(var entry) ->
                    new Written(StoredObjects.tree(entry), true, warnings);
            case WriteResult.Exists _, WriteResult.Conflict _, WriteResult.Missing _ ->
                    throw ApiError.alreadyExists(resource.about(key.name())).exception();
        };
    }

    /// Replaces an object. Without a revision the newest state is replaced, whatever it is.
    public Written update(
            Resource resource,
            Part part,
            String name,
            JsonObject object,
            RequestContext context,
            FieldManager writer) {
        var unconditional = Metadata.of(object).text(Metadata.REVISION).isEmpty();
        return change(resource, part, name, context, writer, unconditional, _ -> object);
    }

    /// Makes of the newest state what the change makes of it.
    ///
    /// @param change may be asked several times, and may throw [ApiException]
    public Written change(
            Resource resource,
            Part part,
            String name,
            RequestContext context,
            FieldManager writer,
            UnaryOperator<JsonObject> change) {
        return change(resource, part, name, context, writer, true, change);
    }

    private Written change(
            Resource resource,
            Part part,
            String name,
            RequestContext context,
            FieldManager writer,
            boolean retry,
            UnaryOperator<JsonObject> change) {
        var key = new ObjectKey(resource.collection(), context.namespace(), name);
        for (var attempt = 1; ; attempt++) {
            var entry =
                    store.get(key)
                            .orElseThrow(() -> ApiError.notFound(resource.about(name)).exception());
            var old = StoredObjects.tree(entry);
            var changed = ownership.normalized(resource, change.apply(old)).sharing(old);
            var written = replaced(resource, part, entry, old, changed, context, writer);
            if (written.isPresent()) {
                return written.get();
            }
            if (!retry || attempt == ATTEMPTS) {
                throw ApiError.modified(resource.about(name)).exception();
            }
        }
    }

    /// Admits a write of a subresource with rules of its own; throws [ApiException].
    public void admit(
            Resource resource,
            Subresource subresource,
            JsonObject parent,
            JsonObject body,
            RequestContext context) {
        admission.checkSubresource(resource, subresource, parent, body, context);
    }

    /// Empty when somebody else was faster.
    private Optional<Written> replaced(
            Resource resource,
            Part part,
            Entry entry,
            JsonObject old,
            JsonObject changed,
            RequestContext context,
            FieldManager writer) {
        var replacing = ManagedFields.withoutReset(Metadata.replacing(resource, old, changed));
        var merged =
                part == Part.SUBRESOURCE
                        ? Metadata.withGenerationOf(changed, replacing)
                        : replacing;
        var strategy = resource.strategy();
        var written = part == Part.SUBRESOURCE ? merged : strategy.defaults(merged, context);
        var admitted =
                accepted(
                        resource,
                        switch (part) {
                            case MAIN -> strategy.update(old, written, context);
                            case STATUS -> strategy.updateStatus(old, written, context);
                            case SUBRESOURCE -> new Admitted(written, List.of(), List.of());
                        });
        var known = entry.memo(StoredEntry::new);
        var owners =
                ownership.updated(
                        resource, part, old, known::owners, changed, written, writer, context.now());
        var owned = owners.in(admitted.object());
        var warnings =
                AdmissionChain.joined(
                        admitted.warnings(),
                        admission.checkUpdate(resource, part, old, owned, context));
        var wish = new AdmissionChain.PendingWrite(resource, context.namespace(), Optional.of(old), owned);
        if (context.dryRun()) {
            admission.check(wish);
            var bytes = JsonWriter.bytes(StoredEntry.plain(resource, owned));
            StoredSize.check(resource, entry.key().name(), bytes.length, entry.bytes().length);
            return Optional.of(new Written(owned, false, warnings));
        }
        if (isFinished(resource, owned)) {
            var deletion = store.delete(entry.key(), entry.revision());
            return deletion instanceof WriteResult.Done(var gone)
                    ? Optional.of(gone(resource, owned, gone, warnings))
                    : Optional.empty();
        }
        return put(wish, entry, old, owners, warnings);
    }

    private Optional<Written> put(
            AdmissionChain.PendingWrite wish,
            Entry entry,
            JsonObject old,
            ManagedFields owners,
            List<String> warnings) {
        var plain = StoredEntry.plain(wish.resource(), wish.object());
        var bytes = JsonWriter.bytes(plain);
        if (isStored(entry, wish.resource(), old, plain, bytes)) {
            return Optional.of(new Written(old, false, warnings));
        }
        StoredSize.check(wish.resource(), entry.key().name(), bytes.length, entry.bytes().length);
        var value = StoredEntry.value(plain, bytes, Optional.of(owners));
        var write =
                admission.guarded(wish, () -> store.update(entry.key(), entry.revision(), value));
        return outcome(write, warnings);
    }

    /// True when the object is stored already. The order of fields does not count: JSON clients and
    /// protobuf have different ones.
    private static boolean isStored(
            Entry entry, Resource resource, JsonObject old, JsonObject plain, byte[] bytes) {
        return Arrays.equals(bytes, entry.bytes())
                || (bytes.length == entry.bytes().length
                        && plain.equals(StoredEntry.plain(resource, old)));
    }

    private static Written gone(
            Resource resource, JsonObject object, Entry gone, List<String> warnings) {
        var last = StoredEntry.withRevision(resource.labelled(object), gone.revision());
        return new Written(last, false, warnings);
    }

    private static Optional<Written> outcome(WriteResult write, List<String> warnings) {
        return write instanceof WriteResult.Done(var entry)
                ? Optional.of(new Written(StoredObjects.tree(entry), false, warnings))
                : Optional.empty();
    }

    /// True when an object that was being deleted has lost the last thing that held it.
    static boolean isFinished(Resource resource, JsonObject object) {
        var metadata = Metadata.of(object);
        return Metadata.isBeingDeleted(object)
                && Metadata.finalizers(object).isEmpty()
                && !resource.deletion().isHeld(object)
                && metadata.number(Metadata.GRACE).orElse(0) == 0;
    }

    private static Admitted accepted(Resource resource, Admitted admitted) {
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
