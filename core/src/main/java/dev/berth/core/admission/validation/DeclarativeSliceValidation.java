package dev.berth.core.admission.validation;

import dev.berth.core.admission.field.FieldError;
import dev.berth.core.admission.field.FieldErrors;
import dev.berth.core.admission.gate.FeatureGates;
import dev.berth.core.admission.gate.Gate;
import dev.berth.core.admission.validation.DeclarativeValidation.Field;
import dev.berth.model.json.FieldPath;
import dev.berth.model.json.Json;
import dev.berth.model.json.JsonObject;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// Declarative validation rules of ResourceSlices and DeviceTaintRules.
final class DeclarativeSliceValidation {

    private static final int MAX_GROUPS = 2;
    private static final List<String> MAPPINGS = List.of("capacityKey", "deviceMultiplier");

    private final DeclarativeValidation rules;
    private final FeatureGates gates;

    DeclarativeSliceValidation(DeclarativeValidation rules, FeatureGates gates) {
        this.rules = rules;
        this.gates = gates;
    }

    void slice(Optional<JsonObject> old, JsonObject object) {
        var spec = Field.of(FieldPath.ROOT, old, object).child("spec");
        rules.list(
                spec.child("devices"),
                FieldErrors.UNLIMITED,
                DeclarativeValidation.BY_NAME,
                this::device);
        rules.set(
                spec.child("sharedCounters"),
                SliceValidation.MAX_COUNTER_SETS,
                DeclarativeValidation.BY_NAME,
                set -> {
                    rules.required(set.child("name"), DeviceNameValidation::label);
                    counters(set.child("counters"));
                });
        rules.optional(spec.child("partitionTypeAttribute"), this::partitionType);
        DeclarativeClaimValidation.skipped(rules, spec);
    }

    private List<FieldError> partitionType(String name, FieldPath path) {
        var problems = new ArrayList<FieldError>();
        if (!gates.enabled(Gate.DRA_PARTITIONABLE_DEVICES_TYPE)) {
            problems.add(FieldError.forbidden(path, ""));
        }
        problems.addAll(DeviceNameValidation.fullyQualified(name, path));
        return problems;
    }

    private void device(Field device) {
        rules.present(
                device.child("attributes"),
                attributes -> attributes.entries().forEach(a -> rules.changed(a, this::attribute)));
        rules.set(
                device.child("consumesCounters"),
                DeviceValidation.MAX_CONSUMPTIONS,
                consumption -> Json.of(consumption.text("counterSet")),
                this::consumption);
        rules.list(
                device.child("taints"),
                FieldErrors.UNLIMITED,
                DeclarativeValidation.BY_ITSELF,
                taint -> effect(taint.child("effect")));
        DeclarativeClaimValidation.bindingConditions(rules, device);
        rules.present(
                device.child("nodeAllocatableResources"),
                resources -> resources.entries().forEach(this::nodeAllocatable));
    }

    private void attribute(Field attribute) {
        var value = attribute.object();
        var set =
                DeviceValidation.VALUES.stream()
                        .filter(name ->
                                value.has(name)
                                        && (!DeviceValidation.LIST_VALUES.contains(name)
                                                || !value.items(name).isEmpty()))
                        .toList();
        rules.exactlyOne(DeviceValidation.VALUES, set, attribute);
        rules.list(
                attribute.child("strings"),
                FieldErrors.UNLIMITED,
                DeclarativeValidation.BY_ITSELF,
                text -> rules.optional(text, DeviceNameValidation::attributeText));
    }

    private void consumption(Field consumption) {
        rules.required(consumption.child("counterSet"), DeviceNameValidation::label);
        counters(consumption.child("counters"));
        rules.set(
                consumption.child("compatibilityGroups"),
                MAX_GROUPS,
                DeclarativeValidation.BY_ITSELF,
                group -> rules.optional(group, DeviceNameValidation::label));
    }

    private void counters(Field counters) {
        rules.changed(
                counters,
                map -> {
                    if (map.object().isEmpty()) {
                        rules.add(FieldError.required(map.path()));
                    }
                    for (var name : map.object().names()) {
                        DeviceNameValidation.label(name, map.path()).forEach(rules::add);
                    }
                });
    }

    private void nodeAllocatable(Field resource) {
        rules.present(resource.child("mapping"), this::mapping);
    }

    private void mapping(Field mapping) {
        var value = mapping.object();
        rules.exactlyOne(MAPPINGS, MAPPINGS.stream().filter(value::has).toList(), mapping);
        dependent(mapping, "capacityKey", "capacityMultiplier");
        dependent(mapping, "capacityMultiplier", "capacityKey");
    }

    private void dependent(Field holder, String present, String needed) {
        if (holder.object().has(present) && !holder.object().has(needed)) {
            rules.add(
                    FieldError.required(
                            holder.path().child(needed),
                            "%s is required when %s is set".formatted(needed, present)));
        }
    }

    void taintRule(Optional<JsonObject> old, JsonObject object) {
        var taint = Field.of(FieldPath.ROOT, old, object).child("spec").child("taint");
        effect(taint.child("effect"));
    }

    private void effect(Field effect) {
        rules.required(effect, DeclarativeValidation.oneOf(TaintValidation.EFFECTS));
    }
}
