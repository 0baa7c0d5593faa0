package dev.berth.core.testkit.reference;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.core.allocate.AllocationOutcome;
import dev.berth.core.testkit.cel.ReferenceExpressions;
import dev.berth.core.testkit.conformance.ConformanceCase;
import dev.berth.core.testkit.conformance.ConformanceCases;
import dev.berth.core.testkit.conformance.ExpectedOutcome;
import dev.berth.core.testkit.verify.AllocationVerifier;
import dev.berth.model.api.claim.AllocatedDevice;
import dev.berth.model.api.claim.AllocationResult;
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
    Stream<DynamicTest> referenceAllocatorEqualsKubernetes() {
        return ConformanceCases.allocator().stream()
                .map(one -> DynamicTest.dynamicTest(one.name(), () -> check(one)));
    }

    private void check(ConformanceCase one) {
        var outcome =
                reference.allocate(one.allocationRequest(), () -> UUID.randomUUID().toString());
        switch (one.outcome()) {
            case ExpectedOutcome.DoesNotFit _ ->
                    assertThat(outcome).isInstanceOf(AllocationOutcome.DoesNotFit.class);
            case ExpectedOutcome.Fault(var message) -> {
                assertThat(outcome).isInstanceOf(AllocationOutcome.Failed.class);
                assertThat(fault(((AllocationOutcome.Failed) outcome).message()))
                        .isEqualTo(fault(message));
            }
            case ExpectedOutcome.Results(var expected) -> {
                assertThat(outcome).isInstanceOf(AllocationOutcome.Allocated.class);
                var results = ((AllocationOutcome.Allocated) outcome).results();
                assertThat(withoutShareIds(results)).isEqualTo(withoutShareIds(expected));
                assertThat(verifier.violations(one.allocationRequest(), results)).isEmpty();
            }
        }
        one.steps().ifPresent(steps -> assertThat(outcome.steps()).isEqualTo(steps));
    }

    /// The message without details that the recorded cases do not contain: the first failing
    /// device, which depends on an empty list of values, and the lookup of classes.
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
