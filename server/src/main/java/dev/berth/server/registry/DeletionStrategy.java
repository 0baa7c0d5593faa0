package dev.berth.server.registry;

import dev.berth.model.json.JsonObject;
import java.util.OptionalLong;

/// Deletion rules of a kind: grace period, additional finalizers and changes on deletion.
public interface DeletionStrategy {

    /// Removes the object immediately, unless finalizers are set.
    DeletionStrategy IMMEDIATE = new DeletionStrategy() {};

    /// Grace period before the object is removed; 0 for immediate removal.
    ///
    /// @param requested the requested grace period
    default long graceSeconds(JsonObject object, OptionalLong requested) {
        return 0;
    }

    /// True if something other than `metadata.finalizers` blocks the removal, such as
    /// `spec.finalizers` of a namespace.
    default boolean isHeld(JsonObject object) {
        return false;
    }

    /// The object when its deletion starts, with changes outside its metadata.
    default JsonObject terminating(JsonObject object) {
        return object;
    }
}
