package dev.berth.core.cel.cost;

import java.util.List;
import java.util.Optional;

/// The estimates of functions that are not part of the language itself.
public interface CallCosts {

    /// The estimate of one call, or empty if the overload belongs to the language.
    Optional<CallEstimate> of(String overloadId, List<ArgumentEstimate> arguments);
}
