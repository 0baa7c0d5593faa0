package dev.berth.model.api.meta;

import java.util.Optional;

/// Reference to an owner: when the owner is deleted, the dependent is garbage-collected.
public record OwnerReference(
        String apiVersion,
        String kind,
        String name,
        Uid uid,
        Optional<Boolean> controller,
        Optional<Boolean> blockOwnerDeletion) {

    /// An owner reference with `controller: true`.
    public static OwnerReference controller(String apiVersion, String kind, String name, Uid uid) {
        return new OwnerReference(apiVersion, kind, name, uid, Optional.of(true), Optional.empty());
    }

    public boolean isController() {
        return controller.orElse(false);
    }
}
