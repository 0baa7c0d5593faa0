package dev.berth.core.testkit.conformance;

import dev.berth.harness.SharedData;
import java.util.List;

/// The recorded conformance cases of Kubernetes.
public final class ConformanceCases {

    private ConformanceCases() {}

    /// The cases of the allocator; skips the test when there are none.
    public static List<ConformanceCase> allocator() {
        return SharedData.conformanceLines("allocator.jsonl").stream()
                .map(ConformanceCase::of)
                .toList();
    }
}
