package dev.berth.app.scenario;

import dev.berth.core.cel.ListedDevice;
import dev.berth.model.api.claim.DeviceConstraint;
import dev.berth.model.api.claim.DeviceDemand;
import dev.berth.model.api.claim.DeviceRequest;
import dev.berth.model.api.claim.DeviceSelector;
import dev.berth.model.api.claim.ResourceClaim;
import dev.berth.model.api.meta.QualifiedName;
import dev.berth.model.api.pod.Pod;
import dev.berth.model.api.slice.DeviceId;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/// Explains the placement and the devices of pods.
final class PlacementReasons {

    private final CompiledSelectors selectors;
    private final NamespaceView view;
    private final Map<DeviceId, ListedDevice> listed;

    PlacementReasons(CompiledSelectors selectors, NamespaceView view) {
        this.selectors = selectors;
        this.view = view;
        this.listed = view.listed();
    }

    List<String> of(List<Pod> pods) {
        var lines = new LinkedHashSet<String>();
        for (var pod : pods) {
            if (pod.spec().nodeName().isEmpty()) {
                lines.add(NamespaceView.schedulingMessage(pod));
            } else {
                view.claims(pod).forEach(claim -> lines.add(of(claim)));
            }
        }
        lines.remove("");
        return List.copyOf(lines);
    }

    private String of(ResourceClaim claim) {
        var parts = new ArrayList<String>();
        for (var request : claim.spec().requests()) {
            switch (request) {
                case DeviceRequest.Exactly(var name, var demand, _) ->
                        parts.add(matching(claim, name, demand));
                case DeviceRequest.FirstAvailable(var name, var alternatives) ->
                        alternatives.forEach(one ->
                                parts.add(matching(claim, name + "/" + one.name(), one.demand())));
                case DeviceRequest.Unrecognised _ -> {}
            }
        }
        for (var constraint : claim.spec().constraints()) {
            if (constraint instanceof DeviceConstraint.MatchAttribute match) {
                parts.add(common(claim, match.attribute()));
            }
        }
        for (var condition : awaited(claim)) {
            parts.add("the pod was bound when %s was true".formatted(condition));
        }
        return String.join("; ", parts);
    }

    private String matching(ResourceClaim claim, String request, DeviceDemand demand) {
        var tests = new ArrayList<DeviceSelector>();
        view.classes().stream()
                .filter(one -> one.metadata().name().equals(demand.deviceClassName()))
                .forEach(one -> tests.addAll(one.spec().selectors()));
        tests.addAll(demand.selectors());
        var matching = new LinkedHashSet<DeviceId>();
        listed.forEach((id, device) -> {
            if (isAll(tests, device)) {
                matching.add(id);
            }
        });
        var text = "%d of %d devices match %s".formatted(matching.size(), listed.size(), request);
        matching.retainAll(view.heldByOthers(claim));
        return matching.isEmpty() ? text : "%s, %d in use".formatted(text, matching.size());
    }

    private boolean isAll(List<DeviceSelector> tests, ListedDevice device) {
        return tests.stream()
                .allMatch(test ->
                        test instanceof DeviceSelector.Cel(var expression)
                                && selectors.matches(expression, device));
    }

    private static Set<String> awaited(ResourceClaim claim) {
        var conditions = new LinkedHashSet<String>();
        claim.status()
                .allocation()
                .ifPresent(allocation ->
                        allocation
                                .devices()
                                .forEach(one -> conditions.addAll(one.bindingConditions())));
        return conditions;
    }

    private String common(ResourceClaim claim, String attribute) {
        var values =
                claim.status().allocation().stream()
                        .flatMap(allocation -> allocation.devices().stream())
                        .flatMap(device ->
                                view
                                        .listed(device.id())
                                        .flatMap(one ->
                                                DeviceText.attribute(
                                                        one,
                                                        QualifiedName.of(
                                                                attribute, device.id().driver())))
                                        .stream())
                        .distinct()
                        .collect(Collectors.joining(" and "));
        return "%s is %s for all".formatted(attribute, values);
    }
}
