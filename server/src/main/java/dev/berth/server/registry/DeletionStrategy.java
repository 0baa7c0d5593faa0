package dev.berth.server.registry;

import dev.berth.model.json.JsonObject;
import java.util.OptionalLong;

/// How objects of a kind take their leave, where that differs from plain removal.
public interface DeletionStrategy {

    /// Gone at once, unless finalizers hold the object.
    DeletionStrategy AT_ONCE = new DeletionStrategy() {};

    /// How long the object stays so that others can wind up; 0 for not at all.
    ///
    /// @param asked what the deletion asked for
    default long graceSeconds(JsonObject object, OptionalLong asked) {
        return 0;
    }

    /// True when something other than `metadata.finalizers` holds the object.
    default boolean isHeld(JsonObject object) {
        return false;
    }

    /// What changes in the object beside its metadata when it begins to leave.
    default JsonObject leaving(JsonObject object) {
        return object;
    }
}
