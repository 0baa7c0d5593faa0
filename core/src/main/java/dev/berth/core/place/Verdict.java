package dev.berth.core.place;

import dev.berth.model.api.AllocationResult;
import dev.berth.model.api.ObjectRef;
import dev.berth.model.api.ResourceClaim;
import java.util.List;

/// What a node means for a pod.
public sealed interface Verdict {

    String node();

    /// The pod can run there.
    ///
    /// @param results what each claim gets that has nothing yet, in the order of the question
    record Fits(String node, List<AllocationResult> results) implements Verdict {
        public Fits {
            results = List.copyOf(results);
        }
    }

    record Unfit(String node, Reason reason) implements Verdict {}

    /// A claim and the devices that it gets.
    record Given(ResourceClaim claim, AllocationResult result) {
        public ObjectRef ref() {
            return claim.ref();
        }
    }
}
