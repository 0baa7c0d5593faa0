package dev.berth.core.explain;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.core.allocate.AllocationOutcome;
import dev.berth.core.allocate.AllocationRequest;
import dev.berth.core.allocate.Allocator;
import dev.berth.core.explain.text.PendingMessage;
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
import dev.berth.model.api.meta.ObjectRef;
import dev.berth.model.api.slice.DeviceId;
import dev.berth.model.quantity.Quantity;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashSet;
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
        var facts = 0;
        for (var seed = 0; seed < REQUESTS; seed++) {
            var inputs = inputs(RandomAllocation.of(seed));
            switch (explainer.explain(inputs)) {
                case Explanation.Fits _ ->
                        assertThat(allocate(inputs))
                                .as("seed %d", seed)
                                .isNotInstanceOf(AllocationOutcome.DoesNotFit.class)
                                .isNotInstanceOf(AllocationOutcome.Failed.class);
                case Explanation.Blocked blocked -> throw new AssertionError(blocked);
                case Explanation.Misfit misfit -> {
                    misfits++;
                    assertThat(allocate(inputs))
                            .as("seed %d", seed)
                            .isNotInstanceOf(AllocationOutcome.Allocated.class);
                    checkChanges(seed, inputs, misfit);
                    checkCondition(seed, inputs, misfit);
                    var finding = new FindingFacts(inputs, seed);
                    facts += misfit.findings().stream().mapToInt(finding::check).sum();
                    checkSteps(seed, misfit);
                    checkWaiting(seed, inputs, misfit);
                    checkCounts(seed, inputs, misfit.nodes().getFirst());
                }
            }
        }
        assertThat(misfits).isGreaterThan(REQUESTS / 10);
        assertThat(facts).isGreaterThan(misfits / 2);
    }

    private void checkChanges(int seed, ExplainInputs inputs, Explanation.Misfit misfit) {
        for (var verified : misfit.suggestions()) {
            checkScope(seed, inputs, verified);
            assertThat(allocate(SuggestionApplier.apply(verified.suggestion(), inputs)))
                    .as("seed %d: %s", seed, verified)
                    .isNotInstanceOf(AllocationOutcome.DoesNotFit.class)
                    .isNotInstanceOf(AllocationOutcome.Failed.class);
        }
    }

    /// A suggestion changes only the objects that it names, and never a class.
    private static void checkScope(int seed, ExplainInputs inputs, Suggestion.Verified verified) {
        var changed = SuggestionApplier.apply(verified.suggestion(), inputs);
        var named = new HashSet<ObjectRef>();
        verified.targets().forEach(target -> named.add(target.object()));
        assertThat(changed.classes()).as("seed %d", seed).isEqualTo(inputs.classes());
        if (verified.owner() != SuggestionOwner.ADMINISTRATOR) {
            assertThat(changed.slices()).as("seed %d", seed).isEqualTo(inputs.slices());
        }
        assertThat(without(changed.claims(), named))
                .as("seed %d", seed)
                .isEqualTo(without(inputs.claims(), named));
        assertThat(without(changed.holders(), named))
                .as("seed %d", seed)
                .isEqualTo(without(inputs.holders(), named));
    }

    private static List<ResourceClaim> without(List<ResourceClaim> claims, Set<ObjectRef> named) {
        return claims.stream().filter(claim -> !named.contains(claim.ref())).toList();
    }

    /// The condition names an object first and is bounded.
    private void checkCondition(int seed, ExplainInputs inputs, Explanation.Misfit misfit) {
        var sentences = explainer.sentences(new ClusterObjects.Lookup.Found(inputs));
        assertThat(sentences).as("seed %d", seed).isNotEmpty();
        assertThat(sentences.getFirst())
                .as("seed %d", seed)
                .isEqualTo(misfit.findings().getFirst().sentence());
        var message =
                PendingMessage.of(
                        new ObjectRef("default", "pod"),
                        "0/1 nodes are available: 1 cannot allocate all claims.",
                        sentences);
        assertThat(message.getBytes(StandardCharsets.UTF_8))
                .as("seed %d", seed)
                .hasSizeLessThanOrEqualTo(PendingMessage.MAX_BYTES);
    }

    /// The nearest miss is of the requested class, and the steps account for every device.
    private static void checkSteps(int seed, Explanation.Misfit misfit) {
        for (var i = 0; i < misfit.steps().size(); i++) {
            var steps = misfit.steps().get(i);
            var removed = steps.steps().stream().mapToInt(RequestSteps.Step::removed).sum();
            assertThat(steps.steps().getLast().remaining())
                    .as("seed %d", seed)
                    .isEqualTo(steps.published() - removed)
                    .isEqualTo(misfit.cluster().get(i).left());
            assertThat(steps.steps().getFirst().remaining())
                    .as("seed %d", seed)
                    .isEqualTo(misfit.cluster().get(i).ofClass());
        }
        misfit.nearestMiss()
                .ifPresent(miss ->
                        assertThat(miss.occurrences())
                                .as("seed %d", seed)
                                .noneMatch(one -> isOfClass(one.obstacle())));
    }

    private static boolean isOfClass(Obstacle obstacle) {
        return obstacle instanceof Obstacle.Condition(var at, _) && at.deviceClass().isPresent();
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
