package dev.berth.core.admission.validation;

import dev.berth.core.admission.field.FieldError;
import dev.berth.core.admission.field.FieldErrors;
import dev.berth.core.admission.gate.FeatureGates;
import dev.berth.core.admission.gate.Gate;
import dev.berth.core.cel.CelCompiler;
import dev.berth.model.json.FieldPath;
import dev.berth.model.json.Json;
import dev.berth.model.json.Json.JsonNull;
import dev.berth.model.json.JsonObject;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/// Validates the spec of claims and of claim templates.
final class ClaimValidation {

    static final int MAX_REQUESTS = 32;
    static final int MAX_SUBREQUESTS = 8;
    static final int MAX_CONSTRAINTS = 32;
    static final int MAX_CONFIGS = 32;
    static final List<String> MODES = List.of("All", "ExactCount");

    private final FeatureGates gates;
    private final CelValidation expressions;
    private final FieldErrors problems;
    private final RequestNames names;
    private final Map<String, Set<String>> constrained;

    private ClaimValidation(
            FeatureGates gates,
            CelValidation expressions,
            JsonObject devices,
            FieldErrors problems) {
        this.gates = gates;
        this.expressions = expressions;
        this.problems = problems;
        this.names = RequestNames.of(devices);
        this.constrained = attributesByRequest(devices.objects("constraints"));
    }

    /// Validates the spec of a new claim, at `spec` or, in a template, at `spec.spec`.
    static void check(
            FeatureGates gates,
            CelCompiler compiler,
            JsonObject spec,
            FieldPath path,
            FieldErrors problems) {
        var devices = spec.objectOrEmpty("devices");
        new ClaimValidation(gates, new CelValidation(compiler), devices, problems)
                .devices(devices, path.child("devices"));
    }

    /// The attributes of constraints by request name; constraints without requests have the empty
    /// name.
    private static Map<String, Set<String>> attributesByRequest(List<JsonObject> constraints) {
        var attributes = new HashMap<String, Set<String>>();
        for (var constraint : constraints) {
            var attribute =
                    constraint
                            .string("matchAttribute")
                            .or(() -> constraint.string("distinctAttribute"));
            if (attribute.isEmpty()) {
                continue;
            }
            var requests = constraint.strings("requests");
            for (var request : requests.isEmpty() ? List.of("") : requests) {
                attributes.computeIfAbsent(request, _ -> new HashSet<>()).add(attribute.get());
            }
        }
        return attributes;
    }

    private void devices(JsonObject devices, FieldPath path) {
        problems.set(
                devices.objects("requests"),
                MAX_REQUESTS,
                path.child("requests"),
                FieldErrors.Cover.SIZE_AND_UNIQUENESS,
                this::request,
                request -> Json.of(request.text("name")));
        problems.list(
                devices.objects("constraints"),
                MAX_CONSTRAINTS,
                path.child("constraints"),
                FieldErrors.Cover.SIZE,
                this::constraint);
        problems.list(
                devices.objects("config"),
                MAX_CONFIGS,
                path.child("config"),
                FieldErrors.Cover.SIZE,
                this::config);
        expressions.derivedTogether(path, problems);
    }

    private void request(JsonObject request, FieldPath path) {
        problems.addAll(DeviceNameValidation.label(request.text("name"), path.child("name")));
        var exactly = request.object("exactly");
        var alternatives = request.objects("firstAvailable");
        if (exactly.isEmpty() && alternatives.isEmpty()) {
            problems.add(
                    FieldError.required(
                            path, "exactly one of `exactly` or `firstAvailable` is required"));
        } else if (exactly.isPresent() && !alternatives.isEmpty()) {
            problems.add(
                    FieldError.invalid(
                            path,
                            JsonNull.INSTANCE,
                            "exactly one of `exactly` or `firstAvailable` is required, but "
                                    + "multiple fields are set"));
        } else if (exactly.isPresent()) {
            problems.addAll(className(exactly.get(), path.child("exactly")));
            demand(exactly.get(), request.text("name"), path.child("exactly"));
        } else {
            problems.set(
                    alternatives,
                    MAX_SUBREQUESTS,
                    path.child("firstAvailable"),
                    FieldErrors.Cover.SIZE_AND_UNIQUENESS,
                    (alternative, at) -> alternative(alternative, request.text("name"), at),
                    alternative -> Json.of(alternative.text("name")));
        }
    }

    private void alternative(JsonObject alternative, String parent, FieldPath path) {
        problems.addAll(DeviceNameValidation.label(alternative.text("name"), path.child("name")));
        problems.allCovered(className(alternative, path));
        demand(alternative, parent + "/" + alternative.text("name"), path);
    }

    private static List<FieldError> className(JsonObject demand, FieldPath path) {
        return DeviceNameValidation.deviceClass(
                demand.text("deviceClassName"), path.child("deviceClassName"));
    }

    /// Validates the fields that requests and subrequests share.
    private void demand(JsonObject demand, String requestName, FieldPath path) {
        expressions.selectors(
                demand.objects("selectors"), path.child("selectors"), false, problems);
        problems.set(
                demand.objects("derivedAttributes"),
                FieldErrors.UNLIMITED,
                path.child("derivedAttributes"),
                FieldErrors.Cover.NOTHING,
                (attribute, at) -> derived(attribute, requestName, at),
                attribute -> Json.of(attribute.text("name")));
        count(demand, path);
        TaintValidation.tolerations(
                demand.objects("tolerations"), path.child("tolerations"), problems);
    }

    private void derived(JsonObject attribute, String requestName, FieldPath path) {
        var name = attribute.text("name");
        if (!name.isEmpty() && !isConstrained(name, requestName)) {
            problems.add(
                    FieldError.invalid(
                            path.child("name"),
                            name,
                            "must be referenced by at least one matchAttribute or "
                                    + "distinctAttribute constraint targeting this request"));
        }
        var expression = attribute.text("expression");
        if (!expression.isEmpty()) {
            expressions.derived(expression, path.child("expression"), problems);
        }
    }

    private boolean isConstrained(String attribute, String requestName) {
        var slash = requestName.indexOf('/');
        return constrained("", attribute)
                || constrained(requestName, attribute)
                || (slash >= 0 && constrained(requestName.substring(0, slash), attribute));
    }

    private boolean constrained(String request, String attribute) {
        return constrained.getOrDefault(request, Set.of()).contains(attribute);
    }

    private void count(JsonObject demand, FieldPath path) {
        var mode = demand.text("allocationMode");
        var count = demand.number("count").orElse(0);
        switch (mode) {
            case "All" -> {
                if (count != 0) {
                    problems.add(
                            FieldError.invalid(
                                    path.child("count"),
                                    Json.of(count),
                                    "must not be specified when allocationMode is 'All'"));
                }
            }
            case "ExactCount" -> {
                if (count <= 0) {
                    problems.add(
                            FieldError.invalid(
                                    path.child("count"),
                                    Json.of(count),
                                    "must be greater than zero"));
                }
            }
            default ->
                    problems.covered(
                            FieldError.notSupported(path.child("allocationMode"), mode, MODES));
        }
    }

    private void constraint(JsonObject constraint, FieldPath path) {
        names.checkAll(constraint.strings("requests"), path.child("requests"), problems);
        var match = constraint.string("matchAttribute");
        var distinct = constraint.string("distinctAttribute");
        if (match.isPresent()) {
            problems.allCovered(
                    DeviceNameValidation.fullyQualified(match.get(), path.child("matchAttribute")));
        } else if (distinct.isPresent()) {
            problems.allCovered(
                    DeviceNameValidation.fullyQualified(
                            distinct.get(), path.child("distinctAttribute")));
        } else if (gates.enabled(Gate.DRA_CONSUMABLE_CAPACITY)) {
            // The message of Kubernetes, although no field is set here.
            problems.add(
                    FieldError.required(
                            path,
                            "exactly one of \"matchAttribute\" or \"distinctAttribute\" is "
                                    + "required, but multiple fields are set"));
        } else {
            problems.add(FieldError.required(path.child("matchAttribute")));
        }
    }

    private void config(JsonObject config, FieldPath path) {
        names.checkAll(config.strings("requests"), path.child("requests"), problems);
        OpaqueConfigValidation.check(config, path, false, problems);
    }
}
