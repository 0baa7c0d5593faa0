package dev.berth.core.testkit.reference;

import dev.berth.model.api.slice.DeviceId;
import dev.berth.model.api.slice.PoolId;
import dev.berth.model.quantity.Quantity;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/// Immutable state of one branch of the search, so backtracking needs no undo. All amounts are
/// computed from the placements.
record ReferenceState(List<ReferencePlacement> placements, List<Choice> choices) {

    static final ReferenceState NOTHING = new ReferenceState(List.of(), List.of());

    /// The chosen alternative of a request.
    record Choice(int claim, int request, int alternative) {}

    ReferenceState {
        placements = List.copyOf(placements);
        choices = List.copyOf(choices);
    }

    ReferenceState with(ReferencePlacement placement) {
        var more = new ArrayList<>(placements);
        more.add(placement);
        return new ReferenceState(more, choices);
    }

    ReferenceState with(Choice choice) {
        var more = new ArrayList<>(choices);
        more.add(choice);
        return new ReferenceState(placements, more);
    }

    List<ReferencePlacement> ofClaim(int claim) {
        return placements.stream().filter(one -> one.claim() == claim).toList();
    }

    /// The chosen alternative; zero for a request without alternatives.
    int alternative(int claim, int request) {
        return choices.stream()
                .filter(choice -> choice.claim() == claim && choice.request() == request)
                .mapToInt(Choice::alternative)
                .findFirst()
                .orElse(0);
    }

    boolean holdsAlone(DeviceId device) {
        return of(device).anyMatch(one -> !one.isShared());
    }

    boolean holdsAlone(DeviceId device, int claim) {
        return of(device).anyMatch(one -> !one.isShared() && one.claim() == claim);
    }

    boolean shares(DeviceId device) {
        return of(device).anyMatch(ReferencePlacement::isShared);
    }

    Map<String, Quantity> consumedOf(DeviceId device) {
        var sums = new HashMap<String, Quantity>();
        of(device)
                .forEach(one ->
                        one.consumed()
                                .forEach((name, amount) ->
                                        sums.merge(name, amount, Quantity::plus)));
        return sums;
    }

    /// The assigned devices of a pool whose counters are charged.
    List<ReferenceCandidate> charged(PoolId pool) {
        return placements.stream()
                .filter(ReferencePlacement::chargesCounters)
                .map(ReferencePlacement::candidate)
                .filter(candidate -> candidate.pool().id().equals(pool))
                .toList();
    }

    private Stream<ReferencePlacement> of(DeviceId device) {
        return placements.stream().filter(one -> one.candidate().id().equals(device));
    }
}
