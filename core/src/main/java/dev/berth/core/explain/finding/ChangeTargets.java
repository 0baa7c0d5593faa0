package dev.berth.core.explain.finding;

import dev.berth.core.explain.ExplainInputs;
import dev.berth.core.explain.SelectorLocation;
import dev.berth.core.explain.SuggestionSearch;
import dev.berth.core.explain.text.ExplanationWording;
import dev.berth.model.api.meta.ObjectRef;
import dev.berth.model.api.pod.Pod;
import dev.berth.model.api.pod.PodClaimReferences;
import dev.berth.model.api.pod.PodResourceClaim;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/// Maps requests of claims to the fields that a user changes: of the claim, of the template that
/// the claim is created from, or of the container that requests an extended resource.
public final class ChangeTargets {

    private final ExplainInputs inputs;

    public ChangeTargets(ExplainInputs inputs) {
        this.inputs = inputs;
    }

    /// A field of a request.
    ///
    /// @param request `request` or `request/alternative`
    /// @param field path below the request
    public ObjectField request(ObjectRef claim, String request, String field) {
        return request(claim, request, field, field);
    }

    /// The field of a request in the object that the user writes: claim or template.
    ///
    /// @param name short form of the field for sentences
    public ObjectField request(ObjectRef claim, String request, String name, String field) {
        var serves = inputs.served(claim, request);
        if (!serves.isEmpty()) {
            var containers =
                    serves.stream()
                            .map(one -> one.containerName())
                            .distinct()
                            .collect(Collectors.joining(", "));
            return resource(containers, serves.getFirst().resourceName());
        }
        var slash = request.indexOf('/');
        var path =
                slash < 0
                        ? "requests[%s].exactly.%s".formatted(request, field)
                        : "requests[%s].firstAvailable[%s].%s"
                                .formatted(
                                        request.substring(0, slash),
                                        request.substring(slash + 1),
                                        field);
        return claim(claim, "request %s, %s".formatted(request, name), "spec.devices." + path);
    }

    /// A field of a claim, or of the template that it is created from.
    ///
    /// @param path in the claim
    public ObjectField claim(ObjectRef claim, String name, String path) {
        return template(claim)
                .map(template ->
                        new ObjectField("ResourceClaimTemplate", template, name, "spec." + path))
                .orElseGet(() -> new ObjectField("ResourceClaim", claim, name, path));
    }

    /// The number of the constraint of a claim that names an attribute; 0 if there is none.
    public int constraintOf(ObjectRef claim, String attribute) {
        for (var one : inputs.claims()) {
            var constraints = one.spec().constraints();
            for (var i = 0; one.ref().equals(claim) && i < constraints.size(); i++) {
                if (SuggestionSearch.attribute(constraints.get(i))
                        .filter(attribute::equals)
                        .isPresent()) {
                    return i;
                }
            }
        }
        return 0;
    }

    /// The template of a claim of the pod; empty for a claim that a user created.
    private Optional<ObjectRef> template(ObjectRef claim) {
        return inputs.pod()
                .flatMap(pod ->
                        pod.spec().resourceClaims().stream()
                                .filter(entry -> isFor(pod, entry, claim))
                                .findFirst()
                                .flatMap(entry -> PodClaimReferences.template(pod, entry)));
    }

    private static boolean isFor(Pod pod, PodResourceClaim entry, ObjectRef claim) {
        return switch (PodClaimReferences.resolve(pod, entry)) {
            case PodClaimReferences.Resolution.Named(var named, _) -> named.equals(claim);
            // An instantiated claim, which has a generated name.
            case PodClaimReferences.Resolution.NotCreated _ ->
                    claim.name().startsWith(pod.metadata().name() + "-" + entry.name() + "-");
            case PodClaimReferences.Resolution.NotNeeded _,
                    PodClaimReferences.Resolution.Unsupported _ ->
                    false;
        };
    }

    /// A resource request of a container.
    public ObjectField resource(String container, String resource) {
        return pod(
                "container %s, resources.requests[%s]".formatted(container, resource),
                "spec.containers[%s].resources.requests[%s]".formatted(container, resource));
    }

    /// The expression of a selector of a request.
    public ObjectField selector(SelectorLocation at) {
        return request(
                at.claim(),
                at.request(),
                "selectors[%d]".formatted(at.number()),
                "selectors[%d].cel.expression".formatted(at.number()));
    }

    public ObjectField capacity(ObjectRef claim, String request, String name) {
        return request(claim, request, "capacity.requests[%s]".formatted(name));
    }

    public ObjectField constraint(ObjectRef claim, int number) {
        return claim(
                claim,
                "constraints[%d]".formatted(number),
                "spec.devices.constraints[%d]".formatted(number));
    }

    /// The containers that request a resource, comma-separated.
    public String containers(String resource) {
        var names =
                inputs.pod().stream()
                        .flatMap(pod -> pod.spec().containers().stream())
                        .filter(container ->
                                container.resources().requests().containsKey(resource)
                                        || container.resources().limits().containsKey(resource))
                        .map(container -> container.name())
                        .toList();
        return ExplanationWording.listed(names, ", ");
    }

    /// A field of the pod.
    public ObjectField pod(String name, String path) {
        return new ObjectField(
                "Pod", inputs.pod().map(Pod::ref).orElse(new ObjectRef("", "")), name, path);
    }

    public ObjectField pod(String path) {
        return pod(path, path);
    }

    /// The class, driver and pool names that a request can use.
    public static ObjectField driver(String driver, List<String> pools) {
        return new ObjectField(
                "ResourceSlice",
                new ObjectRef("", "of pool " + ExplanationWording.listed(pools, ", ")),
                "driver " + driver,
                "spec.pool");
    }
}
