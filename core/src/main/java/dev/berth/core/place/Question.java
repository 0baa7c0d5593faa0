package dev.berth.core.place;

import dev.berth.model.api.Pod;
import dev.berth.model.api.ResourceClaim;
import java.util.List;

/// A pod that needs a node, with its claims.
///
/// @param allocated claims that have their devices; they say which nodes are possible
/// @param wanted claims that need devices, in the order of the pod
public record Question(Pod pod, List<ResourceClaim> allocated, List<ResourceClaim> wanted) {

    public Question {
        allocated = List.copyOf(allocated);
        wanted = List.copyOf(wanted);
    }

    /// Equal for questions that nodes answer alike, but for the names of claims in messages.
    public Shape shape() {
        return Shape.of(this);
    }
}
