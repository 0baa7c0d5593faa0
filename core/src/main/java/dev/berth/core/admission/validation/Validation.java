package dev.berth.core.admission.validation;

import dev.berth.core.admission.field.FieldError;
import dev.berth.core.admission.field.FieldErrors;
import dev.berth.core.admission.field.SemanticEquality;
import dev.berth.core.admission.gate.FeatureGates;
import dev.berth.core.cel.CelCompiler;
import dev.berth.model.json.FieldPath;
import dev.berth.model.json.JsonObject;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/// Validates objects without changing them: handwritten rules, combined with declarative rules.
public final class Validation {

    private static final FieldPath SPEC = FieldPath.of("spec");

    private final FeatureGates gates;
    private final CelCompiler compiler;

    public Validation(FeatureGates gates, CelCompiler compiler) {
        this.gates = gates;
        this.compiler = compiler;
    }

    /// Errors of all handwritten rules, with their own messages.
    ///
    /// @param old the object to be replaced; absent for [Operation#CREATE] only
    public List<FieldError> handwritten(
            AdmissionKind kind, Operation operation, Optional<JsonObject> old, JsonObject object) {
        return apply(kind, operation, old, object).all();
    }

    /// Errors that the API returns: handwritten errors not covered by declarative rules, and
    /// declarative errors.
    public List<FieldError> full(
            AdmissionKind kind, Operation operation, Optional<JsonObject> old, JsonObject object) {
        var problems = new ArrayList<>(apply(kind, operation, old, object).uncovered());
        var declared = declared(kind, operation, old, object);
        if (declared.isEmpty()) {
            return List.copyOf(problems);
        }
        var reported = new HashSet<Set<Object>>();
        problems.forEach(problem -> reported.add(Set.of(problem.type(), problem.path())));
        for (var problem : declared) {
            if (!reported.contains(Set.of(problem.type(), problem.path()))) {
                problems.add(problem);
            }
        }
        return List.copyOf(problems);
    }

    private FieldErrors apply(
            AdmissionKind kind, Operation operation, Optional<JsonObject> old, JsonObject object) {
        var problems = new FieldErrors();
        switch (operation) {
            case CREATE -> {
                MetadataValidation.check(object, kind, problems);
                create(kind, object, problems);
            }
            case UPDATE -> {
                MetadataValidation.checkUpdate(before(old), object, problems);
                MetadataValidation.checkFinalizerNames(object, problems);
                update(kind, before(old), object, problems);
            }
            case STATUS_UPDATE -> {
                MetadataValidation.checkUpdate(before(old), object, problems);
                MetadataValidation.checkFinalizerNames(object, problems);
                updateStatus(kind, before(old), object, problems);
            }
        }
        return problems;
    }

    private static JsonObject before(Optional<JsonObject> old) {
        return old.orElseThrow(
                () -> new IllegalArgumentException("an update needs the object that it replaces"));
    }

    private void create(AdmissionKind kind, JsonObject object, FieldErrors problems) {
        var spec = object.objectOrEmpty("spec");
        switch (kind) {
            case DEVICE_CLASS ->
                    DeviceClassValidation.check(compiler, Optional.empty(), object, problems);
            case RESOURCE_CLAIM -> ClaimValidation.check(gates, compiler, spec, SPEC, problems);
            case RESOURCE_CLAIM_TEMPLATE -> {
                MetadataValidation.checkTemplate(
                        spec.objectOrEmpty("metadata"), SPEC.child("metadata"), problems);
                ClaimValidation.check(
                        gates, compiler, spec.objectOrEmpty("spec"), SPEC.child("spec"), problems);
            }
            case RESOURCE_SLICE -> SliceValidation.check(gates, Optional.empty(), object, problems);
            case DEVICE_TAINT_RULE ->
                    DeviceTaintRuleValidation.check(Optional.empty(), object, problems);
            case RESOURCE_POOL_STATUS_REQUEST ->
                    new PoolStatusRequestValidation(gates, problems).check(object);
            case POD -> PodValidation.check(object, problems);
            case POD_GROUP, WORKLOAD -> PodGroupValidation.check(kind, object, problems);
        }
    }

    private void update(
            AdmissionKind kind, JsonObject old, JsonObject object, FieldErrors problems) {
        switch (kind) {
            case DEVICE_CLASS -> {
                MetadataValidation.check(object, kind, problems);
                DeviceClassValidation.check(compiler, Optional.of(old), object, problems);
            }
            case RESOURCE_CLAIM -> {
                MetadataValidation.check(object, kind, problems);
                if (!SemanticEquality.sameMember("spec", old, object)) {
                    problems.covered(FieldError.immutable(SPEC, object.objectOrEmpty("spec")));
                }
            }
            case RESOURCE_CLAIM_TEMPLATE -> {
                if (!SemanticEquality.sameMember("spec", old, object)) {
                    problems.add(FieldError.immutable(SPEC, object.objectOrEmpty("spec")));
                }
            }
            case RESOURCE_SLICE -> SliceValidation.check(gates, Optional.of(old), object, problems);
            case DEVICE_TAINT_RULE ->
                    DeviceTaintRuleValidation.check(Optional.of(old), object, problems);
            case RESOURCE_POOL_STATUS_REQUEST ->
                    new PoolStatusRequestValidation(gates, problems).checkUpdate(old, object);
            case POD -> {
                PodValidation.check(object, problems);
                PodValidation.checkUpdate(old, object, problems);
            }
            case POD_GROUP, WORKLOAD -> PodGroupValidation.checkUpdate(kind, old, object, problems);
        }
    }

    private void updateStatus(
            AdmissionKind kind, JsonObject old, JsonObject object, FieldErrors problems) {
        switch (kind) {
            case RESOURCE_CLAIM -> ClaimStatusValidation.checkUpdate(old, object, problems);
            case DEVICE_TAINT_RULE -> DeviceTaintRuleValidation.checkStatus(object, problems);
            case RESOURCE_POOL_STATUS_REQUEST ->
                    new PoolStatusRequestValidation(gates, problems).checkStatusUpdate(old, object);
            case POD -> PodStatusValidation.check(object, problems);
            case POD_GROUP, WORKLOAD -> PodGroupValidation.checkStatus(object, problems);
            case DEVICE_CLASS, RESOURCE_CLAIM_TEMPLATE, RESOURCE_SLICE ->
                    throw new IllegalArgumentException(kind + " has no status");
        }
    }

    private List<FieldError> declared(
            AdmissionKind kind, Operation operation, Optional<JsonObject> old, JsonObject object) {
        var rules = new DeclarativeValidation();
        switch (kind) {
            case DEVICE_CLASS -> new DeclarativeClaimValidation(rules).deviceClass(old, object);
            case RESOURCE_CLAIM -> new DeclarativeClaimValidation(rules).claim(old, object);
            case RESOURCE_CLAIM_TEMPLATE -> {
                // The spec of a template is immutable, so updates have nothing to validate.
                if (operation == Operation.CREATE) {
                    new DeclarativeClaimValidation(rules).template(object);
                }
            }
            case RESOURCE_SLICE -> new DeclarativeSliceValidation(rules, gates).slice(old, object);
            case DEVICE_TAINT_RULE ->
                    new DeclarativeSliceValidation(rules, gates).taintRule(old, object);
            case RESOURCE_POOL_STATUS_REQUEST, POD, POD_GROUP, WORKLOAD -> {
                // These kinds have handwritten rules only.
            }
        }
        return rules.found();
    }
}
