package dev.berth.core.cel.cost;

import java.util.Optional;

/// What a function call costs by itself, without its arguments, and how large its result may be.
public record CallEstimate(Cost cost, Optional<Size> resultSize) {

    public static CallEstimate of(Cost cost) {
        return new CallEstimate(cost, Optional.empty());
    }

    public static CallEstimate of(Cost cost, Size resultSize) {
        return new CallEstimate(cost, Optional.of(resultSize));
    }
}
