package dev.berth.core.explain;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.core.allocate.AllocationOutcome;
import dev.berth.core.allocate.AllocationRequest;
import dev.berth.core.allocate.Allocator;
import dev.berth.core.ledger.Holdings;
import dev.berth.core.testkit.cel.ReferenceExpressions;
import dev.berth.core.testkit.random.RandomAllocation;
import dev.berth.core.testkit.reference.ReferenceAllocator;
import dev.berth.model.api.claim.AllocatedDevice;
import dev.berth.model.api.claim.AllocationResult;
import dev.berth.model.api.claim.ResourceClaim;
import dev.berth.model.api.claim.ResourceClaimSpec;
import dev.berth.model.api.claim.ResourceClaimStatus;
import dev.berth.model.api.meta.ObjectMeta;
import dev.berth.model.api.slice.DeviceId;
import dev.berth.model.quantity.Quantity;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

/// Checks every statement of explanations with the reference allocator, which shares no code with
/// them. `-Dberth.explain.questions=100000` tests more requests.
class ExplanationTruthTest {

    private static final int REQUESTS = Integer.getInteger("berth.explain.questions", 300);
    private static final long TWIN_BUDGET = 200_000;
    private static final String SHARE = "00000000-0000-4000-8000-000000000000";

    private final ReferenceAllocator reference =
            new ReferenceAllocator(new ReferenceExpressions(), TWIN_BUDGET);
    private final Explainer explainer = new Explainer(new Allocator(Allocator.DEFAULT_BUDGET));

    @Test
    void everyStatementIsTrue() {
        var misfits = 0;
        for (var seed = 0; seed < REQUESTS; seed++) {
            var inputs = inputs(RandomAllocation.of(seed));
            switch (explainer.explain(inputs)) {
                case Explanation.Fits _ ->
                        assertThat(allocate(inputs))
                                .as("seed %d", seed)
                                .isNotInstanceOf(AllocationOutcome.DoesNotFit.class)
                                .isNotInstanceOf(AllocationOutcome.Failed.class);
                case Explanation.Misfit misfit -> {
                    misfits++;
                    assertThat(allocate(inputs))
                            .as("seed %d", seed)
                            .isNotInstanceOf(AllocationOutcome.Allocated.class);
                    checkChanges(seed, inputs, misfit);
                    checkWaiting(seed, inputs, misfit);
                    checkCounts(seed, inputs, misfit.nodes().getFirst());
                }
            }
        }
        assertThat(misfits).isGreaterThan(REQUESTS / 10);
    }

    private void checkChanges(int seed, ExplainInputs inputs, Explanation.Misfit misfit) {
        for (var verified : misfit.suggestions()) {
            assertThat(allocate(SuggestionApplier.apply(verified.suggestion(), inputs)))
                    .as("seed %d: %s", seed, verified)
                    .isNotInstanceOf(AllocationOutcome.DoesNotFit.class)
                    .isNotInstanceOf(AllocationOutcome.Failed.class);
        }
    }

    private void checkWaiting(int seed, ExplainInputs inputs, Explanation.Misfit misfit) {
        if (misfit.waiting() instanceof WaitForecast.WillNotHelp) {
            assertThat(allocate(holding(inputs, List.of())))
                    .as("seed %d", seed)
                    .isNotInstanceOf(AllocationOutcome.Allocated.class);
        }
    }

    private void checkCounts(int seed, ExplainInputs inputs, NodeReport report) {
        for (var request : report.requests()) {
            var gone = request.obstacles().stream().mapToInt(ObstacleCount::devices).sum();
            assertThat(gone + request.left())
                    .as("seed %d, request %s", seed, request.request())
                    .isEqualTo(request.ofClass() > 0 ? request.ofClass() : request.seen());
            var recount = new SingleDeviceRequests(inputs, report, request);
            // If a claim is invalid as a whole, requests for single devices are invalid too.
            if (report.failure().isPresent() || !recount.isComparable()) {
                continue;
            }
            var free = 0;
            for (var allocationRequest : recount.requests()) {
                free +=
                        reference.allocate(allocationRequest, () -> SHARE)
                                        instanceof AllocationOutcome.Allocated
                                ? 1
                                : 0;
            }
            assertThat(request.left())
                    .as("seed %d, request %s", seed, request.request())
                    .isEqualTo(free);
        }
    }

    private AllocationOutcome allocate(ExplainInputs inputs) {
        return reference.allocate(allocationRequest(inputs), () -> SHARE);
    }

    static AllocationRequest allocationRequest(ExplainInputs inputs) {
        return new AllocationRequest(
                inputs.features(),
                inputs.nodes().getFirst(),
                inputs.classes(),
                inputs.slices(),
                Holdings.of(inputs.holders()),
                inputs.claims());
    }

    private static ExplainInputs inputs(AllocationRequest allocationRequest) {
        return new ExplainInputs(
                allocationRequest.features(),
                List.of(allocationRequest.node()),
                Map.of(),
                allocationRequest.classes(),
                allocationRequest.slices(),
                holders(allocationRequest.holdings()),
                Set.of(),
                allocationRequest.claims(),
                Optional.empty());
    }

    private static ExplainInputs holding(ExplainInputs inputs, List<ResourceClaim> holders) {
        return new ExplainInputs(
                inputs.features(),
                inputs.nodes(),
                inputs.rejections(),
                inputs.classes(),
                inputs.slices(),
                holders,
                inputs.own(),
                inputs.claims(),
                inputs.extended());
    }

    /// One claim for each allocated device or share.
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
