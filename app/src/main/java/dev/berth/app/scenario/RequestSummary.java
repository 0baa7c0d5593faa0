package dev.berth.app.scenario;

import dev.berth.model.api.claim.AllocationCount;
import dev.berth.model.api.claim.DeviceConstraint;
import dev.berth.model.api.claim.DeviceDemand;
import dev.berth.model.api.claim.DeviceRequest;
import dev.berth.model.api.claim.DeviceSelector;
import dev.berth.model.api.claim.ResourceClaim;
import dev.berth.model.api.pod.Pod;
import dev.berth.model.api.pod.PodClaimReferences;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.stream.Collectors;

/// Describes the claims of pods in words.
final class RequestSummary {

    private RequestSummary() {}

    /// A line for each distinct claim of the pods.
    static List<String> by(List<Pod> pods, NamespaceView view) {
        var lines = new LinkedHashSet<String>();
        for (var pod : pods) {
            var claims = view.claims(pod);
            for (var mapping : PodClaimReferences.extendedResourceMappings(pod)) {
                lines.add(mapping.resourceName() + " as a resource");
            }
            for (var claim : claims) {
                lines.add(text(claim));
            }
        }
        return List.copyOf(lines);
    }

    static String text(ResourceClaim claim) {
        var parts = new ArrayList<String>();
        claim.spec().requests().forEach(request -> parts.add(text(request)));
        claim.spec().constraints().forEach(constraint -> parts.add(text(constraint)));
        if (!claim.spec().config().isEmpty()) {
            parts.add("with parameters for the driver");
        }
        return String.join("; ", parts);
    }

    private static String text(DeviceRequest request) {
        return switch (request) {
            case DeviceRequest.Exactly exactly ->
                    "%s: %s%s"
                            .formatted(
                                    exactly.name(),
                                    text(exactly.demand()),
                                    exactly.isAdmin() ? ", as an administrator" : "");
            case DeviceRequest.FirstAvailable(var name, var alternatives) ->
                    name
                            + ": "
                            + alternatives.stream()
                                    .map(one -> text(one.demand()))
                                    .collect(Collectors.joining(", else "));
            case DeviceRequest.Unrecognised(var name, _) -> name + ": something newer";
        };
    }

    private static String text(DeviceDemand demand) {
        var text = new StringBuilder(count(demand.count())).append(demand.deviceClassName());
        for (var selector : demand.selectors()) {
            if (selector instanceof DeviceSelector.Cel(var expression)) {
                text.append(" where ").append(expression.strip().replaceAll("\\s+", " "));
            }
        }
        demand.capacity()
                .ifPresent(capacity ->
                        capacity.requests()
                                .forEach((name, quantity) ->
                                        text.append(", %s %s".formatted(quantity, name))));
        return text.toString();
    }

    private static String count(AllocationCount count) {
        return switch (count) {
            case AllocationCount.ExactCount(var number) -> number + " x ";
            case AllocationCount.All _ -> "all ";
            case AllocationCount.Unrecognised(_, var number) -> number + " x ";
        };
    }

    private static String text(DeviceConstraint constraint) {
        return switch (constraint) {
            case DeviceConstraint.MatchAttribute match -> "same " + match.attribute();
            case DeviceConstraint.DistinctAttribute distinct -> "different " + distinct.attribute();
            case DeviceConstraint.Unrecognised _ -> "something newer";
        };
    }
}
