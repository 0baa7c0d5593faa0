package dev.berth.core.allocate;

import java.util.List;

/// The outcome of an allocation and the errors that were tolerated.
///
/// @param tolerated one message for each tolerated selector error or ignored pool; empty without a
///   [Leniency]
public record AllocatorResponse(AllocationOutcome outcome, List<String> tolerated) {

    public AllocatorResponse {
        tolerated = List.copyOf(tolerated);
    }
}
