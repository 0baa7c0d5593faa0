package dev.berth.core.allocate;

import dev.berth.core.inventory.CounterConsumption;
import dev.berth.core.inventory.DeviceTraits;
import dev.berth.core.inventory.Pool;
import dev.berth.core.inventory.PoolView;
import dev.berth.core.inventory.SliceTable;
import dev.berth.core.ledger.Holdings;
import dev.berth.core.taint.Taints;
import dev.berth.model.api.AllocationCount;
import dev.berth.model.api.DeviceClass;
import dev.berth.model.api.DeviceId;
import dev.berth.model.api.DeviceRequest;
import dev.berth.model.api.DeviceSelector;
import dev.berth.model.api.Node;
import dev.berth.model.api.NodeScope;
import dev.berth.model.api.ResourceClaim;
import dev.berth.model.api.SliceScope;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/// Answers the question that is asked most, one device for one claim, without a search: the first
/// device that passes every check is the one. It looks at devices that the selectors want, and at
/// no others, until it finds one.
///
/// It knows the plain checks only. Where anything else is met, such as shareable devices,
/// compatibility groups, selectors that fail or amounts of more than 40 bits, it leaves the answer
/// to [DeviceSearch]. Its answers are those that the search would give.
final class SingleDeviceSearch {

    /// So many draws of at most 40 bits cannot add up to more than can be counted.
    private static final int MAX_HELD = 4_096;

    private final Node node;
    private final Set<AllocatorFeature> features;
    private final Holdings holdings;
    private final DeviceRequest.Exactly request;
    private final SelectorChain selection;
    private final CapacityRounding rounding;

    private SingleDeviceSearch(
            Node node,
            Set<AllocatorFeature> features,
            Holdings holdings,
            DeviceRequest.Exactly request,
            SelectorChain selection) {
        this.node = node;
        this.features = features;
        this.holdings = holdings;
        this.request = request;
        this.selection = selection;
        this.rounding =
                new CapacityRounding(features.contains(AllocatorFeature.FRACTIONAL_CAPACITY_RANGE));
    }

    /// One who can answer; empty when the claims want anything but one device.
    static Optional<SingleDeviceSearch> of(
            Node node,
            Map<String, DeviceClass> classes,
            Set<AllocatorFeature> features,
            Holdings holdings,
            List<ResourceClaim> claims,
            SelectorCache selections) {
        if (claims.size() != 1
                || !claims.getFirst().spec().constraints().isEmpty()
                || claims.getFirst().spec().requests().size() != 1
                || !(claims.getFirst().spec().requests().getFirst()
                        instanceof DeviceRequest.Exactly request)
                || !isPlain(request)) {
            return Optional.empty();
        }
        return Optional.ofNullable(classes.get(request.demand().deviceClassName()))
                .map(deviceClass -> selections.of(deviceClass, request.demand().selectors()))
                .map(selection ->
                        new SingleDeviceSearch(node, features, holdings, request, selection));
    }

    private static boolean isPlain(DeviceRequest.Exactly request) {
        var demand = request.demand();
        return demand.count() instanceof AllocationCount.ExactCount(var count)
                && count == 1
                && request.adminAccess().isEmpty()
                && !demand.deviceClassName().isEmpty()
                && demand.capacity().isEmpty()
                && demand.derivedAttributes().isEmpty()
                && demand.selectors().stream().allMatch(DeviceSelector.Cel.class::isInstance);
    }

    /// What the device at a place of the arena is taken for.
    Solution solution(int device) {
        var wish = new Solution.Wish(0, request.name(), request.name(), request.demand(), false);
        return new Solution(List.of(wish), List.of(new Solution.Taken(wish, device, Map.of())));
    }

    /// What was found.
    sealed interface Finding {

        record Found(PoolView pool, int row) implements Finding {}

        record Nothing() implements Finding {}

        /// Only a search can tell.
        record Unclear() implements Finding {}
    }

    /// @param usable pools in the order in which they are tried
    Finding find(List<PoolView> usable) {
        if (holdings.exclusive().size() + holdings.shares().size() > MAX_HELD) {
            return new Finding.Unclear();
        }
        for (var pool : usable) {
            if (!pool.counters().isSmall() || isUnclear(pool)) {
                return new Finding.Unclear();
            }
        }
        for (var pool : usable) {
            var finding = find(pool);
            if (!(finding instanceof Finding.Nothing)) {
                return finding;
            }
        }
        return new Finding.Nothing();
    }

    /// Amounts that cannot be counted are a fault wherever they are, and shares have amounts.
    private boolean isUnclear(PoolView pool) {
        for (var slice : pool.slices()) {
            if (has(AllocatorFeature.CONSUMABLE_CAPACITY)
                    && slice.hasShareable()
                    && selection.match(slice).next(0) >= 0) {
                return true;
            }
        }
        return false;
    }

    private Finding find(PoolView pool) {
        var counters = new Counters(pool);
        var start = 0;
        for (var slice : pool.slices()) {
            var match = selection.match(slice);
            if (match.hasFaults()) {
                return new Finding.Unclear();
            }
            for (var row = match.next(0); row >= 0; row = match.next(row + 1)) {
                switch (judge(pool, slice, row, counters)) {
                    case FITS -> {
                        return new Finding.Found(pool, start + row);
                    }
                    case FITS_NOT -> {}
                    case UNCLEAR -> {
                        return new Finding.Unclear();
                    }
                }
            }
            start += slice.size();
        }
        return new Finding.Nothing();
    }

    private enum Fit {
        FITS,
        FITS_NOT,
        UNCLEAR
    }

    private Fit judge(PoolView pool, SliceTable slice, int row, Counters counters) {
        var traits = slice.traits(row);
        if (!has(AllocatorFeature.DEVICE_BINDING_AND_STATUS)
                && !traits.bindingConditions().isEmpty()) {
            return Fit.FITS_NOT;
        }
        var isOwn = slice.scope() instanceof SliceScope.PerDevice;
        var id = new DeviceId(pool.id().driver(), pool.id().pool(), slice.deviceName(row));
        if (isOdd(isOwn ? traits.scope() : slice.scope()) || holdings.consumed().containsKey(id)) {
            return Fit.UNCLEAR;
        }
        var suits = suits(slice, row);
        if (suits != Fit.FITS) {
            return suits;
        }
        var isFree =
                !holdings.exclusive().contains(id)
                        && (!isOwn || Pool.reaches(traits.scope(), node))
                        && isAllowed(slice, traits)
                        && counters.admit(pool.counters().drawOf(traits));
        return isFree ? Fit.FITS : Fit.FITS_NOT;
    }

    /// Selectors that cannot be understood, or not be written into a result.
    private static boolean isOdd(Object scope) {
        return scope instanceof NodeScope.MatchingNodes matching
                && (matching.selector().terms().size() != 1 || Pool.fault(matching).isPresent());
    }

    private Fit suits(SliceTable slice, int row) {
        if (!has(AllocatorFeature.CONSUMABLE_CAPACITY)) {
            return Fit.FITS;
        }
        return switch (rounding.of(slice.capacities(row), Optional.empty())) {
            case CapacityRounding.Verdict.Consumes _ -> Fit.FITS;
            case CapacityRounding.Verdict.Unsuitable _ -> Fit.FITS_NOT;
            case CapacityRounding.Verdict.Unrepresentable _ -> Fit.UNCLEAR;
        };
    }

    private boolean isAllowed(SliceTable slice, DeviceTraits traits) {
        return (slice.skipNodeOperations().isEmpty()
                        || RequestOptionBuilder.canSkipNodeOperations(features, node))
                && (has(AllocatorFeature.PARTITIONABLE_DEVICES) || traits.consumes().isEmpty())
                && (!has(AllocatorFeature.DEVICE_TAINTS)
                        || Taints.untolerated(traits.taints(), request.demand().tolerations())
                                .isEmpty());
    }

    private boolean has(AllocatorFeature feature) {
        return features.contains(feature);
    }

    /// What is left of the counters of a pool, found out when the first device asks.
    private final class Counters {

        private final PoolView pool;
        private long[] left = new long[0];
        private boolean isKnown;
        private boolean isOverdrawn;

        Counters(PoolView pool) {
            this.pool = pool;
        }

        boolean admit(CounterConsumption draw) {
            if (draw.isNothing()) {
                return true;
            }
            if (!isKnown) {
                count();
                isKnown = true;
            }
            if (isOverdrawn) {
                return false;
            }
            for (var i = 0; i < draw.counters().length; i++) {
                if (left[draw.counters()[i]] < draw.amounts()[i]) {
                    return false;
                }
            }
            return true;
        }

        private void count() {
            left = pool.counters().smallTotals();
            for (var name : holdings.devicesOf(pool.id())) {
                pool.drawsOf(name).forEach(this::take);
            }
            for (var one : left) {
                isOverdrawn |= one < 0;
            }
        }

        private void take(CounterConsumption draw) {
            for (var i = 0; i < draw.counters().length; i++) {
                left[draw.counters()[i]] -= draw.amounts()[i];
            }
        }
    }
}
