package dev.berth.core.testkit.reference;

import dev.berth.core.allocate.AllocationRequest;
import java.util.List;
import java.util.OptionalInt;

/// Depth-first search for the first solution: claims, requests and devices in their order.
///
/// Prunes only what Kubernetes prunes: devices of one request are assigned in search order, and a
/// claim that would exceed 32 devices backtracks at once.
final class ReferenceSearch {

    private final AllocationRequest allocationRequest;
    private final List<List<ReferenceRequest>> requests;
    private final List<ReferenceCandidate> candidates;
    private final ReferenceSelectors selectors;
    private final DeviceFeasibility feasibility;
    private final long budget;
    private long steps;

    /// @param requests requests of each claim
    /// @param candidates devices of all usable pools
    ReferenceSearch(
            AllocationRequest allocationRequest,
            List<List<ReferenceRequest>> requests,
            List<ReferenceCandidate> candidates,
            ReferenceSelectors selectors,
            DeviceFeasibility feasibility,
            long budget) {
        this.allocationRequest = allocationRequest;
        this.requests = requests;
        this.candidates = candidates;
        this.selectors = selectors;
        this.feasibility = feasibility;
        this.budget = budget;
    }

    sealed interface Outcome {

        record Solved(ReferenceState state) implements Outcome {}

        record NoSolution() implements Outcome {}

        /// No solution because the claim would exceed the device limit.
        record OverLimit() implements Outcome {}
    }

    /// The position in the search.
    ///
    /// @param alternative present while an alternative of a request is tried
    /// @param device number of devices assigned to the request
    /// @param start first candidate to try
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

    private Outcome allocateOne(Position at, ReferenceState state) {
        if (steps == budget) {
            throw new StepLimitExceeded();
        }
        steps++;
        if (at.claim() == requests.size()) {
            return new Outcome.Solved(state);
        }
        if (at.request() == requests.get(at.claim()).size()) {
            var rest = allocateOne(Position.atClaim(at.claim() + 1), state);
            return rest instanceof Outcome.OverLimit ? new Outcome.NoSolution() : rest;
        }
        var request = requests.get(at.claim()).get(at.request());
        if (request.isChoice() && at.alternative().isEmpty()) {
            return tryAlternatives(request, at, state);
        }
        var demand = request.alternatives().get(at.alternative().orElse(0));
        if (demand.all().isPresent() && demand.all().get().isEmpty()) {
            return new Outcome.NoSolution();
        }
        if (at.device() >= demand.count()) {
            return allocateOne(Position.atRequest(at.claim(), at.request() + 1), state);
        }
        var devices = state.ofClaim(at.claim()).size() + demand.count() - at.device();
        if (devices > ReferencePreparation.MOST_DEVICES_PER_CLAIM) {
            return new Outcome.OverLimit();
        }
        return demand.all().isPresent()
                ? takeNextOfAll(demand, demand.all().get(), at, state)
                : tryCandidates(demand, at, state);
    }

    private Outcome tryAlternatives(ReferenceRequest request, Position at, ReferenceState state) {
        var allOverLimit = true;
        for (var i = 0; i < request.alternatives().size(); i++) {
            var choice = new ReferenceState.Choice(at.claim(), at.request(), i);
            var outcome = allocateOne(at.tryAlternative(i), state.with(choice));
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
            ReferenceState state) {
        var placement = feasibility.place(at.claim(), demand, all.get(at.device()), state);
        return placement.isPresent()
                ? allocateOne(at.nextDevice(0), state.with(placement.get()))
                : new Outcome.NoSolution();
    }

    private Outcome tryCandidates(ReferenceDemand demand, Position at, ReferenceState state) {
        var claim = allocationRequest.claims().get(at.claim());
        for (var i = at.start(); i < candidates.size(); i++) {
            var candidate = candidates.get(i);
            if (feasibility.isInUse(at.claim(), demand, candidate, state)
                    || !selectors.select(claim, demand, candidate)
                    || feasibility.consumed(at.claim(), demand, candidate, state).isEmpty()) {
                continue;
            }
            var placement = feasibility.place(at.claim(), demand, candidate, state);
            if (placement.isEmpty()) {
                continue;
            }
            var outcome = allocateOne(at.nextDevice(i + 1), state.with(placement.get()));
            // Over the limit: other devices for this request would not reduce the number.
            if (!(outcome instanceof Outcome.NoSolution)) {
                return outcome;
            }
        }
        return new Outcome.NoSolution();
    }
}
