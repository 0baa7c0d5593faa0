package dev.berth.core.explain;

import dev.berth.core.explain.RequestConflict.Competing;
import dev.berth.core.explain.RequestConflict.ConstraintUnmet;
import dev.berth.core.explain.RequestConflict.NotAtOnce;
import dev.berth.core.explain.text.ExplanationWording;
import dev.berth.model.api.claim.DeviceConstraint;
import dev.berth.model.api.claim.ResourceClaim;
import dev.berth.model.api.claim.ResourceClaimSpec;
import dev.berth.model.api.node.Node;
import dev.berth.model.api.slice.AttributeValue;
import dev.berth.model.api.slice.DeviceId;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/// Finds why requests do not fit together: leaves out one constraint, device or request at a time
/// and runs the allocator again.
final class RequestConflictSearch {

    private final ExplainInputs inputs;
    private final WhatIfAllocator whatIf;
    private final ReportBuilder reportBuilder;

    RequestConflictSearch(
            ExplainInputs inputs, WhatIfAllocator whatIf, ReportBuilder reportBuilder) {
        this.inputs = inputs;
        this.whatIf = whatIf;
        this.reportBuilder = reportBuilder;
    }

    /// Everything of a node that decides which requests fit together: free devices, and the
    /// attributes, capacities and counters that the requests use. Contains no names, so that nodes
    /// with the same hardware and usage are equal.
    Object signature(Node node) {
        var attributes =
                reportBuilder.alternatives().stream()
                        .flatMap(one -> one.comparedAttributes().stream())
                        .distinct()
                        .toList();
        var parts = new ArrayList<Object>();
        for (var pool : whatIf.visibleFrom(node)) {
            parts.add(pool.id().driver());
            parts.add(List.of(reportBuilder.countersLeft(pool)));
            for (var row = 0; pool.isUsable() && row < pool.size(); row++) {
                for (var alternative : reportBuilder.alternatives()) {
                    parts.add(reportBuilder.evaluate(alternative, node, pool, row).isFree());
                }
                for (var attribute : attributes) {
                    parts.add(pool.attribute(row, attribute));
                }
                parts.add(pool.capacities(row));
                parts.add(pool.traits(row).consumes());
            }
        }
        return parts;
    }

    List<RequestConflict> on(Node node) {
        var found = new ArrayList<RequestConflict>();
        for (var claim : inputs.claims()) {
            for (var i = 0; i < claim.spec().constraints().size(); i++) {
                addConstraint(node, claim, i, found);
            }
        }
        if (found.isEmpty()) {
            reportBuilder
                    .alternatives()
                    .forEach(alternative -> addNotAtOnce(node, alternative, found));
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
        var suggestion = new Suggestion.DropConstraint(claim.ref(), number, attribute.get());
        if (whatIf.fitsOn(SuggestionApplier.apply(suggestion, inputs), node)) {
            found.add(
                    new ConstraintUnmet(
                            claim.ref(),
                            number,
                            constraint instanceof DeviceConstraint.MatchAttribute,
                            attribute.get(),
                            values(node, claim, constraint, attribute.get())));
        }
    }

    /// The attribute values of devices that are free for the requests of a constraint.
    private Map<String, Integer> values(
            Node node, ResourceClaim claim, DeviceConstraint constraint, String attribute) {
        var values = new LinkedHashMap<DeviceId, String>();
        for (var i = 0; i < reportBuilder.alternatives().size(); i++) {
            var alternative = reportBuilder.alternatives().get(i);
            if (!alternative.claim().equals(claim.ref()) || !alternative.isBoundBy(constraint)) {
                continue;
            }
            for (var pool : whatIf.visibleFrom(node)) {
                for (var row = 0; pool.isUsable() && row < pool.size(); row++) {
                    var id = pool.device(row);
                    if (reportBuilder.evaluate(alternative, node, pool, row).isFree()) {
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

    private void addNotAtOnce(
            Node node, RequestAlternative alternative, List<RequestConflict> found) {
        if (alternative.allocatesAll()
                || alternative.count() < 2
                || !alternative.request().equals(alternative.name())) {
            return;
        }
        var alone = alone(alternative);
        if (whatIf.fitsOn(alone, node)) {
            return;
        }
        var most = alternative.count() - 1;
        while (most > 0
                && !whatIf.fitsOn(
                        SuggestionApplier.apply(
                                new Suggestion.LowerCount(
                                        alternative.claim(),
                                        alternative.name(),
                                        alternative.count(),
                                        most),
                                alone),
                        node)) {
            most--;
        }
        found.add(
                new NotAtOnce(alternative.claim(), alternative.name(), alternative.count(), most));
    }

    private ExplainInputs alone(RequestAlternative alternative) {
        var spec = alternative.owner().spec();
        var only =
                new ResourceClaimSpec(
                        spec.requests().stream()
                                .filter(request -> request.name().equals(alternative.request()))
                                .toList(),
                        List.of(),
                        List.of());
        return inputs.withClaims(
                List.of(
                        new ResourceClaim(
                                alternative.owner().metadata(),
                                only,
                                alternative.owner().status())));
    }

    private String named(ResourceClaim claim, String request) {
        var serves = inputs.served(claim.ref(), request);
        if (!serves.isEmpty()) {
            return ExplanationWording.resource(serves);
        }
        return inputs.claims().size() == 1 ? request : claim.ref() + ":" + request;
    }

    private void addCompeting(Node node, List<RequestConflict> found) {
        var names = new ArrayList<String>();
        for (var claim : inputs.claims()) {
            for (var request : claim.spec().requests()) {
                var without =
                        SuggestionApplier.editSpec(
                                inputs,
                                claim.ref(),
                                spec ->
                                        new ResourceClaimSpec(
                                                spec.requests().stream()
                                                        .filter(r -> !r.equals(request))
                                                        .toList(),
                                                spec.constraints(),
                                                spec.config()));
                if (whatIf.fitsOn(without, node)) {
                    names.add(named(claim, request.name()));
                }
            }
        }
        if (!names.isEmpty()) {
            found.add(new Competing(names));
        }
    }
}
