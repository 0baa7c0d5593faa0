package dev.berth.testkit.conformance;

import dev.berth.model.api.AllocationResult;
import java.util.List;

/// What Kubernetes answered.
public sealed interface ExpectedAnswer {

    /// The ids of shares are Kubernetes' own.
    record Results(List<AllocationResult> results) implements ExpectedAnswer {
        public Results {
            results = List.copyOf(results);
        }
    }

    record DoesNotFit() implements ExpectedAnswer {}

    record Fault(String message) implements ExpectedAnswer {}
}
