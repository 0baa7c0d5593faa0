package dev.berth.core.allocate;

import java.util.List;

/// A request of a claim on a node, with its alternatives.
///
/// @param prioritized true when it lists alternatives, even if there is only one
/// @param firstOfClaim true when the claim begins here
/// @param likePrevious true when it could change places with the request before it
record SearchRequest(
        int claim,
        String name,
        List<RequestOption> options,
        boolean prioritized,
        boolean firstOfClaim,
        boolean likePrevious) {}
