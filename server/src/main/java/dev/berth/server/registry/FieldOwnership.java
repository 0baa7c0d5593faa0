package dev.berth.server.registry;

import dev.berth.model.json.JsonObject;
import dev.berth.server.patch.FieldSet;
import dev.berth.server.patch.FieldSetCache;
import dev.berth.server.patch.ManagedFields;
import dev.berth.server.patch.ServerSideApply;
import java.time.Instant;
import java.util.function.Supplier;

/// Keeps account of who manages which field of an object.
public final class FieldOwnership {

    private static final FieldSet STATUS = FieldSet.of("status");
    private static final FieldSet ALL_BUT_STATUS = FieldSet.of("spec", "metadata");

    private final FieldTypes types;
    private final UnsetFields unset;
    private final FieldSetCache known = new FieldSetCache();

    public FieldOwnership(FieldTypes types) {
        this.types = types;
        this.unset = new UnsetFields(types);
    }

    /// The object with unset fields as they are stored.
    JsonObject normalized(Resource resource, JsonObject object) {
        return unset.normalized(resource, object);
    }

    /// The owners of an object that is about to be created.
    ///
    /// What admission changes belongs to nobody, so that no one has to know of it.
    ///
    /// @param sent what the writer sent
    /// @param object the same with its defaults
    ManagedFields created(
            Resource resource,
            JsonObject sent,
            JsonObject object,
            FieldManager writer,
            Instant now) {
        if (writer.applies()) {
            return ManagedFields.of(sent);
        }
        return apply(resource, ObjectWrites.Part.MAIN)
                .onUpdate(
                        unset.unwritten(resource), object, ManagedFields.of(sent), writer.at(now));
    }

    /// The owners of an object that is about to replace another.
    ///
    /// @param owners of the old object, read when they are needed
    ManagedFields updated(
            Resource resource,
            ObjectWrites.Part part,
            JsonObject old,
            Supplier<ManagedFields> owners,
            JsonObject sent,
            JsonObject object,
            FieldManager writer,
            Instant now) {
        if (writer.applies()) {
            return ManagedFields.of(sent);
        }
        var before = ManagedFields.forUpdate(old, owners, sent, writer.subresource());
        return apply(resource, part).onUpdate(old, object, before, writer.at(now));
    }

    private ServerSideApply apply(Resource resource, ObjectWrites.Part part) {
        return new ServerSideApply(
                types.of(resource, resource.version()), reset(resource, part), known);
    }

    /// The fields that a write to that part does not keep.
    public static FieldSet reset(Resource resource, ObjectWrites.Part part) {
        return switch (part) {
            case MAIN -> resource.hasStatus() ? STATUS : FieldSet.EMPTY;
            case STATUS -> ALL_BUT_STATUS;
            case SUBRESOURCE -> FieldSet.EMPTY;
        };
    }
}
