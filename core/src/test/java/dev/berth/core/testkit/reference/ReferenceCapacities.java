package dev.berth.core.testkit.reference;

import dev.berth.model.api.claim.DeviceDemand;
import dev.berth.model.api.slice.CapacityRequestPolicy;
import dev.berth.model.api.slice.CapacityRequestPolicy.ValidRange;
import dev.berth.model.api.slice.Device;
import dev.berth.model.api.slice.DeviceCapacity;
import dev.berth.model.quantity.Quantity;
import java.math.BigDecimal;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/// Computes the capacity that a request consumes and whether it is available.
///
/// Uses 64-bit integers of units or thousandths, as Kubernetes does.
final class ReferenceCapacities {

    private static final String NOT_REPRESENTABLE =
            "capacity request cannot be represented in the device's range arithmetic: ";
    private static final BigDecimal LONG_MAX = BigDecimal.valueOf(Long.MAX_VALUE);
    private static final BigDecimal LONG_MIN = BigDecimal.valueOf(Long.MIN_VALUE);
    private static final int MILLI = 3;

    private final boolean fractions;

    ReferenceCapacities(boolean fractions) {
        this.fractions = fractions;
    }

    /// The consumed amount of each capacity; empty when it is not available.
    ///
    /// @param before amounts consumed by other claims
    Optional<Map<String, Quantity>> consumed(
            Device device, DeviceDemand deviceDemand, Map<String, Quantity> before) {
        Map<String, Quantity> requests =
                deviceDemand.capacity().map(capacity -> capacity.requests()).orElse(Map.of());
        if (!device.capacity().keySet().containsAll(requests.keySet())) {
            return Optional.empty();
        }
        // An error in any capacity takes precedence over a lack of another.
        var consumed = new TreeMap<String, Quantity>();
        device.capacity()
                .forEach((name, capacity) -> {
                    var requested = Optional.ofNullable(requests.get(name));
                    consumed.put(name, amount(name, capacity, requested));
                });
        for (var entry : device.capacity().entrySet()) {
            var capacity = entry.getValue();
            var amount = amount(entry.getKey(), capacity, requested(requests, entry.getKey()));
            var sum = amount.plus(before.getOrDefault(entry.getKey(), Quantity.ZERO));
            if (violates(amount, capacity.requestPolicy()) || sum.compareTo(capacity.value()) > 0) {
                return Optional.empty();
            }
        }
        return Optional.of(consumed);
    }

    private static Optional<Quantity> requested(Map<String, Quantity> requests, String name) {
        return Optional.ofNullable(requests.get(name));
    }

    private Quantity amount(String name, DeviceCapacity capacity, Optional<Quantity> requested) {
        Quantity amount;
        try {
            amount = amount(capacity, requested);
        } catch (AllocationFault fault) {
            throw new AllocationFault("capacity \"%s\": %s".formatted(name, fault.fault()));
        }
        if (amount.signum() < 0) {
            throw new AllocationFault(
                    "capacity \"%s\": capacity value is negative".formatted(name));
        }
        return amount;
    }

    private Quantity amount(DeviceCapacity capacity, Optional<Quantity> requested) {
        var policy = capacity.requestPolicy();
        if (requested.isEmpty()) {
            return policy.flatMap(CapacityRequestPolicy::defaultAmount).orElse(capacity.value());
        }
        if (policy.isEmpty()) {
            return requested.get();
        }
        return switch (policy.get()) {
            case ValidRange range -> roundedUp(requested.get(), range);
            case CapacityRequestPolicy.ValidValues(_, var values) ->
                    values.stream()
                            .filter(value -> requested.get().compareTo(value) <= 0)
                            .findFirst()
                            .orElse(requested.get());
            case CapacityRequestPolicy.AnyAmount _ -> requested.get();
            case CapacityRequestPolicy.Unrecognised _ -> requested.get();
        };
    }

    private Quantity roundedUp(Quantity requested, ValidRange range) {
        if (requested.compareTo(range.min()) < 0) {
            return range.min();
        }
        if (range.step().isEmpty()) {
            return requested;
        }
        var step = range.step().get();
        if (countsThousandths(range)) {
            if (!isMilli(requested)) {
                throw new AllocationFault(
                        "%srequest %s is not a representable milli value"
                                .formatted(NOT_REPRESENTABLE, requested));
            }
            var min = range.min().milliRoundedUp();
            var steps = steps(requested.milliRoundedUp(), min, step.milliRoundedUp());
            if (steps > (Long.MAX_VALUE - min) / step.milliRoundedUp()) {
                throw passes(requested, "the milli-value range");
            }
            var thousandths = min + step.milliRoundedUp() * steps;
            return Quantity.of(BigDecimal.valueOf(thousandths, MILLI), step.notation());
        }
        if (requested.amount().compareTo(LONG_MAX) > 0) {
            throw new AllocationFault(
                    "%srequest %s exceeds MaxInt64".formatted(NOT_REPRESENTABLE, requested));
        }
        var min = range.min().roundedUp();
        var steps = steps(requested.roundedUp(), min, step.roundedUp());
        if (min >= 0 && steps > (Long.MAX_VALUE - min) / step.roundedUp()) {
            throw passes(requested, "MaxInt64");
        }
        return Quantity.of(BigDecimal.valueOf(min + step.roundedUp() * steps), step.notation());
    }

    private static AllocationFault passes(Quantity requested, String limit) {
        return new AllocationFault(
                "%srounding request %s up to the next step passes %s"
                        .formatted(NOT_REPRESENTABLE, requested, limit));
    }

    private static long steps(long requested, long min, long step) {
        var whole = (requested - min) / step;
        return (requested - min) % step == 0 ? whole : whole + 1;
    }

    private boolean violates(Quantity amount, Optional<CapacityRequestPolicy> policy) {
        if (policy.isEmpty() || policy.get().defaultAmount().equals(Optional.of(amount))) {
            return false;
        }
        return switch (policy.get()) {
            case ValidRange range -> violatesRange(amount, range);
            case CapacityRequestPolicy.ValidValues(_, var values) ->
                    !values.isEmpty() && !values.contains(amount);
            case CapacityRequestPolicy.AnyAmount _ -> false;
            case CapacityRequestPolicy.Unrecognised _ -> false;
        };
    }

    private boolean violatesRange(Quantity amount, ValidRange range) {
        if (range.max().isPresent() && amount.compareTo(range.max().get()) > 0) {
            return true;
        }
        if (range.step().isEmpty()) {
            return false;
        }
        var step = range.step().get();
        if (countsThousandths(range)) {
            var past = amount.milliRoundedUp() - range.min().milliRoundedUp();
            return !isMilli(amount) || past % step.milliRoundedUp() != 0;
        }
        return (amount.roundedUp() - range.min().roundedUp()) % step.roundedUp() != 0;
    }

    private boolean countsThousandths(ValidRange range) {
        var bounds =
                List.of(Optional.of(range.min()), range.max(), range.step()).stream()
                        .flatMap(Optional::stream);
        return fractions
                && bounds.allMatch(ReferenceCapacities::isMilli)
                && range.step().map(step -> step.milliRoundedUp() >= 1).orElse(true);
    }

    private static boolean isMilli(Quantity quantity) {
        var thousandths = quantity.amount().movePointRight(MILLI).stripTrailingZeros();
        return thousandths.scale() <= 0
                && thousandths.compareTo(LONG_MAX) <= 0
                && thousandths.compareTo(LONG_MIN) >= 0;
    }
}
