package dev.berth.core.admission.validation;

import dev.berth.core.admission.field.FieldError;
import dev.berth.core.admission.field.FieldErrors;
import dev.berth.core.admission.field.NameFormats;
import dev.berth.core.admission.field.SemanticEquality;
import dev.berth.core.admission.gate.FeatureGates;
import dev.berth.core.admission.gate.Gate;
import dev.berth.core.text.GoText;
import dev.berth.model.json.FieldPath;
import dev.berth.model.json.Json;
import dev.berth.model.json.Json.JsonNull;
import dev.berth.model.json.JsonObject;
import java.util.HashSet;
import java.util.List;

/// Validates ResourcePoolStatusRequests, whose spec and completed status are immutable.
final class PoolStatusRequestValidation {

    private static final int MAX_LIMIT = 1000;
    private static final int MAX_POOLS = 1000;
    private static final int MAX_CONDITIONS = 10;
    private static final int MAX_ERROR_BYTES = 256;
    private static final int MAX_SUMMARY = 32;
    private static final FieldPath SPEC = FieldPath.of("spec");
    private static final FieldPath STATUS = FieldPath.of("status");

    private final FeatureGates gates;
    private final FieldErrors problems;

    PoolStatusRequestValidation(FeatureGates gates, FieldErrors problems) {
        this.gates = gates;
        this.problems = problems;
    }

    void check(JsonObject request) {
        var spec = request.objectOrEmpty("spec");
        driver(spec.text("driver"), SPEC.child("driver"));
        spec.string("poolName").ifPresent(name -> pool(name, SPEC.child("poolName")));
        if (spec.has("limit")) {
            atLeast(1, spec, "limit", SPEC);
            atMost(spec);
        }
        spec.string("defaultPartitionTypeAttribute").ifPresent(this::partitionType);
    }

    private void driver(String name, FieldPath path) {
        if (name.isEmpty()) {
            problems.add(FieldError.required(path));
        } else {
            problems.addAll(FieldError.invalid(path, name, NameFormats.subdomainOfAnyCase(name)));
        }
    }

    /// Validates a pool name, where the empty name is reported as malformed.
    private void pool(String name, FieldPath path) {
        if (name.isEmpty()) {
            problems.add(FieldError.invalid(path, name, "segment 0: must not be empty"));
        } else {
            problems.addAll(DeviceNameValidation.pool(name, path));
        }
    }

    private void partitionType(String name) {
        var path = SPEC.child("defaultPartitionTypeAttribute");
        if (gates.enabled(Gate.DRA_PARTITIONABLE_DEVICES_TYPE)) {
            problems.addAll(DeviceNameValidation.fullyQualified(name, path));
        } else {
            problems.add(FieldError.forbidden(path, ""));
        }
    }

    void checkUpdate(JsonObject old, JsonObject request) {
        if (!SemanticEquality.sameMember("spec", old, request)) {
            problems.add(FieldError.immutable(SPEC, request.objectOrEmpty("spec")));
        }
    }

    void checkStatusUpdate(JsonObject old, JsonObject request) {
        var status = request.object("status");
        if (old.has("status")) {
            if (status.isEmpty() || !SemanticEquality.sameMember("status", old, request)) {
                problems.add(
                        FieldError.immutable(
                                STATUS, request.member("status").orElse(JsonNull.INSTANCE)));
            }
            return;
        }
        status.ifPresent(this::status);
    }

    private void status(JsonObject status) {
        required(0, status, "poolCount", STATUS);
        problems.list(
                status.objects("pools"),
                MAX_POOLS,
                STATUS.child("pools"),
                FieldErrors.Cover.NOTHING,
                this::poolStatus);
        var conditions = status.objects("conditions");
        if (conditions.size() > MAX_CONDITIONS) {
            problems.add(
                    FieldError.tooMany(
                            STATUS.child("conditions"), conditions.size(), MAX_CONDITIONS));
        } else {
            ConditionValidation.check(conditions, STATUS.child("conditions"), problems);
        }
    }

    private void poolStatus(JsonObject pool, FieldPath path) {
        driver(pool.text("driver"), path.child("driver"));
        if (pool.text("poolName").isEmpty()) {
            problems.add(FieldError.required(path.child("poolName")));
        } else {
            problems.addAll(
                    DeviceNameValidation.pool(pool.text("poolName"), path.child("poolName")));
        }
        required(0, pool, "generation", path);
        for (var name :
                List.of(
                        "totalDevices",
                        "allocatedDevices",
                        "availableDevices",
                        "unavailableDevices")) {
            atLeast(0, pool, name, path);
        }
        atLeast(1, pool, "resourceSliceCount", path);
        pool.string("nodeName")
                .ifPresent(name ->
                        problems.addAll(
                                DeviceNameValidation.subdomain(name, path.child("nodeName"))));
        if (GoText.bytes(pool.text("validationError")) > MAX_ERROR_BYTES) {
            problems.add(FieldError.tooLong(path.child("validationError"), MAX_ERROR_BYTES));
        }
        partitionSummary(pool.objects("partitionSummary"), path.child("partitionSummary"));
        pool.object("shareableSummary")
                .ifPresent(summary -> shareable(summary, path.child("shareableSummary")));
    }

    private void partitionSummary(List<JsonObject> summary, FieldPath path) {
        var seen = new HashSet<List<String>>();
        problems.list(
                summary,
                MAX_SUMMARY,
                path,
                FieldErrors.Cover.NOTHING,
                (entry, at) -> {
                    if (!seen.add(List.of(entry.text("attribute"), entry.text("type")))) {
                        problems.add(FieldError.duplicate(at, entry));
                    }
                    required(0, entry, "total", at);
                    required(0, entry, "allocatable", at);
                });
    }

    private void shareable(JsonObject summary, FieldPath path) {
        required(0, summary, "fullyAvailableDevices", path);
        required(0, summary, "partiallyAvailableDevices", path);
        problems.list(
                summary.objects("capacity"),
                MAX_SUMMARY,
                path.child("capacity"),
                FieldErrors.Cover.NOTHING,
                (capacity, at) -> {
                    for (var name : List.of("name", "total", "consumed", "available")) {
                        if (capacity.member(name).filter(v -> !v.equals(Json.of(""))).isEmpty()) {
                            problems.add(FieldError.required(at.child(name)));
                        }
                    }
                });
    }

    private void required(int minimum, JsonObject holder, String name, FieldPath path) {
        if (!holder.has(name)) {
            problems.add(FieldError.required(path.child(name)));
        }
        atLeast(minimum, holder, name, path);
    }

    private void atLeast(int minimum, JsonObject holder, String name, FieldPath path) {
        var number = holder.number(name);
        if (number.isPresent() && number.getAsLong() < minimum) {
            problems.add(
                    FieldError.invalid(
                            path.child(name),
                            Json.of(number.getAsLong()),
                            "must be greater than or equal to " + minimum));
        }
    }

    private void atMost(JsonObject spec) {
        var limit = spec.number("limit").orElse(0);
        if (limit > MAX_LIMIT) {
            problems.add(
                    FieldError.invalid(
                            SPEC.child("limit"),
                            Json.of(limit),
                            "must be less than or equal to " + MAX_LIMIT));
        }
    }
}
