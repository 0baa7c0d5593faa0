package dev.berth.testkit.verify;

import dev.berth.core.allocate.AllocationRequest;
import dev.berth.core.allocate.AllocatorFeature;
import dev.berth.model.api.CapacityRequestPolicy;
import dev.berth.model.api.Device;
import dev.berth.model.api.DeviceCapacity;
import dev.berth.model.api.DeviceDemand;
import dev.berth.model.api.DeviceId;
import dev.berth.model.quantity.Quantity;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// Whether the capacity of devices suffices, and whether what is consumed is written down right.
///
/// Rational arithmetic: an allocation exists only where the 64-bit arithmetic of Kubernetes did not
/// overflow, so both give the same.
final class CapacityRules {

    private final AllocationRequest question;
    private final RuleViolations findings;

    CapacityRules(AllocationRequest question, RuleViolations findings) {
        this.question = question;
        this.findings = findings;
    }

    void check(List<AllocatedRow> grants) {
        if (!question.features().contains(AllocatorFeature.CONSUMABLE_CAPACITY)) {
            grants.forEach(grant ->
                    findings.expect(
                            grant.device().consumedCapacity().isEmpty(),
                            "%s: consumes capacity",
                            grant));
            return;
        }
        var sums = new HashMap<DeviceId, Map<String, Quantity>>();
        question.holdings().consumed().forEach((id, held) -> sums.put(id, new HashMap<>(held)));
        for (var grant : grants) {
            var device = grant.spot().device();
            var share = share(question, grant.demand(), device);
            findings.expect(share.isPresent(), "%s: cannot give the capacity", grant);
            var isShared = grant.device().shareId().isPresent();
            findings.expect(
                    share.isEmpty()
                            || grant.device()
                                    .consumedCapacity()
                                    .equals(isShared ? share.get() : Map.of()),
                    "%s: consumes %s, not %s",
                    grant,
                    share,
                    grant.device().consumedCapacity());
            var sum = sums.computeIfAbsent(grant.device().id(), _ -> new HashMap<>());
            grant.device()
                    .consumedCapacity()
                    .forEach((name, amount) -> sum.merge(name, amount, Quantity::plus));
            device.capacity()
                    .forEach((name, capacity) ->
                            findings.expect(
                                    sum.getOrDefault(name, Quantity.ZERO)
                                                    .compareTo(capacity.value())
                                            <= 0,
                                    "%s: capacity %s is exceeded",
                                    grant,
                                    name));
        }
    }

    static boolean isEnough(AllocationRequest question, DeviceDemand demand, Device device) {
        return !question.features().contains(AllocatorFeature.CONSUMABLE_CAPACITY)
                || share(question, demand, device).isPresent();
    }

    /// What one request takes of a device that nobody else uses.
    private static Optional<Map<String, Quantity>> share(
            AllocationRequest question, DeviceDemand demand, Device device) {
        Map<String, Quantity> asked =
                demand.capacity().map(capacity -> capacity.requests()).orElse(Map.of());
        var isFine = question.features().contains(AllocatorFeature.FRACTIONAL_CAPACITY_RANGE);
        var share = new HashMap<String, Quantity>();
        for (var entry : device.capacity().entrySet()) {
            var capacity = entry.getValue();
            var amount = amount(capacity, Optional.ofNullable(asked.get(entry.getKey())), isFine);
            if (amount.compareTo(capacity.value()) > 0 || !isLegal(amount, capacity, isFine)) {
                return Optional.empty();
            }
            share.put(entry.getKey(), amount);
        }
        return share.keySet().containsAll(asked.keySet()) ? Optional.of(share) : Optional.empty();
    }

    private static Quantity amount(
            DeviceCapacity capacity, Optional<Quantity> asked, boolean isFine) {
        var policy = capacity.requestPolicy();
        if (asked.isEmpty()) {
            return policy.flatMap(CapacityRequestPolicy::defaultAmount).orElse(capacity.value());
        }
        var wanted = asked.get();
        if (policy.orElse(null) instanceof CapacityRequestPolicy.ValidValues(_, var values)) {
            return values.stream()
                    .filter(value -> value.compareTo(wanted) >= 0)
                    .min(Quantity::compareTo)
                    .orElse(wanted);
        }
        if (!(policy.orElse(null) instanceof CapacityRequestPolicy.ValidRange range)) {
            return wanted;
        }
        if (wanted.compareTo(range.min()) <= 0) {
            return wanted.compareTo(range.min()) < 0 ? range.min() : rounded(wanted, range, isFine);
        }
        return rounded(wanted, range, isFine);
    }

    private static Quantity rounded(
            Quantity wanted, CapacityRequestPolicy.ValidRange range, boolean isFine) {
        if (range.step().isEmpty()) {
            return wanted;
        }
        var scale = scale(range, isFine);
        var min = up(range.min(), scale);
        var step = up(range.step().get(), scale);
        var steps = up(wanted, scale).subtract(min).divide(step, 0, RoundingMode.CEILING);
        return Quantity.of(min.add(step.multiply(steps)), range.step().get().notation());
    }

    private static boolean isLegal(Quantity amount, DeviceCapacity capacity, boolean isFine) {
        var policy = capacity.requestPolicy();
        if (policy.isEmpty() || policy.get().defaultAmount().equals(Optional.of(amount))) {
            return true;
        }
        return switch (policy.get()) {
            case CapacityRequestPolicy.ValidValues(_, var values) ->
                    values.isEmpty() || values.contains(amount);
            case CapacityRequestPolicy.ValidRange range -> {
                var scale = scale(range, isFine);
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

    /// Digits after the point that count: three where the range is in thousandths, else none.
    private static int scale(CapacityRequestPolicy.ValidRange range, boolean isFine) {
        var bounds = List.of(Optional.of(range.min()), range.max(), range.step());
        var isExact =
                bounds.stream()
                        .flatMap(Optional::stream)
                        .allMatch(bound -> bound.amount().compareTo(up(bound, 3)) == 0);
        return isFine && isExact ? 3 : 0;
    }

    private static BigDecimal up(Quantity quantity, int scale) {
        return quantity.amount().setScale(scale, RoundingMode.CEILING);
    }
}
