package dev.berth.server.registry;

import dev.berth.core.admission.Admission.Admitted;
import dev.berth.model.json.JsonObject;
import dev.berth.model.json.JsonWriter;
import dev.berth.server.patch.ManagedFields;
import dev.berth.server.store.Entry;
import dev.berth.server.store.Key;
import dev.berth.server.store.Store;
import dev.berth.server.store.Write;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;

/// Creating, updating and patching objects.
public final class Writes {

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
    private final Ownership ownership;
    private final Gatekeepers gatekeepers;

    public Writes(Store store, IdSource ids, Ownership ownership, Gatekeepers gatekeepers) {
        this.store = store;
        this.ids = ids;
        this.ownership = ownership;
        this.gatekeepers = gatekeepers;
    }

    /// Creates an object; a generated name that is taken is generated anew.
    public Written create(Resource resource, JsonObject written, Call call, Writer writer) {
        var object = ownership.normalized(resource, written);
        gatekeepers.checkNamespace(resource, object, call);
        var generated = Metadata.name(object).isEmpty();
        for (var attempt = 1; ; attempt++) {
            var named = ManagedFields.withoutReset(Metadata.created(resource, object, call, ids));
            try {
                return create(resource, named, call, writer, object);
            } catch (Refused refused) {
                if (!generated
                        || attempt == NAME_ATTEMPTS
                        || !refused.failure().reason().equals("AlreadyExists")) {
                    throw refused;
                }
            }
        }
    }

    private Written create(
            Resource resource, JsonObject named, Call call, Writer writer, JsonObject sent) {
        var written = resource.strategy().defaults(named, call);
        var admitted = accepted(resource, resource.strategy().create(written, call));
        var owners = ownership.created(resource, sent, written, writer, call.now());
        var owned = owners.in(admitted.object());
        var warnings =
                Gatekeepers.joined(
                        admitted.warnings(), gatekeepers.checkCreate(resource, owned, call));
        var key = key(resource, owned);
        var plain = Stored.plain(resource, owned);
        var bytes = JsonWriter.bytes(plain);
        StoredSize.check(resource, key.name(), bytes.length, 0);
        var wish = new Gatekeepers.Wish(resource, call.namespace(), Optional.empty(), owned);
        if (call.dryRun()) {
            gatekeepers.check(wish);
            if (store.get(key).isPresent()) {
                throw Failure.alreadyExists(resource.about(key.name())).refused();
            }
            return new Written(owned, true, warnings);
        }
        return switch (gatekeepers.guarded(
                wish, () -> store.create(key, Stored.value(plain, bytes, Optional.of(owners))))) {
            case Write.Done(var entry) -> new Written(Objects.tree(entry), true, warnings);
            case Write.Exists _, Write.Conflict _, Write.Missing _ ->
                    throw Failure.alreadyExists(resource.about(key.name())).refused();
        };
    }

    /// Replaces an object. Without a revision the newest state is replaced, whatever it is.
    public Written update(
            Resource resource,
            Part part,
            String name,
            JsonObject object,
            Call call,
            Writer writer) {
        var unconditional = Metadata.of(object).text(Metadata.REVISION).isEmpty();
        return change(resource, part, name, call, writer, unconditional, _ -> object);
    }

    /// Makes of the newest state what the change makes of it.
    ///
    /// @param change may be asked several times, and may throw [Refused]
    public Written change(
            Resource resource,
            Part part,
            String name,
            Call call,
            Writer writer,
            UnaryOperator<JsonObject> change) {
        return change(resource, part, name, call, writer, true, change);
    }

    private Written change(
            Resource resource,
            Part part,
            String name,
            Call call,
            Writer writer,
            boolean retry,
            UnaryOperator<JsonObject> change) {
        var key = new Key(resource.collection(), call.namespace(), name);
        for (var attempt = 1; ; attempt++) {
            var entry =
                    store.get(key)
                            .orElseThrow(() -> Failure.notFound(resource.about(name)).refused());
            var old = Objects.tree(entry);
            var changed = ownership.normalized(resource, change.apply(old)).sharing(old);
            var written = replaced(resource, part, entry, old, changed, call, writer);
            if (written.isPresent()) {
                return written.get();
            }
            if (!retry || attempt == ATTEMPTS) {
                throw Failure.modified(resource.about(name)).refused();
            }
        }
    }

    /// Admits a write of a subresource with rules of its own; throws [Refused].
    public void admit(
            Resource resource,
            Subresource subresource,
            JsonObject parent,
            JsonObject body,
            Call call) {
        gatekeepers.checkSubresource(resource, subresource, parent, body, call);
    }

    /// Empty when somebody else was faster.
    private Optional<Written> replaced(
            Resource resource,
            Part part,
            Entry entry,
            JsonObject old,
            JsonObject changed,
            Call call,
            Writer writer) {
        var replacing = ManagedFields.withoutReset(Metadata.replacing(resource, old, changed));
        var merged =
                part == Part.SUBRESOURCE
                        ? Metadata.withGenerationOf(changed, replacing)
                        : replacing;
        var strategy = resource.strategy();
        var written = part == Part.SUBRESOURCE ? merged : strategy.defaults(merged, call);
        var admitted =
                accepted(
                        resource,
                        switch (part) {
                            case MAIN -> strategy.update(old, written, call);
                            case STATUS -> strategy.updateStatus(old, written, call);
                            case SUBRESOURCE -> new Admitted(written, List.of(), List.of());
                        });
        var known = entry.memo(Stored::new);
        var owners =
                ownership.updated(
                        resource, part, old, known::owners, changed, written, writer, call.now());
        var owned = owners.in(admitted.object());
        var warnings =
                Gatekeepers.joined(
                        admitted.warnings(),
                        gatekeepers.checkUpdate(resource, part, old, owned, call));
        var wish = new Gatekeepers.Wish(resource, call.namespace(), Optional.of(old), owned);
        if (call.dryRun()) {
            gatekeepers.check(wish);
            var bytes = JsonWriter.bytes(Stored.plain(resource, owned));
            StoredSize.check(resource, entry.key().name(), bytes.length, entry.bytes().length);
            return Optional.of(new Written(owned, false, warnings));
        }
        if (isFinished(resource, owned)) {
            var deletion = store.delete(entry.key(), entry.revision());
            return deletion instanceof Write.Done(var gone)
                    ? Optional.of(gone(resource, owned, gone, warnings))
                    : Optional.empty();
        }
        return put(wish, entry, old, owners, warnings);
    }

    private Optional<Written> put(
            Gatekeepers.Wish wish,
            Entry entry,
            JsonObject old,
            ManagedFields owners,
            List<String> warnings) {
        var plain = Stored.plain(wish.resource(), wish.object());
        var bytes = JsonWriter.bytes(plain);
        if (isStored(entry, wish.resource(), old, plain, bytes)) {
            return Optional.of(new Written(old, false, warnings));
        }
        StoredSize.check(wish.resource(), entry.key().name(), bytes.length, entry.bytes().length);
        var value = Stored.value(plain, bytes, Optional.of(owners));
        var write =
                gatekeepers.guarded(wish, () -> store.update(entry.key(), entry.revision(), value));
        return outcome(write, warnings);
    }

    /// True when the object is stored already. The order of fields does not count: JSON clients and
    /// protobuf have different ones.
    private static boolean isStored(
            Entry entry, Resource resource, JsonObject old, JsonObject plain, byte[] bytes) {
        return Arrays.equals(bytes, entry.bytes())
                || (bytes.length == entry.bytes().length
                        && plain.equals(Stored.plain(resource, old)));
    }

    private static Written gone(
            Resource resource, JsonObject object, Entry gone, List<String> warnings) {
        var last = Stored.withRevision(resource.labelled(object), gone.revision());
        return new Written(last, false, warnings);
    }

    private static Optional<Written> outcome(Write write, List<String> warnings) {
        return write instanceof Write.Done(var entry)
                ? Optional.of(new Written(Objects.tree(entry), false, warnings))
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
            throw Failure.invalid(resource.about(Metadata.name(admitted.object())), problems)
                    .refused();
        }
        return admitted;
    }

    static Key key(Resource resource, JsonObject object) {
        var metadata = Metadata.of(object);
        return new Key(
                resource.collection(),
                resource.isNamespaced() ? metadata.text(Metadata.NAMESPACE) : "",
                metadata.text(Metadata.NAME));
    }
}
