package dev.berth.core.allocate;

import dev.berth.model.api.CapacityRequestPolicy;
import dev.berth.model.api.CapacityRequestPolicy.AnyAmount;
import dev.berth.model.api.CapacityRequestPolicy.ValidRange;
import dev.berth.model.api.CapacityRequestPolicy.ValidValues;
import dev.berth.model.api.CapacityRequirements;
import dev.berth.model.api.DeviceCapacity;
import dev.berth.model.quantity.Quantity;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/// How much of each capacity of a device a request consumes, by the policies of the device.
///
/// Kubernetes rounds in whole numbers, or in thousandths where fractions are allowed and every
/// number of a range is a multiple of one. What it cannot express that way ends the whole attempt.
public final class CapacityRounding {

    /// What came of it.
    public sealed interface Verdict {

        /// What would be consumed of every capacity that the device has.
        record Consumes(Map<String, Quantity> amounts) implements Verdict {}

        /// The device cannot serve such a request.
        record Unsuitable(String reason) implements Verdict {}

        /// The amount is beyond the arithmetic; the attempt fails.
        record Unrepresentable(String message) implements Verdict {}
    }

    private static final BigDecimal LONG_MAX = BigDecimal.valueOf(Long.MAX_VALUE);
    private static final int MILLI_DIGITS = 3;

    private final boolean fractions;

    public CapacityRounding(boolean fractions) {
        this.fractions = fractions;
    }

    public Verdict of(
            Map<String, DeviceCapacity> capacities, Optional<CapacityRequirements> wanted) {
        var requests = wanted.map(CapacityRequirements::requests).orElse(Map.of());
        for (var name : requests.keySet()) {
            if (!capacities.containsKey(name)) {
                return new Verdict.Unsuitable("it has no capacity " + name);
            }
        }
        var amounts = new LinkedHashMap<String, Quantity>();
        Optional<Verdict> refusal = Optional.empty();
        for (var entry : capacities.entrySet()) {
            var name = entry.getKey();
            var one = one(entry.getValue(), Optional.ofNullable(requests.get(name)));
            switch (one) {
                case Amount(var amount) -> amounts.put(name, amount);
                case Beyond(var message) -> {
                    return new Verdict.Unrepresentable(
                            "capacity \"%s\": %s".formatted(name, message));
                }
                case Refused(var reason) -> {
                    if (refusal.isEmpty()) {
                        refusal = Optional.of(new Verdict.Unsuitable(name + ": " + reason));
                    }
                }
            }
        }
        return refusal.orElseGet(() -> new Verdict.Consumes(amounts));
    }

    private sealed interface Rounded {}

    private record Amount(Quantity amount) implements Rounded {}

    private record Refused(String reason) implements Rounded {}

    private record Beyond(String message) implements Rounded {}

    private Rounded one(DeviceCapacity capacity, Optional<Quantity> wanted) {
        var rounded = rounded(capacity, wanted);
        if (!(rounded instanceof Amount(var amount))) {
            return rounded;
        }
        if (amount.signum() < 0) {
            return new Beyond("capacity value is negative: " + amount);
        }
        var violation =
                capacity.requestPolicy()
                        .filter(policy -> !policy.defaultAmount().equals(Optional.of(amount)))
                        .flatMap(policy -> violation(policy, amount));
        if (violation.isPresent()) {
            return new Refused(violation.get());
        }
        return amount.compareTo(capacity.value()) > 0
                ? new Refused("%s is wanted, it has %s".formatted(amount, capacity.value()))
                : rounded;
    }

    private Rounded rounded(DeviceCapacity capacity, Optional<Quantity> wanted) {
        var policy = capacity.requestPolicy();
        if (wanted.isEmpty()) {
            return new Amount(
                    policy.flatMap(CapacityRequestPolicy::defaultAmount).orElse(capacity.value()));
        }
        var request = wanted.get();
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
        var wanted = whole(request, digits);
        if (wanted.compareTo(LONG_MAX) > 0) {
            return beyond("request %s exceeds MaxInt64".formatted(request));
        }
        if (step.signum() <= 0) {
            return new Amount(request);
        }
        var steps = wanted.subtract(min).divide(step, 0, RoundingMode.CEILING);
        var rounded = min.add(steps.multiply(step));
        if (rounded.compareTo(LONG_MAX) > 0) {
            return beyond("rounded request %s exceeds MaxInt64".formatted(rounded));
        }
        return new Amount(
                Quantity.of(rounded.movePointLeft(digits), range.step().get().notation()));
    }

    private static Rounded beyond(String detail) {
        return new Beyond(
                "capacity request cannot be represented in the device's range arithmetic: "
                        + detail);
    }

    /// The digits behind the point that count: three where fractions are allowed and exact.
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

    /// The amount in units of the last digit that counts, rounded up.
    private static BigDecimal whole(Quantity quantity, int digits) {
        return quantity.amount().movePointRight(digits).setScale(0, RoundingMode.CEILING);
    }

    private Optional<String> violation(CapacityRequestPolicy policy, Quantity amount) {
        return switch (policy) {
            case ValidRange range -> outOfRange(range, amount);
            case ValidValues values ->
                    values.values().isEmpty() || values.values().contains(amount)
                            ? Optional.empty()
                            : Optional.of("%s is none of its valid values".formatted(amount));
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
                ? Optional.of("%s is no whole number of steps".formatted(amount))
                : Optional.empty();
    }
}
