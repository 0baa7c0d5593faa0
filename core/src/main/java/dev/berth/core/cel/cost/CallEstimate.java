package dev.berth.core.cel.cost;

import java.util.Optional;

/// Cost of a function call without its arguments, and the size of its result.
public record CallEstimate(CostRange cost, Optional<SizeRange> resultSize) {

    public static CallEstimate of(CostRange cost) {
        return new CallEstimate(cost, Optional.empty());
    }

    public static CallEstimate of(CostRange cost, SizeRange resultSize) {
        return new CallEstimate(cost, Optional.of(resultSize));
    }
}
