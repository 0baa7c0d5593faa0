package dev.berth.server.registry;

import dev.berth.model.json.JsonObject;
import dev.berth.server.patch.FieldSet;
import dev.berth.server.patch.FieldSetCache;
import dev.berth.server.patch.ManagedFields;
import dev.berth.server.patch.ServerSideApply;
import java.time.Instant;
import java.util.function.Supplier;

/// Computes `managedFields`: the managers of the fields of an object.
public final class FieldOwnership {

    private static final FieldSet STATUS = FieldSet.of("status");
    private static final FieldSet ALL_BUT_STATUS = FieldSet.of("spec", "metadata");

    private final FieldTypes types;
    private final UnsetFields unset;
    private final FieldSetCache cache = new FieldSetCache();

    public FieldOwnership(FieldTypes types) {
        this.types = types;
        this.unset = new UnsetFields(types);
    }

    /// The object with unset fields as they are stored.
    JsonObject normalized(Resource resource, JsonObject object) {
        return unset.normalized(resource, object);
    }

    /// The managed fields of an object that is about to be created.
    ///
    /// Fields that admission sets have no manager, as in Kubernetes.
    ///
    /// @param sent the object as the client sent it
    /// @param object the same object with defaults
    ManagedFields created(
            Resource resource,
            JsonObject sent,
            JsonObject object,
            FieldManager manager,
            Instant now) {
        if (manager.applies()) {
            return ManagedFields.of(sent);
        }
        return apply(resource, ObjectWrites.Part.MAIN)
                .onUpdate(
                        unset.zeroValues(resource),
                        object,
                        ManagedFields.of(sent),
                        manager.at(now));
    }

    /// The managed fields of an object that is about to replace another.
    ///
    /// @param owners managed fields of the old object, computed on demand
    ManagedFields updated(
            Resource resource,
            ObjectWrites.Part part,
            JsonObject old,
            Supplier<ManagedFields> owners,
            JsonObject sent,
            JsonObject object,
            FieldManager manager,
            Instant now) {
        if (manager.applies()) {
            return ManagedFields.of(sent);
        }
        var before = ManagedFields.forUpdate(old, owners, sent, manager.subresource());
        return apply(resource, part).onUpdate(old, object, before, manager.at(now));
    }

    private ServerSideApply apply(Resource resource, ObjectWrites.Part part) {
        return new ServerSideApply(
                types.of(resource, resource.version()), reset(resource, part), cache);
    }

    /// The fields that a write to that part resets.
    public static FieldSet reset(Resource resource, ObjectWrites.Part part) {
        return switch (part) {
            case MAIN -> resource.hasStatus() ? STATUS : FieldSet.EMPTY;
            case STATUS -> ALL_BUT_STATUS;
            case SUBRESOURCE -> FieldSet.EMPTY;
        };
    }
}
