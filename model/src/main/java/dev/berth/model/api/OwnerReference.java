package dev.berth.model.api;

import java.util.Optional;

/// The object on which another one depends: when the owner goes, so does the owned.
public record OwnerReference(
        String apiVersion,
        String kind,
        String name,
        Uid uid,
        Optional<Boolean> controller,
        Optional<Boolean> blockOwnerDeletion) {

    /// A reference to the one owner that manages the object.
    public static OwnerReference controller(String apiVersion, String kind, String name, Uid uid) {
        return new OwnerReference(apiVersion, kind, name, uid, Optional.of(true), Optional.empty());
    }

    public boolean isController() {
        return controller.orElse(false);
    }
}
