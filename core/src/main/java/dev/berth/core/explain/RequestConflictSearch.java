package dev.berth.core.explain;

import dev.berth.core.explain.RequestConflict.Competing;
import dev.berth.core.explain.RequestConflict.ConstraintUnmet;
import dev.berth.core.explain.RequestConflict.NotAtOnce;
import dev.berth.model.api.AttributeValue;
import dev.berth.model.api.DeviceConstraint;
import dev.berth.model.api.DeviceId;
import dev.berth.model.api.Node;
import dev.berth.model.api.ResourceClaim;
import dev.berth.model.api.ResourceClaimSpec;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/// Finds out why requests do not fit together by leaving out one thing at a time and asking again.
final class RequestConflictSearch {

    private final ExplainInputs situation;
    private final WhatIfAllocator prober;
    private final DeviceSurvey survey;

    RequestConflictSearch(ExplainInputs situation, WhatIfAllocator prober, DeviceSurvey survey) {
        this.situation = situation;
        this.prober = prober;
        this.survey = survey;
    }

    List<RequestConflict> on(Node node) {
        var found = new ArrayList<RequestConflict>();
        for (var claim : situation.claims()) {
            for (var i = 0; i < claim.spec().constraints().size(); i++) {
                addConstraint(node, claim, i, found);
            }
        }
        if (found.isEmpty()) {
            survey.wants().forEach(want -> addNotAtOnce(node, want, found));
        }
        if (found.isEmpty()) {
            addCompeting(node, found);
        }
        return found;
    }

    private void addConstraint(
            Node node, ResourceClaim claim, int number, List<RequestConflict> found) {
        var constraint = claim.spec().constraints().get(number);
        var attribute = SuggestionSearch.attribute(constraint);
        if (attribute.isEmpty()) {
            return;
        }
        var change = new Suggestion.DropConstraint(claim.ref(), number, attribute.get());
        if (prober.fitsOn(SuggestionApplier.apply(change, situation), node)) {
            found.add(
                    new ConstraintUnmet(
                            claim.ref(),
                            number,
                            constraint instanceof DeviceConstraint.MatchAttribute,
                            attribute.get(),
                            values(node, claim, constraint, attribute.get())));
        }
    }

    /// The values of devices that are left for the requests that a constraint binds.
    private Map<String, Integer> values(
            Node node, ResourceClaim claim, DeviceConstraint constraint, String attribute) {
        var values = new LinkedHashMap<DeviceId, String>();
        for (var i = 0; i < survey.wants().size(); i++) {
            var want = survey.wants().get(i);
            if (!want.claim().equals(claim.ref()) || !want.isBoundBy(constraint)) {
                continue;
            }
            for (var pool : prober.seenFrom(node)) {
                for (var row = 0; pool.isUsable() && row < pool.size(); row++) {
                    var id = pool.device(row);
                    if (survey.judged(want, node, pool, row).isFree()) {
                        pool.attribute(row, attribute)
                                .ifPresent(value -> values.put(id, printed(value)));
                    }
                }
            }
        }
        var counts = new TreeMap<String, Integer>();
        values.values().forEach(value -> counts.merge(value, 1, Integer::sum));
        return counts;
    }

    private static String printed(AttributeValue value) {
        return switch (value) {
            case AttributeValue.IntValue(var number) -> Long.toString(number);
            case AttributeValue.BoolValue(var flag) -> Boolean.toString(flag);
            case AttributeValue.StringValue(var text) -> text;
            case AttributeValue.VersionValue(var version) -> version;
            case AttributeValue.IntList(var list) -> list.toString();
            case AttributeValue.BoolList(var list) -> list.toString();
            case AttributeValue.StringList(var list) -> list.toString();
            case AttributeValue.VersionList(var list) -> list.toString();
            case AttributeValue.Unrecognised _ -> "unknown";
        };
    }

    private void addNotAtOnce(Node node, RequestAlternative want, List<RequestConflict> found) {
        if (want.wantsAll() || want.count() < 2 || !want.request().equals(want.name())) {
            return;
        }
        var alone = alone(want);
        if (prober.fitsOn(alone, node)) {
            return;
        }
        var most = want.count() - 1;
        while (most > 0
                && !prober.fitsOn(
                        SuggestionApplier.apply(
                                new Suggestion.LowerCount(
                                        want.claim(), want.name(), want.count(), most),
                                alone),
                        node)) {
            most--;
        }
        found.add(new NotAtOnce(want.claim(), want.name(), want.count(), most));
    }

    private ExplainInputs alone(RequestAlternative want) {
        var spec = want.owner().spec();
        var only =
                new ResourceClaimSpec(
                        spec.requests().stream()
                                .filter(request -> request.name().equals(want.request()))
                                .toList(),
                        List.of(),
                        List.of());
        return situation.withClaims(
                List.of(new ResourceClaim(want.owner().metadata(), only, want.owner().status())));
    }

    private String named(ResourceClaim claim, String request) {
        var serves = situation.served(claim.ref(), request);
        if (!serves.isEmpty()) {
            return ExplanationWording.resource(serves);
        }
        return situation.claims().size() == 1 ? request : claim.ref() + ":" + request;
    }

    private void addCompeting(Node node, List<RequestConflict> found) {
        var names = new ArrayList<String>();
        for (var claim : situation.claims()) {
            for (var request : claim.spec().requests()) {
                var without =
                        SuggestionApplier.editSpec(
                                situation,
                                claim.ref(),
                                spec ->
                                        new ResourceClaimSpec(
                                                spec.requests().stream()
                                                        .filter(r -> !r.equals(request))
                                                        .toList(),
                                                spec.constraints(),
                                                spec.config()));
                if (prober.fitsOn(without, node)) {
                    names.add(named(claim, request.name()));
                }
            }
        }
        if (!names.isEmpty()) {
            found.add(new Competing(names));
        }
    }
}
