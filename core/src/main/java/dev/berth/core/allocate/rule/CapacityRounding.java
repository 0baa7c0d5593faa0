package dev.berth.core.allocate.rule;

import dev.berth.model.api.claim.CapacityRequirements;
import dev.berth.model.api.slice.CapacityRequestPolicy;
import dev.berth.model.api.slice.CapacityRequestPolicy.AnyAmount;
import dev.berth.model.api.slice.CapacityRequestPolicy.ValidRange;
import dev.berth.model.api.slice.CapacityRequestPolicy.ValidValues;
import dev.berth.model.api.slice.DeviceCapacity;
import dev.berth.model.quantity.Quantity;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/// Computes the consumed capacity of a request on a device, by the request policies of the device.
///
/// Kubernetes rounds to whole numbers, or to thousandths where fractions are enabled and all
/// numbers of the range are multiples of 1/1000. An amount beyond this arithmetic fails the whole
/// allocation.
public final class CapacityRounding {

    /// The consumed capacity, or why there is none.
    public sealed interface Result {

        /// The amount consumed of every capacity of the device.
        record Consumes(Map<String, Quantity> amounts) implements Result {}

        /// The device cannot serve the request.
        record Unsuitable(String reason) implements Result {}

        /// The amount exceeds the arithmetic of Kubernetes; the allocation fails.
        record Unrepresentable(String message) implements Result {}
    }

    private static final BigDecimal LONG_MAX = BigDecimal.valueOf(Long.MAX_VALUE);
    private static final int MILLI_DIGITS = 3;

    private final boolean fractions;

    public CapacityRounding(boolean fractions) {
        this.fractions = fractions;
    }

    public Result of(
            Map<String, DeviceCapacity> capacities, Optional<CapacityRequirements> requested) {
        var requests = requested.map(CapacityRequirements::requests).orElse(Map.of());
        for (var name : requests.keySet()) {
            if (!capacities.containsKey(name)) {
                return new Result.Unsuitable("the device has no capacity " + name);
            }
        }
        var amounts = new LinkedHashMap<String, Quantity>();
        Optional<Result> unsuitable = Optional.empty();
        for (var entry : capacities.entrySet()) {
            var name = entry.getKey();
            var round = round(entry.getValue(), Optional.ofNullable(requests.get(name)));
            switch (round) {
                case Amount(var amount) -> amounts.put(name, amount);
                case Overflow(var message) -> {
                    return new Result.Unrepresentable(
                            "capacity \"%s\": %s".formatted(name, message));
                }
                case Rejected(var reason) -> {
                    if (unsuitable.isEmpty()) {
                        unsuitable = Optional.of(new Result.Unsuitable(name + ": " + reason));
                    }
                }
            }
        }
        return unsuitable.orElseGet(() -> new Result.Consumes(amounts));
    }

    private sealed interface Rounded {}

    private record Amount(Quantity amount) implements Rounded {}

    private record Rejected(String reason) implements Rounded {}

    private record Overflow(String message) implements Rounded {}

    private Rounded round(DeviceCapacity capacity, Optional<Quantity> requested) {
        var rounded = rounded(capacity, requested);
        if (!(rounded instanceof Amount(var amount))) {
            return rounded;
        }
        if (amount.signum() < 0) {
            return new Overflow("capacity value is negative: " + amount);
        }
        var violation =
                capacity.requestPolicy()
                        .filter(policy -> !policy.defaultAmount().equals(Optional.of(amount)))
                        .flatMap(policy -> violation(policy, amount));
        if (violation.isPresent()) {
            return new Rejected(violation.get());
        }
        return amount.compareTo(capacity.value()) > 0
                ? new Rejected(
                        "%s is requested, the device has %s".formatted(amount, capacity.value()))
                : rounded;
    }

    private Rounded rounded(DeviceCapacity capacity, Optional<Quantity> requested) {
        var policy = capacity.requestPolicy();
        if (requested.isEmpty()) {
            return new Amount(
                    policy.flatMap(CapacityRequestPolicy::defaultAmount).orElse(capacity.value()));
        }
        var request = requested.get();
        return switch (policy.orElse(new AnyAmount(Optional.empty()))) {
            case ValidRange range -> inRange(range, request);
            case ValidValues values -> new Amount(smallestAtLeast(values, request));
            case AnyAmount _ -> new Amount(request);
            case CapacityRequestPolicy.Unrecognised _ -> new Amount(request);
        };
    }

    private static Quantity smallestAtLeast(ValidValues values, Quantity request) {
        for (var value : values.values()) {
            if (value.compareTo(request) >= 0) {
                return value;
            }
        }
        return request;
    }

    private Rounded inRange(ValidRange range, Quantity request) {
        if (request.compareTo(range.min()) < 0) {
            return new Amount(range.min());
        }
        if (range.step().isEmpty()) {
            return new Amount(request);
        }
        var digits = digits(range);
        var step = whole(range.step().get(), digits);
        var min = whole(range.min(), digits);
        var requested = whole(request, digits);
        if (requested.compareTo(LONG_MAX) > 0) {
            return overflow("request %s exceeds MaxInt64".formatted(request));
        }
        if (step.signum() <= 0) {
            return new Amount(request);
        }
        var steps = requested.subtract(min).divide(step, 0, RoundingMode.CEILING);
        var rounded = min.add(steps.multiply(step));
        if (rounded.compareTo(LONG_MAX) > 0) {
            return overflow("rounded request %s exceeds MaxInt64".formatted(rounded));
        }
        return new Amount(
                Quantity.of(rounded.movePointLeft(digits), range.step().get().notation()));
    }

    private static Rounded overflow(String detail) {
        return new Overflow(
                "capacity request cannot be represented in the device's range arithmetic: "
                        + detail);
    }

    /// Number of decimal places to round to: three where fractions are enabled and exact, else
    /// zero.
    private int digits(ValidRange range) {
        var exact =
                fractions
                        && isMilli(range.min())
                        && range.max().map(CapacityRounding::isMilli).orElse(true)
                        && range.step().map(CapacityRounding::isMilli).orElse(true);
        return exact ? MILLI_DIGITS : 0;
    }

    private static boolean isMilli(Quantity quantity) {
        return quantity.amount().stripTrailingZeros().scale() <= MILLI_DIGITS;
    }

    /// The amount in units of the last decimal place, rounded up.
    private static BigDecimal whole(Quantity quantity, int digits) {
        return quantity.amount().movePointRight(digits).setScale(0, RoundingMode.CEILING);
    }

    private Optional<String> violation(CapacityRequestPolicy policy, Quantity amount) {
        return switch (policy) {
            case ValidRange range -> outOfRange(range, amount);
            case ValidValues values ->
                    values.values().isEmpty() || values.values().contains(amount)
                            ? Optional.empty()
                            : Optional.of("%s is not one of its valid values".formatted(amount));
            case AnyAmount _ -> Optional.empty();
            case CapacityRequestPolicy.Unrecognised _ -> Optional.empty();
        };
    }

    private Optional<String> outOfRange(ValidRange range, Quantity amount) {
        if (range.max().filter(max -> amount.compareTo(max) > 0).isPresent()) {
            return Optional.of("%s is over its maximum %s".formatted(amount, range.max().get()));
        }
        if (range.step().isEmpty()) {
            return Optional.empty();
        }
        var digits = digits(range);
        var above = whole(amount, digits).subtract(whole(range.min(), digits));
        var step = whole(range.step().get(), digits);
        return step.signum() > 0 && above.remainder(step).signum() != 0
                ? Optional.of("%s is not a whole number of steps".formatted(amount))
                : Optional.empty();
    }
}
