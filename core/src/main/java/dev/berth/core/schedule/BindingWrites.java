package dev.berth.core.schedule;

import dev.berth.model.api.claim.ResourceClaim;
import dev.berth.model.api.meta.ObjectRef;
import dev.berth.model.api.meta.Uid;
import dev.berth.model.json.JsonObject;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/// Writes of claims on which the binding of a pod depends.
///
/// @param writes in the order of writing: first writes of other bindings that the watch has not
///   shown yet, then those of this binding
/// @param extendedClaim the claim created for the pod's extended resources
public record BindingWrites(List<Write> writes, Optional<ResourceClaim> extendedClaim) {

    public static final BindingWrites NONE = new BindingWrites(List.of(), Optional.empty());

    /// A written claim.
    ///
    /// @param version the number of its resource version
    /// @param object the claim as returned by the API server
    public record Write(ObjectRef ref, Uid uid, long version, JsonObject object) {}

    public BindingWrites {
        writes = List.copyOf(writes);
    }

    /// The number of a resource version; 0 for a text that is not a number.
    public static long version(String resourceVersion) {
        try {
            return Long.parseLong(resourceVersion);
        } catch (NumberFormatException _) {
            return 0;
        }
    }

    static BindingWrites of(List<Write> writes) {
        return writes.isEmpty() ? NONE : new BindingWrites(writes, Optional.empty());
    }

    BindingWrites plus(List<Write> more) {
        if (more.isEmpty()) {
            return this;
        }
        var all = new ArrayList<>(writes);
        all.addAll(more);
        return new BindingWrites(all, extendedClaim);
    }

    BindingWrites withExtendedClaim(ResourceClaim claim) {
        return new BindingWrites(writes, Optional.of(claim));
    }

    boolean isExtendedClaim(ObjectRef claim) {
        return extendedClaim.filter(own -> own.ref().equals(claim)).isPresent();
    }

    Set<ObjectRef> refs() {
        var refs = new HashSet<ObjectRef>();
        writes.forEach(write -> refs.add(write.ref()));
        return refs;
    }
}
