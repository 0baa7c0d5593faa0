package dev.berth.core.cel.cost;

import java.util.Optional;

/// What a function call costs by itself, without its arguments, and how large its result may be.
public record CallEstimate(CostRange cost, Optional<SizeRange> resultSize) {

    public static CallEstimate of(CostRange cost) {
        return new CallEstimate(cost, Optional.empty());
    }

    public static CallEstimate of(CostRange cost, SizeRange resultSize) {
        return new CallEstimate(cost, Optional.of(resultSize));
    }
}
