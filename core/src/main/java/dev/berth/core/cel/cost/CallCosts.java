package dev.berth.core.cel.cost;

import java.util.List;
import java.util.Optional;

/// Cost estimates of library functions, which are not part of the language itself.
public interface CallCosts {

    /// The estimate of one call, or empty if the overload is part of the language.
    Optional<CallEstimate> of(String overloadId, List<ArgumentEstimate> arguments);
}
