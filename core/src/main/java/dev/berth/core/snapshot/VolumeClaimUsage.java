package dev.berth.core.snapshot;

import dev.berth.core.persistent.PersistentSortedMap;
import dev.berth.model.api.meta.ObjectRef;
import java.util.Collection;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/// The PersistentVolumeClaims that pods use, and the volumes assumed for unbound claims.
///
/// @param bound assumed volumes by claim
/// @param users the number of pods per claim; claims without pods are absent
public record VolumeClaimUsage(
        PersistentSortedMap<ObjectRef, String> bound,
        PersistentSortedMap<ObjectRef, Integer> users) {

    public static final VolumeClaimUsage NONE =
            new VolumeClaimUsage(PersistentSortedMap.of(), PersistentSortedMap.of());

    public VolumeClaimUsage with(Set<ObjectRef> claims, Map<ObjectRef, String> volumes) {
        if (claims.isEmpty() && volumes.isEmpty()) {
            return this;
        }
        var newBound = bound;
        for (var entry : volumes.entrySet()) {
            newBound = newBound.with(entry.getKey(), entry.getValue());
        }
        var newUsers = users;
        for (var claim : claims) {
            newUsers = newUsers.with(claim, newUsers.find(claim).orElse(0) + 1);
        }
        return new VolumeClaimUsage(newBound, newUsers);
    }

    /// Removes a pod that uses these claims. The assumed volume of a claim is released with its
    /// last user.
    public VolumeClaimUsage without(Set<ObjectRef> claims) {
        if (claims.isEmpty()) {
            return this;
        }
        var newBound = bound;
        var newUsers = users;
        for (var claim : claims) {
            var others = newUsers.find(claim).orElse(1) - 1;
            newUsers = others == 0 ? newUsers.without(claim) : newUsers.with(claim, others);
            newBound = others == 0 ? newBound.without(claim) : newBound;
        }
        return new VolumeClaimUsage(newBound, newUsers);
    }

    public boolean isUsed(ObjectRef claim) {
        return users.find(claim).isPresent();
    }

    public Collection<String> taken() {
        return bound.values();
    }

    public Optional<String> volume(ObjectRef claim) {
        return bound.find(claim);
    }
}
