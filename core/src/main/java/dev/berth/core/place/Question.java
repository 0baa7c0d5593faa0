package dev.berth.core.place;

import dev.berth.model.api.Pod;
import dev.berth.model.api.ResourceClaim;
import java.util.ArrayList;
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

    /// Which claim gets what.
    public List<Verdict.Given> given(Verdict.Fits fits) {
        var given = new ArrayList<Verdict.Given>();
        for (var i = 0; i < wanted.size(); i++) {
            given.add(new Verdict.Given(wanted.get(i), fits.results().get(i)));
        }
        return given;
    }
}
