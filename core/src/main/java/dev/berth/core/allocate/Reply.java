package dev.berth.core.allocate;

import java.util.List;

/// An answer, and the errors that were tolerated on the way to it.
///
/// @param tolerated what each selector said of each device that it could not judge; empty without
///   [Leniency#TOLERATE_SELECTOR_ERRORS]
public record Reply(Answer answer, List<String> tolerated) {

    public Reply {
        tolerated = List.copyOf(tolerated);
    }
}
