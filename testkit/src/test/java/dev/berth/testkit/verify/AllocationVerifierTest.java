package dev.berth.testkit.verify;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.core.allocate.AllocationOutcome;
import dev.berth.testkit.cel.ReferenceExpressions;
import dev.berth.testkit.random.RandomAllocation;
import dev.berth.testkit.reference.ReferenceAllocator;
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
    void allocationsOfTheTwinBreakNoRule() {
        for (var seed = 0L; seed < QUESTIONS; seed++) {
            var question = RandomAllocation.of(seed);
            if (reference.allocate(question, new Shares()::next)
                    instanceof AllocationOutcome.Allocated(var results, _)) {
                assertThat(verifier.violations(question, results)).as("seed %d", seed).isEmpty();
            }
        }
    }

    @TestFactory
    Stream<DynamicTest> everyChangeForTheWorseIsFound() {
        return Stream.concat(ResultMutations.all().stream(), QuestionMutations.all().stream())
                .map(one -> DynamicTest.dynamicTest(one.name(), () -> check(one)));
    }

    private void check(Mutation mutation) {
        var changed = 0;
        for (var seed = 0L; seed < LAST_SEED && changed < CHANGED_EACH; seed++) {
            var judged = judged(seed).filter(mutation.applies());
            if (judged.isEmpty()) {
                continue;
            }
            changed++;
            var worse = mutation.change().apply(judged.get());
            assertThat(verifier.violations(worse.question(), worse.results()))
                    .as("seed %d", seed)
                    .anyMatch(text -> text.contains(mutation.symptom()));
        }
        assertThat(changed).isEqualTo(CHANGED_EACH);
    }

    private Optional<Judged> judged(long seed) {
        var question = RandomAllocation.of(seed);
        if (!(reference.allocate(question, new Shares()::next)
                instanceof AllocationOutcome.Allocated(var results, _))) {
            return Optional.empty();
        }
        for (var i = 0; i < results.size(); i++) {
            if (!results.get(i).devices().isEmpty()) {
                return Optional.of(new Judged(question, results, i));
            }
        }
        return Optional.empty();
    }

    /// Ids that follow each other.
    private static final class Shares {

        private int last;

        String next() {
            last++;
            return "share-" + last;
        }
    }
}
