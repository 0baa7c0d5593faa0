package dev.berth.core.allocate.request;

import dev.berth.core.allocate.rule.AllocatorFeature;
import dev.berth.core.allocate.rule.CapacityRounding;
import dev.berth.core.allocate.search.Solution;
import dev.berth.core.allocate.selector.SelectorCache;
import dev.berth.core.allocate.selector.SelectorChain;
import dev.berth.core.inventory.CounterConsumption;
import dev.berth.core.inventory.DeviceTraits;
import dev.berth.core.inventory.Pool;
import dev.berth.core.inventory.PoolView;
import dev.berth.core.inventory.SliceTable;
import dev.berth.core.ledger.Holdings;
import dev.berth.core.taint.Taints;
import dev.berth.model.api.claim.AllocationCount;
import dev.berth.model.api.claim.DeviceClass;
import dev.berth.model.api.claim.DeviceRequest;
import dev.berth.model.api.claim.DeviceSelector;
import dev.berth.model.api.claim.ResourceClaim;
import dev.berth.model.api.node.Node;
import dev.berth.model.api.slice.DeviceId;
import dev.berth.model.api.slice.NodeScope;
import dev.berth.model.api.slice.SliceScope;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/// Fast path for the most frequent request, one device for one claim: the first device that passes
/// every check is the result. Checks only devices that match the selectors.
///
/// Handles the common checks only. For shareable devices, compatibility groups, failing selectors
/// or amounts of more than 40 bits it defers to [DeviceSearch]. Its results equal those of the full
/// search.
public final class SingleDeviceSearch {

    /// The sum of this many amounts of at most 40 bits fits in 64 bits.
    private static final int MAX_HELD = 4_096;

    private final Node node;
    private final Set<AllocatorFeature> features;
    private final Holdings holdings;
    private final DeviceRequest.Exactly request;
    private final SelectorChain selectorChain;
    private final CapacityRounding rounding;

    private SingleDeviceSearch(
            Node node,
            Set<AllocatorFeature> features,
            Holdings holdings,
            DeviceRequest.Exactly request,
            SelectorChain selectorChain) {
        this.node = node;
        this.features = features;
        this.holdings = holdings;
        this.request = request;
        this.selectorChain = selectorChain;
        this.rounding =
                new CapacityRounding(features.contains(AllocatorFeature.FRACTIONAL_CAPACITY_RANGE));
    }

    /// The search for these claims; empty when they request anything but one device.
    public static Optional<SingleDeviceSearch> of(
            Node node,
            Map<String, DeviceClass> classes,
            Set<AllocatorFeature> features,
            Holdings holdings,
            List<ResourceClaim> claims,
            SelectorCache selectorCache) {
        if (claims.size() != 1
                || !claims.getFirst().spec().constraints().isEmpty()
                || claims.getFirst().spec().requests().size() != 1
                || !(claims.getFirst().spec().requests().getFirst()
                        instanceof DeviceRequest.Exactly request)
                || !isPlain(request)) {
            return Optional.empty();
        }
        return Optional.ofNullable(classes.get(request.demand().deviceClassName()))
                .map(deviceClass -> selectorCache.of(deviceClass, request.demand().selectors()))
                .map(selectorChain ->
                        new SingleDeviceSearch(node, features, holdings, request, selectorChain));
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

    /// The solution that assigns a device.
    public Solution solution(int device) {
        var served =
                new Solution.ServedRequest(
                        0, request.name(), request.name(), request.demand(), false);
        return new Solution(
                List.of(served), List.of(new Solution.ChosenDevice(served, device, Map.of())));
    }

    /// The outcome of the search.
    public sealed interface Outcome {

        record Found(PoolView pool, int row) implements Outcome {}

        record NotFound() implements Outcome {}

        /// The request or the devices need a [DeviceSearch].
        record NeedsFullSearch() implements Outcome {}
    }

    /// Searches the pools in order for the first matching device that is free.
    ///
    /// @param usable usable pools in search order
    public Outcome find(List<PoolView> usable) {
        if (holdings.exclusive().size() + holdings.shares().size() > MAX_HELD) {
            return new Outcome.NeedsFullSearch();
        }
        for (var pool : usable) {
            if (!pool.counters().isSmall() || needsFullSearch(pool)) {
                return new Outcome.NeedsFullSearch();
            }
        }
        for (var pool : usable) {
            var outcome = find(pool);
            if (!(outcome instanceof Outcome.NotFound)) {
                return outcome;
            }
        }
        return new Outcome.NotFound();
    }

    /// Shareable devices need the full search: it fails on amounts that cannot be counted, wherever
    /// they occur.
    private boolean needsFullSearch(PoolView pool) {
        for (var slice : pool.slices()) {
            if (has(AllocatorFeature.CONSUMABLE_CAPACITY)
                    && slice.hasShareable()
                    && selectorChain.match(slice).next(0) >= 0) {
                return true;
            }
        }
        return false;
    }

    private Outcome find(PoolView pool) {
        var counters = new Counters(pool);
        var start = 0;
        for (var slice : pool.slices()) {
            var match = selectorChain.match(slice);
            if (match.hasFaults()) {
                return new Outcome.NeedsFullSearch();
            }
            for (var row = match.next(0); row >= 0; row = match.next(row + 1)) {
                switch (evaluate(pool, slice, row, counters)) {
                    case FITS -> {
                        return new Outcome.Found(pool, start + row);
                    }
                    case DOES_NOT_FIT -> {}
                    case NEEDS_FULL_SEARCH -> {
                        return new Outcome.NeedsFullSearch();
                    }
                }
            }
            start += slice.size();
        }
        return new Outcome.NotFound();
    }

    private enum Fit {
        FITS,
        DOES_NOT_FIT,
        NEEDS_FULL_SEARCH
    }

    private Fit evaluate(PoolView pool, SliceTable slice, int row, Counters counters) {
        var traits = slice.traits(row);
        if (!has(AllocatorFeature.DEVICE_BINDING_AND_STATUS)
                && !traits.bindingConditions().isEmpty()) {
            return Fit.DOES_NOT_FIT;
        }
        var isOwn = slice.scope() instanceof SliceScope.PerDevice;
        var id = new DeviceId(pool.id().driver(), pool.id().pool(), slice.deviceName(row));
        if (isUnsupported(isOwn ? traits.scope() : slice.scope())
                || holdings.consumed().containsKey(id)) {
            return Fit.NEEDS_FULL_SEARCH;
        }
        var suits = suits(slice, row);
        if (suits != Fit.FITS) {
            return suits;
        }
        var isFree =
                !holdings.exclusive().contains(id)
                        && (!isOwn || Pool.reaches(traits.scope(), node))
                        && isAllowed(slice, traits)
                        && counters.admit(pool.counters().consumptionOf(traits));
        return isFree ? Fit.FITS : Fit.DOES_NOT_FIT;
    }

    /// Whether a node selector is invalid or cannot be written into an allocation result.
    private static boolean isUnsupported(Object scope) {
        return scope instanceof NodeScope.MatchingNodes matching
                && (matching.selector().terms().size() != 1 || Pool.fault(matching).isPresent());
    }

    private Fit suits(SliceTable slice, int row) {
        if (!has(AllocatorFeature.CONSUMABLE_CAPACITY)) {
            return Fit.FITS;
        }
        return switch (rounding.of(slice.capacities(row), Optional.empty())) {
            case CapacityRounding.Result.Consumes _ -> Fit.FITS;
            case CapacityRounding.Result.Unsuitable _ -> Fit.DOES_NOT_FIT;
            case CapacityRounding.Result.Unrepresentable _ -> Fit.NEEDS_FULL_SEARCH;
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

    /// Remaining counters of a pool, computed on first use.
    private final class Counters {

        private final PoolView pool;
        private long[] left = new long[0];
        private boolean isKnown;
        private boolean isOverdrawn;

        Counters(PoolView pool) {
            this.pool = pool;
        }

        boolean admit(CounterConsumption consumption) {
            if (consumption.isEmpty()) {
                return true;
            }
            if (!isKnown) {
                count();
                isKnown = true;
            }
            if (isOverdrawn) {
                return false;
            }
            for (var i = 0; i < consumption.counters().length; i++) {
                if (left[consumption.counters()[i]] < consumption.amounts()[i]) {
                    return false;
                }
            }
            return true;
        }

        private void count() {
            left = pool.counters().smallTotals();
            for (var name : holdings.devicesOf(pool.id())) {
                pool.consumptionsOf(name).forEach(this::take);
            }
            for (var one : left) {
                isOverdrawn |= one < 0;
            }
        }

        private void take(CounterConsumption consumption) {
            for (var i = 0; i < consumption.counters().length; i++) {
                left[consumption.counters()[i]] -= consumption.amounts()[i];
            }
        }
    }
}
