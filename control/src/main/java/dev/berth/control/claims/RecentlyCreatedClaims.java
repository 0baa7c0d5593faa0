package dev.berth.control.claims;

import dev.berth.core.lifecycle.ClaimOwner;
import dev.berth.model.api.claim.ResourceClaim;
import dev.berth.model.api.meta.ObjectRef;
import dev.berth.model.api.meta.OwnerReference;
import dev.berth.model.api.meta.Uid;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/// Created claims that have not arrived in the informer cache yet, so that they are not created
/// twice.
final class RecentlyCreatedClaims {

    /// Time after which a claim that has not arrived is dropped.
    private static final Duration EXPIRY = Duration.ofMinutes(1);

    private record Created(ResourceClaim claim, Instant at) {}

    private final Map<Uid, Map<ObjectRef, Created>> byOwner = new ConcurrentHashMap<>();

    void add(ClaimOwner owner, ResourceClaim claim, Instant now) {
        byOwner.compute(
                owner.uid(),
                (_, known) -> {
                    var claims =
                            known == null ? new ConcurrentHashMap<ObjectRef, Created>() : known;
                    claims.put(claim.ref(), new Created(claim, now));
                    return claims;
                });
    }

    /// The claim has arrived in the cache, or was deleted.
    void remove(ResourceClaim claim) {
        claim.metadata()
                .controller()
                .map(OwnerReference::uid)
                .ifPresent(uid ->
                        byOwner.computeIfPresent(
                                uid,
                                (_, known) -> {
                                    known.remove(claim.ref());
                                    return known.isEmpty() ? null : known;
                                }));
    }

    List<ResourceClaim> of(ClaimOwner owner, Instant now) {
        var claims = new ArrayList<ResourceClaim>();
        for (var created : byOwner.getOrDefault(owner.uid(), Map.of()).values()) {
            if (created.at().plus(EXPIRY).isAfter(now)) {
                claims.add(created.claim());
            }
        }
        return claims;
    }

    void remove(ClaimOwner owner) {
        byOwner.remove(owner.uid());
    }
}
