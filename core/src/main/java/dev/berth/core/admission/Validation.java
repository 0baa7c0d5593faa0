package dev.berth.core.admission;

import dev.berth.core.cel.CelCompiler;
import dev.berth.model.json.FieldPath;
import dev.berth.model.json.JsonObject;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/// Judges objects as they are: nothing is defaulted, dropped or reset here.
final class Validation {

    private static final FieldPath SPEC = FieldPath.of("spec");

    private final FeatureGates gates;
    private final CelCompiler compiler;

    Validation(FeatureGates gates, CelCompiler compiler) {
        this.gates = gates;
        this.compiler = compiler;
    }

    /// What the written rules find, in their own words.
    ///
    /// @param old the object to be replaced; absent for [Operation#CREATE] only
    List<Problem> written(
            Kind kind, Operation operation, Optional<JsonObject> old, JsonObject object) {
        return apply(kind, operation, old, object).all();
    }

    /// What the API answers: the written rules that are not declared too, and the declared ones.
    List<Problem> full(
            Kind kind, Operation operation, Optional<JsonObject> old, JsonObject object) {
        var problems = new ArrayList<>(apply(kind, operation, old, object).uncovered());
        var declared = declared(kind, operation, old, object);
        if (declared.isEmpty()) {
            return List.copyOf(problems);
        }
        var places = new HashSet<Set<Object>>();
        problems.forEach(problem -> places.add(Set.of(problem.type(), problem.path())));
        for (var problem : declared) {
            if (!places.contains(Set.of(problem.type(), problem.path()))) {
                problems.add(problem);
            }
        }
        return List.copyOf(problems);
    }

    private Problems apply(
            Kind kind, Operation operation, Optional<JsonObject> old, JsonObject object) {
        var problems = new Problems();
        switch (operation) {
            case CREATE -> {
                Metadata.check(object, kind, problems);
                create(kind, object, problems);
            }
            case UPDATE -> {
                Metadata.checkUpdate(before(old), object, problems);
                Metadata.checkFinalizerNames(object, problems);
                update(kind, before(old), object, problems);
            }
            case STATUS_UPDATE -> {
                Metadata.checkUpdate(before(old), object, problems);
                Metadata.checkFinalizerNames(object, problems);
                updateStatus(kind, before(old), object, problems);
            }
        }
        return problems;
    }

    private static JsonObject before(Optional<JsonObject> old) {
        return old.orElseThrow(
                () -> new IllegalArgumentException("an update needs the object that it replaces"));
    }

    private void create(Kind kind, JsonObject object, Problems problems) {
        var spec = object.objectOrEmpty("spec");
        switch (kind) {
            case DEVICE_CLASS -> DeviceClasses.check(compiler, Optional.empty(), object, problems);
            case RESOURCE_CLAIM -> Claims.check(gates, compiler, spec, SPEC, problems);
            case RESOURCE_CLAIM_TEMPLATE -> {
                Metadata.checkTemplate(
                        spec.objectOrEmpty("metadata"), SPEC.child("metadata"), problems);
                Claims.check(
                        gates, compiler, spec.objectOrEmpty("spec"), SPEC.child("spec"), problems);
            }
            case RESOURCE_SLICE -> Slices.check(gates, Optional.empty(), object, problems);
            case DEVICE_TAINT_RULE -> DeviceTaintRules.check(Optional.empty(), object, problems);
            case RESOURCE_POOL_STATUS_REQUEST ->
                    new PoolStatusRequests(gates, problems).check(object);
            case POD -> Pods.check(object, problems);
            case POD_GROUP, WORKLOAD -> PodGroups.check(kind, object, problems);
        }
    }

    private void update(Kind kind, JsonObject old, JsonObject object, Problems problems) {
        switch (kind) {
            case DEVICE_CLASS -> {
                Metadata.check(object, kind, problems);
                DeviceClasses.check(compiler, Optional.of(old), object, problems);
            }
            case RESOURCE_CLAIM -> {
                Metadata.check(object, kind, problems);
                if (!Semantics.sameMember("spec", old, object)) {
                    problems.covered(Problem.immutable(SPEC, object.objectOrEmpty("spec")));
                }
            }
            case RESOURCE_CLAIM_TEMPLATE -> {
                if (!Semantics.sameMember("spec", old, object)) {
                    problems.add(Problem.immutable(SPEC, object.objectOrEmpty("spec")));
                }
            }
            case RESOURCE_SLICE -> Slices.check(gates, Optional.of(old), object, problems);
            case DEVICE_TAINT_RULE -> DeviceTaintRules.check(Optional.of(old), object, problems);
            case RESOURCE_POOL_STATUS_REQUEST ->
                    new PoolStatusRequests(gates, problems).checkUpdate(old, object);
            case POD -> {
                Pods.check(object, problems);
                Pods.checkUpdate(old, object, problems);
            }
            case POD_GROUP, WORKLOAD -> PodGroups.checkUpdate(kind, old, object, problems);
        }
    }

    private void updateStatus(Kind kind, JsonObject old, JsonObject object, Problems problems) {
        switch (kind) {
            case RESOURCE_CLAIM -> ClaimStatuses.checkUpdate(old, object, problems);
            case DEVICE_TAINT_RULE -> DeviceTaintRules.checkStatus(object, problems);
            case RESOURCE_POOL_STATUS_REQUEST ->
                    new PoolStatusRequests(gates, problems).checkStatusUpdate(old, object);
            case POD -> PodStatuses.check(object, problems);
            case POD_GROUP, WORKLOAD -> PodGroups.checkStatus(object, problems);
            case DEVICE_CLASS, RESOURCE_CLAIM_TEMPLATE, RESOURCE_SLICE ->
                    throw new IllegalArgumentException(kind + " has no status");
        }
    }

    private List<Problem> declared(
            Kind kind, Operation operation, Optional<JsonObject> old, JsonObject object) {
        var rules = new Declared();
        switch (kind) {
            case DEVICE_CLASS -> new DeclaredClaims(rules).deviceClass(old, object);
            case RESOURCE_CLAIM -> new DeclaredClaims(rules).claim(old, object);
            case RESOURCE_CLAIM_TEMPLATE -> {
                // The spec of a template cannot change, so there is nothing new to look at.
                if (operation == Operation.CREATE) {
                    new DeclaredClaims(rules).template(object);
                }
            }
            case RESOURCE_SLICE -> new DeclaredSlices(rules, gates).slice(old, object);
            case DEVICE_TAINT_RULE -> new DeclaredSlices(rules, gates).taintRule(old, object);
            case RESOURCE_POOL_STATUS_REQUEST, POD, POD_GROUP, WORKLOAD -> {
                // Their rules are all among the written ones here.
            }
        }
        return rules.found();
    }
}
