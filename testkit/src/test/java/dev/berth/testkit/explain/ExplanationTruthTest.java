package dev.berth.testkit.explain;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.core.allocate.AllocationOutcome;
import dev.berth.core.allocate.AllocationRequest;
import dev.berth.core.allocate.Allocator;
import dev.berth.core.explain.ExplainInputs;
import dev.berth.core.explain.Explainer;
import dev.berth.core.explain.Explanation;
import dev.berth.core.explain.NodeReport;
import dev.berth.core.explain.ObstacleCount;
import dev.berth.core.explain.SuggestionApplier;
import dev.berth.core.explain.WaitForecast;
import dev.berth.core.ledger.Holdings;
import dev.berth.model.api.AllocatedDevice;
import dev.berth.model.api.AllocationResult;
import dev.berth.model.api.DeviceId;
import dev.berth.model.api.ObjectMeta;
import dev.berth.model.api.ResourceClaim;
import dev.berth.model.api.ResourceClaimSpec;
import dev.berth.model.api.ResourceClaimStatus;
import dev.berth.model.quantity.Quantity;
import dev.berth.testkit.cel.ReferenceExpressions;
import dev.berth.testkit.random.RandomAllocation;
import dev.berth.testkit.reference.ReferenceAllocator;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

/// All that is said about claims that do not fit is true: the slow allocator, which knows nothing
/// of explanations, is asked about each statement. `-Dberth.explain.questions=100000` asks more.
class ExplanationTruthTest {

    private static final int QUESTIONS = Integer.getInteger("berth.explain.questions", 300);
    private static final long TWIN_BUDGET = 200_000;
    private static final String SHARE = "00000000-0000-4000-8000-000000000000";

    private final ReferenceAllocator reference =
            new ReferenceAllocator(new ReferenceExpressions(), TWIN_BUDGET);
    private final Explainer explainer = new Explainer(new Allocator(Allocator.DEFAULT_BUDGET));

    @Test
    void everyStatementIsTrue() {
        var misfits = 0;
        for (var seed = 0; seed < QUESTIONS; seed++) {
            var situation = situation(RandomAllocation.of(seed));
            switch (explainer.explain(situation)) {
                case Explanation.Fits _ ->
                        assertThat(asked(situation))
                                .as("seed %d", seed)
                                .isNotInstanceOf(AllocationOutcome.DoesNotFit.class)
                                .isNotInstanceOf(AllocationOutcome.Failed.class);
                case Explanation.Misfit misfit -> {
                    misfits++;
                    assertThat(asked(situation))
                            .as("seed %d", seed)
                            .isNotInstanceOf(AllocationOutcome.Allocated.class);
                    checkChanges(seed, situation, misfit);
                    checkWaiting(seed, situation, misfit);
                    checkCounts(seed, situation, misfit.nodes().getFirst());
                }
            }
        }
        assertThat(misfits).isGreaterThan(QUESTIONS / 10);
    }

    private void checkChanges(int seed, ExplainInputs situation, Explanation.Misfit misfit) {
        for (var proposal : misfit.changes()) {
            assertThat(asked(SuggestionApplier.apply(proposal.change(), situation)))
                    .as("seed %d: %s", seed, proposal)
                    .isNotInstanceOf(AllocationOutcome.DoesNotFit.class)
                    .isNotInstanceOf(AllocationOutcome.Failed.class);
        }
    }

    private void checkWaiting(int seed, ExplainInputs situation, Explanation.Misfit misfit) {
        if (misfit.waiting() instanceof WaitForecast.InVain) {
            assertThat(asked(holding(situation, List.of())))
                    .as("seed %d", seed)
                    .isNotInstanceOf(AllocationOutcome.Allocated.class);
        }
    }

    private void checkCounts(int seed, ExplainInputs situation, NodeReport report) {
        for (var request : report.requests()) {
            var gone = request.tolls().stream().mapToInt(ObstacleCount::devices).sum();
            assertThat(gone + request.left())
                    .as("seed %d, request %s", seed, request.request())
                    .isEqualTo(request.ofClass() > 0 ? request.ofClass() : request.seen());
            var recount = new FreeDevices(situation, report, request);
            // Where a claim is refused as a whole, no single device can be asked for either.
            if (report.failure().isPresent() || !recount.isComparable()) {
                continue;
            }
            var free = 0;
            for (var question : recount.questions()) {
                free +=
                        reference.allocate(question, () -> SHARE)
                                        instanceof AllocationOutcome.Allocated
                                ? 1
                                : 0;
            }
            assertThat(request.left())
                    .as("seed %d, request %s", seed, request.request())
                    .isEqualTo(free);
        }
    }

    private AllocationOutcome asked(ExplainInputs situation) {
        return reference.allocate(question(situation), () -> SHARE);
    }

    static AllocationRequest question(ExplainInputs situation) {
        return new AllocationRequest(
                situation.features(),
                situation.nodes().getFirst(),
                situation.classes(),
                situation.slices(),
                Holdings.of(situation.holders()),
                situation.claims());
    }

    private static ExplainInputs situation(AllocationRequest question) {
        return new ExplainInputs(
                question.features(),
                List.of(question.node()),
                Map.of(),
                question.classes(),
                question.slices(),
                holders(question.holdings()),
                Set.of(),
                question.claims(),
                Optional.empty());
    }

    private static ExplainInputs holding(ExplainInputs situation, List<ResourceClaim> holders) {
        return new ExplainInputs(
                situation.features(),
                situation.nodes(),
                situation.barred(),
                situation.classes(),
                situation.slices(),
                holders,
                situation.own(),
                situation.claims(),
                situation.extended());
    }

    /// One claim for each thing that is held.
    private static List<ResourceClaim> holders(Holdings holdings) {
        var holders = new ArrayList<ResourceClaim>();
        holdings.exclusive().stream()
                .sorted()
                .forEach(id -> holders.add(holder(holders.size(), id, Optional.empty(), Map.of())));
        for (var share : holdings.shares()) {
            var consumed = holdings.consumed().getOrDefault(share.device(), Map.of());
            holders.add(
                    holder(holders.size(), share.device(), Optional.of(share.share()), consumed));
        }
        return holders;
    }

    private static ResourceClaim holder(
            int number, DeviceId id, Optional<String> share, Map<String, Quantity> consumed) {
        var device =
                new AllocatedDevice(
                        "r",
                        id,
                        Optional.empty(),
                        List.of(),
                        List.of(),
                        List.of(),
                        share,
                        consumed,
                        List.of());
        var result =
                new AllocationResult(
                        List.of(device), List.of(), Optional.empty(), Optional.empty());
        return new ResourceClaim(
                ObjectMeta.of("others", "holder-" + number),
                ResourceClaimSpec.EMPTY,
                new ResourceClaimStatus(Optional.of(result), List.of(), List.of()));
    }
}
