package dev.berth.testkit.reference;

import dev.berth.model.api.CapacityRequestPolicy;
import dev.berth.model.api.CapacityRequestPolicy.ValidRange;
import dev.berth.model.api.Device;
import dev.berth.model.api.DeviceCapacity;
import dev.berth.model.api.DeviceDemand;
import dev.berth.model.quantity.Quantity;
import java.math.BigDecimal;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/// How much of a device's capacities a request consumes, and whether that is left.
///
/// Kubernetes counts steps in 64-bit integers, of units or of thousandths, so the same is done
/// here.
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

    /// What the request consumes of each capacity; empty when the device cannot give it.
    ///
    /// @param before what others have consumed
    Optional<Map<String, Quantity>> consumed(
            Device device, DeviceDemand wish, Map<String, Quantity> before) {
        Map<String, Quantity> requests =
                wish.capacity().map(capacity -> capacity.requests()).orElse(Map.of());
        if (!device.capacity().keySet().containsAll(requests.keySet())) {
            return Optional.empty();
        }
        // Faults of any capacity come before the refusal by another.
        var consumed = new TreeMap<String, Quantity>();
        device.capacity()
                .forEach((name, capacity) -> {
                    var asked = Optional.ofNullable(requests.get(name));
                    consumed.put(name, amount(name, capacity, asked));
                });
        for (var entry : device.capacity().entrySet()) {
            var capacity = entry.getValue();
            var amount = amount(entry.getKey(), capacity, asked(requests, entry.getKey()));
            var sum = amount.plus(before.getOrDefault(entry.getKey(), Quantity.ZERO));
            if (violates(amount, capacity.requestPolicy()) || sum.compareTo(capacity.value()) > 0) {
                return Optional.empty();
            }
        }
        return Optional.of(consumed);
    }

    private static Optional<Quantity> asked(Map<String, Quantity> requests, String name) {
        return Optional.ofNullable(requests.get(name));
    }

    private Quantity amount(String name, DeviceCapacity capacity, Optional<Quantity> asked) {
        Quantity amount;
        try {
            amount = amount(capacity, asked);
        } catch (AllocationFault fault) {
            throw new AllocationFault("capacity \"%s\": %s".formatted(name, fault.fault()));
        }
        if (amount.signum() < 0) {
            throw new AllocationFault(
                    "capacity \"%s\": capacity value is negative".formatted(name));
        }
        return amount;
    }

    private Quantity amount(DeviceCapacity capacity, Optional<Quantity> asked) {
        var policy = capacity.requestPolicy();
        if (asked.isEmpty()) {
            return policy.flatMap(CapacityRequestPolicy::defaultAmount).orElse(capacity.value());
        }
        if (policy.isEmpty()) {
            return asked.get();
        }
        return switch (policy.get()) {
            case ValidRange range -> roundedUp(asked.get(), range);
            case CapacityRequestPolicy.ValidValues(_, var values) ->
                    values.stream()
                            .filter(value -> asked.get().compareTo(value) <= 0)
                            .findFirst()
                            .orElse(asked.get());
            case CapacityRequestPolicy.AnyAmount _ -> asked.get();
            case CapacityRequestPolicy.Unrecognised _ -> asked.get();
        };
    }

    private Quantity roundedUp(Quantity asked, ValidRange range) {
        if (asked.compareTo(range.min()) < 0) {
            return range.min();
        }
        if (range.step().isEmpty()) {
            return asked;
        }
        var step = range.step().get();
        if (countsThousandths(range)) {
            if (!isMilli(asked)) {
                throw new AllocationFault(
                        "%srequest %s is not a representable milli value"
                                .formatted(NOT_REPRESENTABLE, asked));
            }
            var min = range.min().milliRoundedUp();
            var steps = steps(asked.milliRoundedUp(), min, step.milliRoundedUp());
            if (steps > (Long.MAX_VALUE - min) / step.milliRoundedUp()) {
                throw passes(asked, "the milli-value range");
            }
            var thousandths = min + step.milliRoundedUp() * steps;
            return Quantity.of(BigDecimal.valueOf(thousandths, MILLI), step.notation());
        }
        if (asked.amount().compareTo(LONG_MAX) > 0) {
            throw new AllocationFault(
                    "%srequest %s exceeds MaxInt64".formatted(NOT_REPRESENTABLE, asked));
        }
        var min = range.min().roundedUp();
        var steps = steps(asked.roundedUp(), min, step.roundedUp());
        if (min >= 0 && steps > (Long.MAX_VALUE - min) / step.roundedUp()) {
            throw passes(asked, "MaxInt64");
        }
        return Quantity.of(BigDecimal.valueOf(min + step.roundedUp() * steps), step.notation());
    }

    private static AllocationFault passes(Quantity asked, String limit) {
        return new AllocationFault(
                "%srounding request %s up to the next step passes %s"
                        .formatted(NOT_REPRESENTABLE, asked, limit));
    }

    private static long steps(long asked, long min, long step) {
        var whole = (asked - min) / step;
        return (asked - min) % step == 0 ? whole : whole + 1;
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
