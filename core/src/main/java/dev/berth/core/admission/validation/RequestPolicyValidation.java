package dev.berth.core.admission.validation;

import dev.berth.core.admission.field.FieldError;
import dev.berth.core.admission.field.FieldErrors;
import dev.berth.core.admission.field.SemanticEquality;
import dev.berth.core.admission.gate.FeatureGates;
import dev.berth.core.admission.gate.Gate;
import dev.berth.model.json.FieldPath;
import dev.berth.model.json.Json;
import dev.berth.model.json.JsonObject;
import dev.berth.model.quantity.Quantity;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// Validates request policies of consumable capacities: a list of valid values, or a range.
///
/// Without the feature gate DRAFractionalCapacityRange, quantities are compared as integers,
/// rounded up.
final class RequestPolicyValidation {

    private static final int MAX_VALUES = 10;
    private static final Quantity LARGEST = Quantity.of(Long.MAX_VALUE);

    private final boolean fractions;
    private final FieldErrors problems;

    RequestPolicyValidation(FeatureGates gates, FieldErrors problems) {
        this.fractions = gates.enabled(Gate.DRA_FRACTIONAL_CAPACITY_RANGE);
        this.problems = problems;
    }

    void check(JsonObject capacity, FieldPath path) {
        var policy = capacity.objectOrEmpty("requestPolicy");
        var whole = amount(capacity, "value").orElse(Quantity.ZERO);
        var initial = amount(policy, "default");
        var values = amounts(policy.items("validValues"));
        var range = policy.object("validRange");
        if (!values.isEmpty() && range.isPresent()) {
            problems.add(
                    FieldError.forbidden(
                            path,
                            "exactly one policy can be specified, cannot specify \"validValues\" "
                                    + "and \"validRange\" at the same time"));
        } else if (!values.isEmpty()) {
            if (initial.isEmpty()) {
                requireDefault("validValues", path);
            } else {
                values(initial.get(), whole, values, path.child("validValues"));
            }
        } else if (range.isPresent()) {
            if (initial.isEmpty()) {
                requireDefault("validRange", path);
            } else {
                range(initial.get(), whole, range.get(), path.child("validRange"));
            }
        }
    }

    private static Optional<Quantity> amount(JsonObject holder, String name) {
        return holder.member(name).flatMap(SemanticEquality::quantity);
    }

    private static List<Quantity> amounts(List<Json> items) {
        var amounts = new ArrayList<Quantity>();
        items.forEach(item -> amounts.add(SemanticEquality.quantity(item).orElse(Quantity.ZERO)));
        return amounts;
    }

    private void requireDefault(String policy, FieldPath path) {
        problems.add(
                FieldError.required(
                        path.child("default"), "required when " + policy + " is defined"));
    }

    private void values(Quantity initial, Quantity whole, List<Quantity> values, FieldPath path) {
        for (var i = 1; i < values.size(); i++) {
            if (values.get(i - 1).compareTo(values.get(i)) > 0) {
                invalid(path.index(i), values.get(i), "values must be sorted in ascending order");
            }
        }
        var few = values.size() <= MAX_VALUES;
        problems.list(
                values,
                MAX_VALUES,
                path,
                FieldErrors.Cover.NOTHING,
                (value, at) -> {
                    if (value.compareTo(whole) > 0) {
                        invalid(at, value, "option is larger than capacity value: " + whole);
                    }
                });
        if (few) {
            duplicates(values, path);
        }
        // Items of an oversized list are not checked, so the default is not searched in it either.
        if (!few || !values.contains(initial)) {
            invalid(path, initial, "default value is not valid according to the requestPolicy");
        }
    }

    private void duplicates(List<Quantity> values, FieldPath path) {
        var seen = new HashSet<String>();
        for (var i = 0; i < values.size(); i++) {
            var key = key(values.get(i));
            if (!seen.add(key)) {
                problems.add(FieldError.duplicate(path.index(i), Json.of(key)));
            }
        }
    }

    private String key(Quantity value) {
        return fractions
                ? value.amount().stripTrailingZeros().toPlainString()
                : Long.toString(value.roundedUp());
    }

    private void range(Quantity initial, Quantity whole, JsonObject range, FieldPath path) {
        var min = amount(range, "min");
        if (min.isEmpty()) {
            problems.add(
                    FieldError.required(path.child("min"), "required when validRange is defined"));
            return;
        }
        bounds(initial, whole, min.get(), amount(range, "max"), path);
        var amounts = new LinkedHashMap<String, Quantity>();
        amounts.put("default", initial);
        amounts.put("min", min.get());
        amount(range, "max").ifPresent(max -> amounts.put("max", max));
        amount(range, "step").ifPresent(step -> amounts.put("step", step));
        var milli = fractions && amounts.values().stream().anyMatch(q -> !q.isInteger());
        if (milli && !allInMillis(amounts, path)) {
            return;
        }
        if (amounts.containsKey("step")) {
            step(amounts, whole, milli, path);
        }
    }

    private void bounds(
            Quantity initial,
            Quantity whole,
            Quantity min,
            Optional<Quantity> max,
            FieldPath path) {
        if (min.compareTo(whole) > 0) {
            invalid(path.child("min"), min, "min is larger than capacity value: " + whole);
        }
        if (initial.compareTo(min) < 0) {
            invalid(path.child("default"), initial, "default is less than min: " + min);
        }
        if (max.isEmpty()) {
            return;
        }
        if (min.compareTo(max.get()) > 0) {
            invalid(path.child("max"), min, "min is larger than max: " + max.get());
        }
        if (max.get().compareTo(whole) > 0) {
            invalid(path.child("max"), max.get(), "max is larger than capacity value: " + whole);
        }
        if (initial.compareTo(max.get()) > 0) {
            invalid(path.child("default"), initial, "default is more than max: " + max.get());
        }
    }

    private boolean allInMillis(Map<String, Quantity> amounts, FieldPath path) {
        var all = true;
        for (var entry : amounts.entrySet()) {
            if (!fitsInMillis(entry.getValue())) {
                invalid(
                        path.child(entry.getKey()),
                        entry.getValue(),
                        "value cannot be represented as a milli value");
                all = false;
            }
        }
        return all;
    }

    private static boolean fitsInMillis(Quantity value) {
        var millis = value.amount().movePointRight(3).stripTrailingZeros();
        return millis.scale() <= 0 && millis.toBigInteger().bitLength() < Long.SIZE;
    }

    private void step(
            Map<String, Quantity> amounts, Quantity whole, boolean milli, FieldPath path) {
        var min = amounts.getOrDefault("min", Quantity.ZERO);
        var step = amounts.getOrDefault("step", Quantity.ZERO);
        var stepPath = path.child("step");
        if (step.signum() <= 0) {
            invalid(stepPath, step, "must be greater than zero");
            return;
        }
        var next = min.plus(step);
        if (next.compareTo(whole) > 0) {
            invalid(
                    stepPath,
                    step,
                    "one step %s is larger than capacity value: %s".formatted(next, whole));
        }
        if (!milli && !allInLongs(amounts, path)) {
            return;
        }
        for (var name : List.of("default", "max")) {
            var value = amounts.get(name);
            if (value != null && !isOnStep(value, min, step, milli)) {
                invalid(
                        stepPath,
                        value,
                        "value is not a multiple of a given step (%s) from (%s)"
                                .formatted(step, min));
            }
        }
    }

    private boolean allInLongs(Map<String, Quantity> amounts, FieldPath path) {
        var all = true;
        for (var entry : amounts.entrySet()) {
            var value = entry.getValue();
            if (value.signum() < 0) {
                invalid(path.child(entry.getKey()), value, "must be greater than or equal to 0");
                all = false;
            } else if (value.compareTo(LARGEST) > 0) {
                invalid(
                        path.child(entry.getKey()),
                        value,
                        "must not be larger than 9223372036854775807");
                all = false;
            }
        }
        return all;
    }

    private static boolean isOnStep(Quantity value, Quantity min, Quantity step, boolean milli) {
        return units(value, milli)
                        .subtract(units(min, milli))
                        .remainder(units(step, milli))
                        .signum()
                == 0;
    }

    private static BigInteger units(Quantity value, boolean milli) {
        return BigInteger.valueOf(milli ? value.milliRoundedUp() : value.roundedUp());
    }

    private void invalid(FieldPath path, Quantity value, String detail) {
        problems.add(FieldError.invalid(path, value.toString(), detail));
    }
}
