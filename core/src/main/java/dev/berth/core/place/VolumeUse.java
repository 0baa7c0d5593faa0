package dev.berth.core.place;

import dev.berth.model.api.ObjectRef;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/// Which claims to volumes pods use, and which volumes those got that had none.
///
/// @param bound volumes by claim
/// @param users how many pods use a claim; none that nobody uses
record VolumeUse(Map<ObjectRef, String> bound, Map<ObjectRef, Integer> users) {

    static final VolumeUse NONE = new VolumeUse(Map.of(), Map.of());

    VolumeUse {
        bound = Map.copyOf(bound);
        users = Map.copyOf(users);
    }

    VolumeUse with(Set<ObjectRef> claims, Map<ObjectRef, String> volumes) {
        if (claims.isEmpty() && volumes.isEmpty()) {
            return this;
        }
        var newBound = new HashMap<>(bound);
        newBound.putAll(volumes);
        var newUsers = new HashMap<>(users);
        claims.forEach(claim -> newUsers.merge(claim, 1, Integer::sum));
        return new VolumeUse(newBound, newUsers);
    }

    /// Without a pod that uses these claims; what the last user was promised is free again.
    VolumeUse without(Set<ObjectRef> claims) {
        if (claims.isEmpty()) {
            return this;
        }
        var newBound = new HashMap<>(bound);
        var newUsers = new HashMap<>(users);
        for (var claim : claims) {
            if (newUsers.merge(claim, -1, (old, less) -> old + less == 0 ? null : old + less)
                    == null) {
                newBound.remove(claim);
            }
        }
        return new VolumeUse(newBound, newUsers);
    }

    boolean isUsed(ObjectRef claim) {
        return users.containsKey(claim);
    }

    Collection<String> taken() {
        return bound.values();
    }

    Optional<String> volume(ObjectRef claim) {
        return Optional.ofNullable(bound.get(claim));
    }
}
