package dev.berth.core.admission.validation;

import dev.berth.core.admission.field.FieldError;
import dev.berth.core.admission.field.FieldErrors;
import dev.berth.core.admission.field.NameFormats;
import dev.berth.core.admission.validation.DeclarativeValidation.Field;
import dev.berth.model.json.FieldPath;
import dev.berth.model.json.Json;
import dev.berth.model.json.JsonObject;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// Declarative validation rules of ResourceClaims, ResourceClaimTemplates and DeviceClasses.
final class DeclarativeClaimValidation {

    static final List<String> SKIPPABLE =
            List.of("*", "NodePrepareResources", "NodeUnprepareResources");
    private static final int MAX_DERIVED = 32;

    private final DeclarativeValidation rules;

    DeclarativeClaimValidation(DeclarativeValidation rules) {
        this.rules = rules;
    }

    void deviceClass(Optional<JsonObject> old, JsonObject object) {
        var root = Field.of(FieldPath.ROOT, old, object);
        rules.optionalText(root.child("metadata").child("name"), DeviceNameValidation::subdomain);
        var spec = root.child("spec");
        rules.list(
                spec.child("selectors"),
                CelValidation.MAX_SELECTORS,
                DeclarativeValidation.BY_ITSELF,
                _ -> {});
        rules.list(
                spec.child("config"),
                DeviceClassValidation.MAX_CONFIGS,
                DeclarativeValidation.BY_ITSELF,
                this::opaque);
        rules.optional(
                spec.child("extendedResourceName"),
                (name, path) ->
                        FieldError.invalid(path, name, NameFormats.extendedResourceName(name)));
    }

    void claim(Optional<JsonObject> old, JsonObject object) {
        var root = Field.of(FieldPath.ROOT, old, object);
        var spec = root.child("spec");
        if (old.isPresent() && !spec.unchanged()) {
            rules.add(FieldError.immutable(spec.path(), spec.object()));
        } else {
            rules.changed(spec, this::claimSpec);
        }
        rules.changed(root.child("status"), this::status);
    }

    void template(JsonObject object) {
        var root = Field.of(FieldPath.ROOT, Optional.empty(), object);
        claimSpec(root.child("spec").child("spec"));
    }

    private void claimSpec(Field spec) {
        var devices = spec.child("devices");
        rules.set(
                devices.child("requests"),
                ClaimValidation.MAX_REQUESTS,
                DeclarativeValidation.BY_NAME,
                this::request);
        rules.list(
                devices.child("constraints"),
                ClaimValidation.MAX_CONSTRAINTS,
                DeclarativeValidation.BY_ITSELF,
                this::constraint);
        rules.list(
                devices.child("config"),
                ClaimValidation.MAX_CONFIGS,
                DeclarativeValidation.BY_ITSELF,
                config -> {
                    requestNames(config.child("requests"));
                    opaque(config);
                });
    }

    private void request(Field request) {
        rules.present(request.child("exactly"), this::demand);
        rules.set(
                request.child("firstAvailable"),
                ClaimValidation.MAX_SUBREQUESTS,
                DeclarativeValidation.BY_NAME,
                alternative -> {
                    rules.required(
                            alternative.child("deviceClassName"), DeviceNameValidation::subdomain);
                    demand(alternative);
                });
    }

    private void demand(Field demand) {
        rules.list(
                demand.child("selectors"),
                CelValidation.MAX_SELECTORS,
                DeclarativeValidation.BY_ITSELF,
                _ -> {});
        rules.optionalText(
                demand.child("allocationMode"), DeclarativeValidation.oneOf(ClaimValidation.MODES));
        rules.list(
                demand.child("tolerations"),
                FieldErrors.UNLIMITED,
                DeclarativeValidation.BY_ITSELF,
                this::toleration);
        rules.set(
                demand.child("derivedAttributes"),
                MAX_DERIVED,
                DeclarativeValidation.BY_NAME,
                attribute -> {
                    rules.required(attribute.child("name"), DeviceNameValidation::fullyQualified);
                    rules.required(attribute.child("expression"), (_, _) -> List.of());
                });
    }

    private void toleration(Field toleration) {
        rules.optionalText(toleration.child("key"), DeviceNameValidation::labelKey);
        rules.optionalText(
                toleration.child("operator"),
                DeclarativeValidation.oneOf(TaintValidation.OPERATORS));
        rules.optionalText(
                toleration.child("effect"), DeclarativeValidation.oneOf(TaintValidation.EFFECTS));
    }

    private void constraint(Field constraint) {
        requestNames(constraint.child("requests"));
        rules.optional(constraint.child("matchAttribute"), DeviceNameValidation::fullyQualified);
        rules.optional(constraint.child("distinctAttribute"), DeviceNameValidation::fullyQualified);
    }

    private void requestNames(Field names) {
        rules.set(names, ClaimValidation.MAX_REQUESTS, DeclarativeValidation.BY_ITSELF, _ -> {});
    }

    private void opaque(Field config) {
        rules.present(
                config.child("opaque"),
                opaque ->
                        rules.required(opaque.child("driver"), DeclarativeClaimValidation::driver));
    }

    private static List<FieldError> driver(String name, FieldPath path) {
        var problems =
                new ArrayList<>(
                        DeclarativeValidation.atMostBytes(DeviceNameValidation.DRIVER_MAX)
                                .apply(name, path));
        problems.addAll(FieldError.invalid(path, name, NameFormats.subdomainOfAnyCase(name)));
        return problems;
    }

    private void status(Field status) {
        rules.set(
                status.child("reservedFor"),
                ClaimStatusValidation.MAX_CONSUMERS,
                consumer -> Json.of(consumer.text("uid")),
                _ -> {});
        rules.present(status.child("allocation"), this::allocation);
        rules.set(
                status.child("devices"),
                FieldErrors.UNLIMITED,
                ClaimStatusValidation::deviceId,
                this::deviceStatus);
    }

    private void allocation(Field allocation) {
        if (allocation.old().isPresent()) {
            rules.add(FieldError.immutable(allocation.path(), allocation.object()));
            return;
        }
        var devices = allocation.child("devices");
        rules.list(
                devices.child("results"),
                ClaimStatusValidation.MAX_RESULTS,
                DeclarativeValidation.BY_ITSELF,
                this::result);
        rules.list(
                devices.child("config"),
                ClaimStatusValidation.MAX_CONFIGS,
                DeclarativeValidation.BY_ITSELF,
                config -> {
                    rules.required(
                            config.child("source"),
                            DeclarativeValidation.oneOf(ClaimStatusValidation.SOURCES));
                    requestNames(config.child("requests"));
                    opaque(config);
                });
    }

    private void result(Field result) {
        rules.required(result.child("driver"), DeclarativeClaimValidation::driver);
        rules.required(result.child("pool"), DeviceNameValidation::pool);
        rules.optional(result.child("shareID"), DeviceNameValidation::shareId);
        rules.list(
                result.child("tolerations"),
                FieldErrors.UNLIMITED,
                DeclarativeValidation.BY_ITSELF,
                this::toleration);
        bindingConditions(rules, result);
        skipped(rules, result);
    }

    static void bindingConditions(DeclarativeValidation rules, Field holder) {
        for (var name : List.of("bindingConditions", "bindingFailureConditions")) {
            rules.list(
                    holder.child(name),
                    BindingConditionValidation.MAX,
                    DeclarativeValidation.BY_ITSELF,
                    _ -> {});
        }
    }

    static void skipped(DeclarativeValidation rules, Field holder) {
        rules.set(
                holder.child("skipNodeOperations"),
                FieldErrors.UNLIMITED,
                DeclarativeValidation.BY_ITSELF,
                operation -> rules.optional(operation, DeclarativeValidation.oneOf(SKIPPABLE)));
    }

    private void deviceStatus(Field device) {
        rules.optional(device.child("shareID"), DeviceNameValidation::shareId);
        rules.present(
                device.child("networkData"),
                network -> {
                    rules.optional(
                            network.child("interfaceName"),
                            DeclarativeValidation.atMostBytes(
                                    ClaimStatusValidation.MAX_INTERFACE_NAME));
                    rules.optional(
                            network.child("hardwareAddress"),
                            DeclarativeValidation.atMostBytes(
                                    ClaimStatusValidation.MAX_HARDWARE_ADDRESS));
                    rules.set(
                            network.child("ips"),
                            ClaimStatusValidation.MAX_ADDRESSES,
                            DeclarativeValidation.BY_ITSELF,
                            _ -> {});
                });
    }
}
