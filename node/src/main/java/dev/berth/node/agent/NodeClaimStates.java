package dev.berth.node.agent;

import dev.berth.model.api.meta.ObjectRef;
import dev.berth.model.api.meta.Uid;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/// States of all claims on a node; immutable.
public record NodeClaimStates(Map<ObjectRef, NodeClaimState> claims) {

    public static final NodeClaimStates NONE = new NodeClaimStates(Map.of());

    public NodeClaimStates {
        claims = Collections.unmodifiableMap(new TreeMap<>(claims));
    }

    public Optional<NodeClaimState> find(ObjectRef ref) {
        return Optional.ofNullable(claims.get(ref));
    }

    /// The claims that a pod uses.
    public List<NodeClaimState> of(Uid pod) {
        return claims.values().stream().filter(claim -> claim.pods().contains(pod)).toList();
    }

    NodeClaimStates with(NodeClaimState claim) {
        var changed = new TreeMap<>(claims);
        changed.put(claim.ref(), claim);
        return new NodeClaimStates(changed);
    }

    NodeClaimStates without(ObjectRef ref) {
        var changed = new TreeMap<>(claims);
        changed.remove(ref);
        return new NodeClaimStates(changed);
    }
}
