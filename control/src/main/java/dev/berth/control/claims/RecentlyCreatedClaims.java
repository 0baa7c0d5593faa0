package dev.berth.control.claims;

import dev.berth.core.lifecycle.ClaimOwner;
import dev.berth.model.api.ObjectRef;
import dev.berth.model.api.OwnerReference;
import dev.berth.model.api.ResourceClaim;
import dev.berth.model.api.Uid;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/// Claims that were made and not heard of yet, lest they are made twice.
final class RecentlyCreatedClaims {

    /// A claim that was not heard of for so long is no longer counted on.
    private static final Duration PATIENCE = Duration.ofMinutes(1);

    private record Made(ResourceClaim claim, Instant at) {}

    private final Map<Uid, Map<ObjectRef, Made>> byOwner = new ConcurrentHashMap<>();

    void add(ClaimOwner owner, ResourceClaim claim, Instant now) {
        byOwner.compute(
                owner.uid(),
                (_, known) -> {
                    var all = known == null ? new ConcurrentHashMap<ObjectRef, Made>() : known;
                    all.put(claim.ref(), new Made(claim, now));
                    return all;
                });
    }

    /// The claim was heard of, or is known to be gone.
    void forget(ResourceClaim claim) {
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
        for (var made : byOwner.getOrDefault(owner.uid(), Map.of()).values()) {
            if (made.at().plus(PATIENCE).isAfter(now)) {
                claims.add(made.claim());
            }
        }
        return claims;
    }

    void forget(ClaimOwner owner) {
        byOwner.remove(owner.uid());
    }
}
