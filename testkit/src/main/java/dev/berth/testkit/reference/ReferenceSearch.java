package dev.berth.testkit.reference;

import dev.berth.core.allocate.AllocationRequest;
import java.util.List;
import java.util.OptionalInt;

/// Depth-first search for the first solution: claims, requests and devices in their order.
///
/// Nothing is cut off but what Kubernetes cuts off: devices of one request are taken in the order
/// of visiting, and a claim that would pass 32 devices goes back at once.
final class ReferenceSearch {

    private final AllocationRequest question;
    private final List<List<ReferenceRequest>> requests;
    private final List<ReferenceCandidate> candidates;
    private final ReferenceSelectors selectors;
    private final DeviceFeasibility placing;
    private final long budget;
    private long steps;

    /// @param requests those of each claim
    /// @param candidates the devices of all usable pools
    ReferenceSearch(
            AllocationRequest question,
            List<List<ReferenceRequest>> requests,
            List<ReferenceCandidate> candidates,
            ReferenceSelectors selectors,
            DeviceFeasibility placing,
            long budget) {
        this.question = question;
        this.requests = requests;
        this.candidates = candidates;
        this.selectors = selectors;
        this.placing = placing;
        this.budget = budget;
    }

    sealed interface Outcome {

        record Solved(ReferenceState taken) implements Outcome {}

        record NoSolution() implements Outcome {}

        /// No solution because the claim would get too many devices.
        record OverLimit() implements Outcome {}
    }

    /// Which device is looked for.
    ///
    /// @param alternative present while one of a request's alternatives is being tried
    /// @param device how many the request has got
    /// @param start the first candidate to look at
    private record Position(
            int claim, int request, OptionalInt alternative, int device, int start) {

        static Position atClaim(int claim) {
            return atRequest(claim, 0);
        }

        static Position atRequest(int claim, int request) {
            return new Position(claim, request, OptionalInt.empty(), 0, 0);
        }

        Position tryAlternative(int index) {
            return new Position(claim, request, OptionalInt.of(index), device, 0);
        }

        Position nextDevice(int nextStart) {
            return new Position(claim, request, alternative, device + 1, nextStart);
        }
    }

    Outcome run() {
        return allocateOne(Position.atClaim(0), ReferenceState.NOTHING);
    }

    long steps() {
        return steps;
    }

    private Outcome allocateOne(Position at, ReferenceState taken) {
        if (steps == budget) {
            throw new StepLimitExceeded();
        }
        steps++;
        if (at.claim() == requests.size()) {
            return new Outcome.Solved(taken);
        }
        if (at.request() == requests.get(at.claim()).size()) {
            var rest = allocateOne(Position.atClaim(at.claim() + 1), taken);
            return rest instanceof Outcome.OverLimit ? new Outcome.NoSolution() : rest;
        }
        var request = requests.get(at.claim()).get(at.request());
        if (request.isChoice() && at.alternative().isEmpty()) {
            return tryAlternatives(request, at, taken);
        }
        var demand = request.alternatives().get(at.alternative().orElse(0));
        if (demand.all().isPresent() && demand.all().get().isEmpty()) {
            return new Outcome.NoSolution();
        }
        if (at.device() >= demand.count()) {
            return allocateOne(Position.atRequest(at.claim(), at.request() + 1), taken);
        }
        var devices = taken.ofClaim(at.claim()).size() + demand.count() - at.device();
        if (devices > ReferencePreparation.MOST_DEVICES_PER_CLAIM) {
            return new Outcome.OverLimit();
        }
        return demand.all().isPresent()
                ? takeNextOfAll(demand, demand.all().get(), at, taken)
                : tryCandidates(demand, at, taken);
    }

    private Outcome tryAlternatives(ReferenceRequest request, Position at, ReferenceState taken) {
        var allOverLimit = true;
        for (var i = 0; i < request.alternatives().size(); i++) {
            var choice = new ReferenceState.Choice(at.claim(), at.request(), i);
            var outcome = allocateOne(at.tryAlternative(i), taken.with(choice));
            if (outcome instanceof Outcome.Solved) {
                return outcome;
            }
            allOverLimit &= outcome instanceof Outcome.OverLimit;
        }
        return allOverLimit ? new Outcome.OverLimit() : new Outcome.NoSolution();
    }

    private Outcome takeNextOfAll(
            ReferenceDemand demand,
            List<ReferenceCandidate> all,
            Position at,
            ReferenceState taken) {
        var placement = placing.place(at.claim(), demand, all.get(at.device()), taken);
        return placement.isPresent()
                ? allocateOne(at.nextDevice(0), taken.with(placement.get()))
                : new Outcome.NoSolution();
    }

    private Outcome tryCandidates(ReferenceDemand demand, Position at, ReferenceState taken) {
        var claim = question.claims().get(at.claim());
        for (var i = at.start(); i < candidates.size(); i++) {
            var candidate = candidates.get(i);
            if (placing.isInUse(at.claim(), demand, candidate, taken)
                    || !selectors.select(claim, demand, candidate)
                    || placing.consumed(at.claim(), demand, candidate, taken).isEmpty()) {
                continue;
            }
            var placement = placing.place(at.claim(), demand, candidate, taken);
            if (placement.isEmpty()) {
                continue;
            }
            var outcome = allocateOne(at.nextDevice(i + 1), taken.with(placement.get()));
            // Over the limit: other devices of this request would not make the claim smaller.
            if (!(outcome instanceof Outcome.NoSolution)) {
                return outcome;
            }
        }
        return new Outcome.NoSolution();
    }
}
