package dev.berth.core.testkit.verify;

import dev.berth.core.allocate.AllocationRequest;
import dev.berth.core.allocate.rule.AllocatorFeature;
import dev.berth.model.api.claim.DeviceDemand;
import dev.berth.model.api.slice.CapacityRequestPolicy;
import dev.berth.model.api.slice.Device;
import dev.berth.model.api.slice.DeviceCapacity;
import dev.berth.model.api.slice.DeviceId;
import dev.berth.model.quantity.Quantity;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// Verifies the consumed capacity in results and that the capacity of devices is not exceeded.
///
/// Uses exact arithmetic: an allocation exists only if the 64-bit arithmetic of Kubernetes did not
/// overflow, so both agree.
final class CapacityRules {

    private final AllocationRequest allocationRequest;
    private final RuleViolations violations;

    CapacityRules(AllocationRequest allocationRequest, RuleViolations violations) {
        this.allocationRequest = allocationRequest;
        this.violations = violations;
    }

    void check(List<AllocatedRow> rows) {
        if (!allocationRequest.features().contains(AllocatorFeature.CONSUMABLE_CAPACITY)) {
            rows.forEach(row ->
                    violations.expect(
                            row.device().consumedCapacity().isEmpty(),
                            "%s: consumes capacity",
                            row));
            return;
        }
        var sums = new HashMap<DeviceId, Map<String, Quantity>>();
        allocationRequest
                .holdings()
                .consumed()
                .forEach((id, held) -> sums.put(id, new HashMap<>(held)));
        for (var row : rows) {
            var device = row.published().device();
            var share = share(allocationRequest, row.demand(), device);
            violations.expect(share.isPresent(), "%s: cannot give the capacity", row);
            var isShared = row.device().shareId().isPresent();
            violations.expect(
                    share.isEmpty()
                            || row.device()
                                    .consumedCapacity()
                                    .equals(isShared ? share.get() : Map.of()),
                    "%s: consumes %s, not %s",
                    row,
                    share,
                    row.device().consumedCapacity());
            var sum = sums.computeIfAbsent(row.device().id(), _ -> new HashMap<>());
            row.device()
                    .consumedCapacity()
                    .forEach((name, amount) -> sum.merge(name, amount, Quantity::plus));
            device.capacity()
                    .forEach((name, capacity) ->
                            violations.expect(
                                    sum.getOrDefault(name, Quantity.ZERO)
                                                    .compareTo(capacity.value())
                                            <= 0,
                                    "%s: capacity %s is exceeded",
                                    row,
                                    name));
        }
    }

    static boolean isEnough(
            AllocationRequest allocationRequest, DeviceDemand demand, Device device) {
        return !allocationRequest.features().contains(AllocatorFeature.CONSUMABLE_CAPACITY)
                || share(allocationRequest, demand, device).isPresent();
    }

    /// The capacity that one request consumes on an unused device.
    private static Optional<Map<String, Quantity>> share(
            AllocationRequest allocationRequest, DeviceDemand demand, Device device) {
        Map<String, Quantity> requested =
                demand.capacity().map(capacity -> capacity.requests()).orElse(Map.of());
        var hasFractions =
                allocationRequest.features().contains(AllocatorFeature.FRACTIONAL_CAPACITY_RANGE);
        var share = new HashMap<String, Quantity>();
        for (var entry : device.capacity().entrySet()) {
            var capacity = entry.getValue();
            var amount =
                    amount(
                            capacity,
                            Optional.ofNullable(requested.get(entry.getKey())),
                            hasFractions);
            if (amount.compareTo(capacity.value()) > 0
                    || !isLegal(amount, capacity, hasFractions)) {
                return Optional.empty();
            }
            share.put(entry.getKey(), amount);
        }
        return share.keySet().containsAll(requested.keySet())
                ? Optional.of(share)
                : Optional.empty();
    }

    private static Quantity amount(
            DeviceCapacity capacity, Optional<Quantity> requested, boolean hasFractions) {
        var policy = capacity.requestPolicy();
        if (requested.isEmpty()) {
            return policy.flatMap(CapacityRequestPolicy::defaultAmount).orElse(capacity.value());
        }
        var amountRequested = requested.get();
        if (policy.orElse(null) instanceof CapacityRequestPolicy.ValidValues(_, var values)) {
            return values.stream()
                    .filter(value -> value.compareTo(amountRequested) >= 0)
                    .min(Quantity::compareTo)
                    .orElse(amountRequested);
        }
        if (!(policy.orElse(null) instanceof CapacityRequestPolicy.ValidRange range)) {
            return amountRequested;
        }
        if (amountRequested.compareTo(range.min()) <= 0) {
            return amountRequested.compareTo(range.min()) < 0
                    ? range.min()
                    : rounded(amountRequested, range, hasFractions);
        }
        return rounded(amountRequested, range, hasFractions);
    }

    private static Quantity rounded(
            Quantity amountRequested,
            CapacityRequestPolicy.ValidRange range,
            boolean hasFractions) {
        if (range.step().isEmpty()) {
            return amountRequested;
        }
        var scale = scale(range, hasFractions);
        var min = up(range.min(), scale);
        var step = up(range.step().get(), scale);
        var steps = up(amountRequested, scale).subtract(min).divide(step, 0, RoundingMode.CEILING);
        return Quantity.of(min.add(step.multiply(steps)), range.step().get().notation());
    }

    private static boolean isLegal(Quantity amount, DeviceCapacity capacity, boolean hasFractions) {
        var policy = capacity.requestPolicy();
        if (policy.isEmpty() || policy.get().defaultAmount().equals(Optional.of(amount))) {
            return true;
        }
        return switch (policy.get()) {
            case CapacityRequestPolicy.ValidValues(_, var values) ->
                    values.isEmpty() || values.contains(amount);
            case CapacityRequestPolicy.ValidRange range -> {
                var scale = scale(range, hasFractions);
                var fits = range.max().map(max -> amount.compareTo(max) <= 0).orElse(true);
                var isOnStep =
                        range.step()
                                .map(step ->
                                        up(amount, scale)
                                                        .subtract(up(range.min(), scale))
                                                        .remainder(up(step, scale))
                                                        .signum()
                                                == 0)
                                .orElse(true);
                yield fits && isOnStep;
            }
            case CapacityRequestPolicy.AnyAmount _ -> true;
            case CapacityRequestPolicy.Unrecognised _ -> true;
        };
    }

    /// Number of decimal places: three where the range is in thousandths, else zero.
    private static int scale(CapacityRequestPolicy.ValidRange range, boolean hasFractions) {
        var bounds = List.of(Optional.of(range.min()), range.max(), range.step());
        var isExact =
                bounds.stream()
                        .flatMap(Optional::stream)
                        .allMatch(bound -> bound.amount().compareTo(up(bound, 3)) == 0);
        return hasFractions && isExact ? 3 : 0;
    }

    private static BigDecimal up(Quantity quantity, int scale) {
        return quantity.amount().setScale(scale, RoundingMode.CEILING);
    }
}
