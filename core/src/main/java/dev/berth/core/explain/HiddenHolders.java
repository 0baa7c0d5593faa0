package dev.berth.core.explain;

import dev.berth.model.api.claim.ResourceClaim;
import dev.berth.model.api.meta.ObjectMeta;
import dev.berth.model.api.meta.ObjectRef;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;

/// Claims whose names must not appear in an explanation, because its readers may have no permission
/// to read other namespaces. They have a reference without a namespace, which no claim has.
public final class HiddenHolders {

    private HiddenHolders() {}

    /// The claims, with those of other namespaces hidden.
    public static List<ResourceClaim> outside(String namespace, Collection<ResourceClaim> claims) {
        var result = new ArrayList<ResourceClaim>(claims.size());
        for (var claim : claims) {
            result.add(
                    claim.ref().namespace().equals(namespace)
                            ? claim
                            : new ResourceClaim(
                                    ObjectMeta.of("hidden-" + result.size()),
                                    claim.spec(),
                                    claim.status()));
        }
        return result;
    }

    public static boolean isHidden(ObjectRef claim) {
        return claim.namespace().isEmpty();
    }
}
