package dev.berth.core.testkit.verify;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.core.allocate.AllocationOutcome;
import dev.berth.core.testkit.cel.ReferenceExpressions;
import dev.berth.core.testkit.random.RandomAllocation;
import dev.berth.core.testkit.reference.ReferenceAllocator;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

class AllocationVerifierTest {

    private static final int QUESTIONS = 2_000;
    private static final int CHANGED_EACH = 15;
    private static final int LAST_SEED = 60_000;

    private final ReferenceExpressions expressions = new ReferenceExpressions();
    private final ReferenceAllocator reference = new ReferenceAllocator(expressions, 20_000);
    private final AllocationVerifier verifier = new AllocationVerifier(expressions);

    @Test
    void allocationsOfTheReferenceAllocatorAreValid() {
        for (var seed = 0L; seed < QUESTIONS; seed++) {
            var allocationRequest = RandomAllocation.of(seed);
            if (reference.allocate(allocationRequest, new Shares()::next)
                    instanceof AllocationOutcome.Allocated(var results, _)) {
                assertThat(verifier.violations(allocationRequest, results))
                        .as("seed %d", seed)
                        .isEmpty();
            }
        }
    }

    @TestFactory
    Stream<DynamicTest> everyInvalidMutationIsDetected() {
        return Stream.concat(ResultMutations.all().stream(), RequestMutations.all().stream())
                .map(one -> DynamicTest.dynamicTest(one.name(), () -> check(one)));
    }

    private void check(AllocationMutation mutation) {
        var changed = 0;
        for (var seed = 0L; seed < LAST_SEED && changed < CHANGED_EACH; seed++) {
            var allocation = allocation(seed).filter(mutation.applies());
            if (allocation.isEmpty()) {
                continue;
            }
            changed++;
            var mutated = mutation.change().apply(allocation.get());
            assertThat(verifier.violations(mutated.allocationRequest(), mutated.results()))
                    .as("seed %d", seed)
                    .anyMatch(text -> text.contains(mutation.symptom()));
        }
        assertThat(changed).isEqualTo(CHANGED_EACH);
    }

    private Optional<VerifiedAllocation> allocation(long seed) {
        var allocationRequest = RandomAllocation.of(seed);
        if (!(reference.allocate(allocationRequest, new Shares()::next)
                instanceof AllocationOutcome.Allocated(var results, _))) {
            return Optional.empty();
        }
        for (var i = 0; i < results.size(); i++) {
            if (!results.get(i).devices().isEmpty()) {
                return Optional.of(new VerifiedAllocation(allocationRequest, results, i));
            }
        }
        return Optional.empty();
    }

    /// Consecutive IDs.
    private static final class Shares {

        private int last;

        String next() {
            last++;
            return "share-" + last;
        }
    }
}
