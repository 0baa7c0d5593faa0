package dev.berth.core.admission;

import dev.berth.core.admission.Declared.Spot;
import dev.berth.model.json.FieldPath;
import dev.berth.model.json.Json;
import dev.berth.model.json.JsonObject;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// What Kubernetes declares on the types of claims, templates and classes.
final class DeclaredClaims {

    static final List<String> SKIPPABLE =
            List.of("*", "NodePrepareResources", "NodeUnprepareResources");
    private static final int MAX_DERIVED = 32;

    private final Declared rules;

    DeclaredClaims(Declared rules) {
        this.rules = rules;
    }

    void deviceClass(Optional<JsonObject> old, JsonObject object) {
        var root = Spot.of(FieldPath.ROOT, old, object);
        rules.optionalText(root.child("metadata").child("name"), Names::subdomain);
        var spec = root.child("spec");
        rules.list(spec.child("selectors"), Expressions.MAX_SELECTORS, Declared.BY_ITSELF, _ -> {});
        rules.list(
                spec.child("config"), DeviceClasses.MAX_CONFIGS, Declared.BY_ITSELF, this::opaque);
        rules.optional(
                spec.child("extendedResourceName"),
                (name, path) -> Problem.invalid(path, name, Formats.extendedResourceName(name)));
    }

    void claim(Optional<JsonObject> old, JsonObject object) {
        var root = Spot.of(FieldPath.ROOT, old, object);
        var spec = root.child("spec");
        if (old.isPresent() && !spec.unchanged()) {
            rules.add(Problem.immutable(spec.path(), spec.object()));
        } else {
            rules.changed(spec, this::claimSpec);
        }
        rules.changed(root.child("status"), this::status);
    }

    void template(JsonObject object) {
        var root = Spot.of(FieldPath.ROOT, Optional.empty(), object);
        claimSpec(root.child("spec").child("spec"));
    }

    private void claimSpec(Spot spec) {
        var devices = spec.child("devices");
        rules.set(devices.child("requests"), Claims.MAX_REQUESTS, Declared.BY_NAME, this::request);
        rules.list(
                devices.child("constraints"),
                Claims.MAX_CONSTRAINTS,
                Declared.BY_ITSELF,
                this::constraint);
        rules.list(
                devices.child("config"),
                Claims.MAX_CONFIGS,
                Declared.BY_ITSELF,
                config -> {
                    requestNames(config.child("requests"));
                    opaque(config);
                });
    }

    private void request(Spot request) {
        rules.present(request.child("exactly"), this::wish);
        rules.set(
                request.child("firstAvailable"),
                Claims.MAX_SUBREQUESTS,
                Declared.BY_NAME,
                alternative -> {
                    rules.required(alternative.child("deviceClassName"), Names::subdomain);
                    wish(alternative);
                });
    }

    private void wish(Spot wish) {
        rules.list(wish.child("selectors"), Expressions.MAX_SELECTORS, Declared.BY_ITSELF, _ -> {});
        rules.optionalText(wish.child("allocationMode"), Declared.oneOf(Claims.MODES));
        rules.list(
                wish.child("tolerations"),
                Problems.UNLIMITED,
                Declared.BY_ITSELF,
                this::toleration);
        rules.set(
                wish.child("derivedAttributes"),
                MAX_DERIVED,
                Declared.BY_NAME,
                attribute -> {
                    rules.required(attribute.child("name"), Names::fullyQualified);
                    rules.required(attribute.child("expression"), (_, _) -> List.of());
                });
    }

    private void toleration(Spot toleration) {
        rules.optionalText(toleration.child("key"), Names::labelKey);
        rules.optionalText(toleration.child("operator"), Declared.oneOf(Taints.OPERATORS));
        rules.optionalText(toleration.child("effect"), Declared.oneOf(Taints.EFFECTS));
    }

    private void constraint(Spot constraint) {
        requestNames(constraint.child("requests"));
        rules.optional(constraint.child("matchAttribute"), Names::fullyQualified);
        rules.optional(constraint.child("distinctAttribute"), Names::fullyQualified);
    }

    private void requestNames(Spot names) {
        rules.set(names, Claims.MAX_REQUESTS, Declared.BY_ITSELF, _ -> {});
    }

    private void opaque(Spot config) {
        rules.present(
                config.child("opaque"),
                opaque -> rules.required(opaque.child("driver"), DeclaredClaims::driver));
    }

    private static List<Problem> driver(String name, FieldPath path) {
        var problems = new ArrayList<>(Declared.atMostBytes(Names.DRIVER_MAX).apply(name, path));
        problems.addAll(Problem.invalid(path, name, Formats.subdomainOfAnyCase(name)));
        return problems;
    }

    private void status(Spot status) {
        rules.set(
                status.child("reservedFor"),
                ClaimStatuses.MAX_CONSUMERS,
                consumer -> Json.of(consumer.text("uid")),
                _ -> {});
        rules.present(status.child("allocation"), this::allocation);
        rules.set(
                status.child("devices"),
                Problems.UNLIMITED,
                ClaimStatuses::deviceId,
                this::deviceStatus);
    }

    private void allocation(Spot allocation) {
        if (allocation.old().isPresent()) {
            rules.add(Problem.immutable(allocation.path(), allocation.object()));
            return;
        }
        var devices = allocation.child("devices");
        rules.list(
                devices.child("results"),
                ClaimStatuses.MAX_RESULTS,
                Declared.BY_ITSELF,
                this::result);
        rules.list(
                devices.child("config"),
                ClaimStatuses.MAX_CONFIGS,
                Declared.BY_ITSELF,
                config -> {
                    rules.required(config.child("source"), Declared.oneOf(ClaimStatuses.SOURCES));
                    requestNames(config.child("requests"));
                    opaque(config);
                });
    }

    private void result(Spot result) {
        rules.required(result.child("driver"), DeclaredClaims::driver);
        rules.required(result.child("pool"), Names::pool);
        rules.optional(result.child("shareID"), Names::shareId);
        rules.list(
                result.child("tolerations"),
                Problems.UNLIMITED,
                Declared.BY_ITSELF,
                this::toleration);
        bindingConditions(rules, result);
        skipped(rules, result);
    }

    static void bindingConditions(Declared rules, Spot holder) {
        for (var name : List.of("bindingConditions", "bindingFailureConditions")) {
            rules.list(holder.child(name), BindingConditions.MAX, Declared.BY_ITSELF, _ -> {});
        }
    }

    static void skipped(Declared rules, Spot holder) {
        rules.set(
                holder.child("skipNodeOperations"),
                Problems.UNLIMITED,
                Declared.BY_ITSELF,
                operation -> rules.optional(operation, Declared.oneOf(SKIPPABLE)));
    }

    private void deviceStatus(Spot device) {
        rules.optional(device.child("shareID"), Names::shareId);
        rules.present(
                device.child("networkData"),
                network -> {
                    rules.optional(
                            network.child("interfaceName"),
                            Declared.atMostBytes(ClaimStatuses.MAX_INTERFACE_NAME));
                    rules.optional(
                            network.child("hardwareAddress"),
                            Declared.atMostBytes(ClaimStatuses.MAX_HARDWARE_ADDRESS));
                    rules.set(
                            network.child("ips"),
                            ClaimStatuses.MAX_ADDRESSES,
                            Declared.BY_ITSELF,
                            _ -> {});
                });
    }
}
