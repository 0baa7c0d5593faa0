package dev.berth.core.allocate;

import java.util.List;

/// An answer, and the errors that were tolerated on the way to it.
///
/// @param tolerated what each selector said of each device that it could not judge; empty without
///   [Leniency#TOLERATE_SELECTOR_ERRORS]
public record AllocatorResponse(AllocationOutcome answer, List<String> tolerated) {

    public AllocatorResponse {
        tolerated = List.copyOf(tolerated);
    }
}
