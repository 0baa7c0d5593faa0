package dev.berth.core.allocate.state;

import java.util.List;

/// A device request of a claim, prepared for the search on one node.
///
/// @param prioritized true for `firstAvailable` requests, even with a single alternative
/// @param firstOfClaim true for the first request of its claim
/// @param interchangeableWithPrevious true when it is interchangeable with the request before it
public record SearchRequest(
        int claim,
        String name,
        List<RequestOption> options,
        boolean prioritized,
        boolean firstOfClaim,
        boolean interchangeableWithPrevious) {}
