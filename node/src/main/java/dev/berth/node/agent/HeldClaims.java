package dev.berth.node.agent;

import dev.berth.model.api.ObjectRef;
import dev.berth.model.api.Uid;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/// All claims that are held on a node, at one moment.
public record HeldClaims(Map<ObjectRef, HeldClaim> claims) {

    public static final HeldClaims NONE = new HeldClaims(Map.of());

    public HeldClaims {
        claims = Collections.unmodifiableMap(new TreeMap<>(claims));
    }

    public Optional<HeldClaim> find(ObjectRef ref) {
        return Optional.ofNullable(claims.get(ref));
    }

    /// The claims that a pod uses.
    public List<HeldClaim> of(Uid pod) {
        return claims.values().stream().filter(claim -> claim.pods().contains(pod)).toList();
    }

    HeldClaims with(HeldClaim claim) {
        var changed = new TreeMap<>(claims);
        changed.put(claim.ref(), claim);
        return new HeldClaims(changed);
    }

    HeldClaims without(ObjectRef ref) {
        var changed = new TreeMap<>(claims);
        changed.remove(ref);
        return new HeldClaims(changed);
    }
}
