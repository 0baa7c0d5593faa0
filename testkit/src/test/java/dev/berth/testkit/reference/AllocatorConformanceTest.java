package dev.berth.testkit.reference;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.berth.core.allocate.AllocationOutcome;
import dev.berth.model.api.AllocatedDevice;
import dev.berth.model.api.AllocationResult;
import dev.berth.testkit.cel.ReferenceExpressions;
import dev.berth.testkit.conformance.ConformanceCase;
import dev.berth.testkit.conformance.ConformanceCases;
import dev.berth.testkit.conformance.ExpectedAnswer;
import dev.berth.testkit.verify.AllocationVerifier;
import java.io.IOException;
import java.util.List;
import java.util.UUID;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

class AllocatorConformanceTest {

    private final ReferenceExpressions expressions = new ReferenceExpressions();
    private final ReferenceAllocator reference =
            new ReferenceAllocator(expressions, Long.MAX_VALUE);
    private final AllocationVerifier verifier = new AllocationVerifier(expressions);

    @TestFactory
    Stream<DynamicTest> theTwinAnswersAsKubernetes() throws IOException {
        var folder = ConformanceCases.folder();
        assumeTrue(folder.isPresent(), "the answers of Kubernetes are not here");
        return ConformanceCases.allocator(folder.get()).stream()
                .map(one -> DynamicTest.dynamicTest(one.name(), () -> check(one)));
    }

    private void check(ConformanceCase one) {
        var answer = reference.allocate(one.question(), () -> UUID.randomUUID().toString());
        switch (one.answer()) {
            case ExpectedAnswer.DoesNotFit _ ->
                    assertThat(answer).isInstanceOf(AllocationOutcome.DoesNotFit.class);
            case ExpectedAnswer.Fault(var message) -> {
                assertThat(answer).isInstanceOf(AllocationOutcome.Failed.class);
                assertThat(fault(((AllocationOutcome.Failed) answer).message()))
                        .isEqualTo(fault(message));
            }
            case ExpectedAnswer.Results(var expected) -> {
                assertThat(answer).isInstanceOf(AllocationOutcome.Allocated.class);
                var results = ((AllocationOutcome.Allocated) answer).results();
                assertThat(withoutShareIds(results)).isEqualTo(withoutShareIds(expected));
                assertThat(verifier.violations(one.question(), results)).isEmpty();
            }
        }
        one.steps().ifPresent(steps -> assertThat(answer.steps()).isEqualTo(steps));
    }

    /// The text without what the files do not keep: an empty list of values, which decides the
    /// first device that fails, and where classes were looked for.
    private static String fault(String message) {
        return message.replaceAll("/device-\\d+:", "/device:")
                .replaceAll("(could not retrieve device class [^:]+:).*", "$1");
    }

    private static List<AllocationResult> withoutShareIds(List<AllocationResult> results) {
        return results.stream().map(AllocatorConformanceTest::withoutShareIds).toList();
    }

    private static AllocationResult withoutShareIds(AllocationResult result) {
        return new AllocationResult(
                result.devices().stream().map(AllocatorConformanceTest::withoutShareId).toList(),
                result.config(),
                result.nodeSelector(),
                result.allocationTimestamp());
    }

    private static AllocatedDevice withoutShareId(AllocatedDevice device) {
        return new AllocatedDevice(
                device.request(),
                device.id(),
                device.adminAccess(),
                device.tolerations(),
                device.bindingConditions(),
                device.bindingFailureConditions(),
                device.shareId().map(_ -> "any"),
                device.consumedCapacity(),
                device.skipNodeOperations());
    }
}
