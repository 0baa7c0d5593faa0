package dev.berth.core.place.pack;

import dev.berth.core.place.pack.ClusterSupply.CapacityName;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.function.BiFunction;

/// Demand of the pods of a snapshot: CPU and memory per device, the frequency of request kinds, and
/// the prices of shares.
///
/// Numbers are rounded, so that a further pod seldom changes the demand: costs of nodes are
/// recomputed only when it changes.
final class LearnedDemand {

    /// Nodes should keep CPU for this part of what pods with devices request on average: pods with
    /// less than the mean use the devices of nodes with little CPU.
    private static final double RESERVED = 0.9;

    /// Natural logarithm of the ratio between neighbouring rounded values.
    private static final double MEAN_STEP = 0.1;

    private static final double FREQUENCY_STEP = Math.log(2) / 2;
    private static final double SIZE_STEP = Math.log(2);
    private static final int SIZE_WEIGHT_BITS = 20;

    /// A rounded logarithm of a ratio; empty ratios have none.
    private static final long NONE = Long.MIN_VALUE;

    /// The rounded values, by which demands are compared.
    record Rounded(
            long cpu,
            long memory,
            TreeMap<String, List<Long>> classes,
            Map<RequestKind, List<Long>> kinds,
            Map<CapacityName, Sizes> sizes) {}

    /// The rounded mix of share sizes of a capacity.
    record Sizes(long capacity, List<Long> sizes, List<Long> weights) {}

    /// CPU in thousandths and memory in bytes for one device; zero if unknown.
    ///
    /// @param weight the part of these devices among all that are requested
    record PerDevice(double cpu, double memory, double weight) {}

    private final PerDevice mean;
    private final Map<Integer, PerDevice> byClass = new LinkedHashMap<>();
    private final Map<Integer, Double> frequency = new TreeMap<>();
    private final Map<Integer, Double> scarcity = new TreeMap<>();
    private final Map<CapacityName, SharePrices> prices = new HashMap<>();
    private final Map<RequestedShare, List<DemandSums.MainCapacity>> mainCapacities =
            new HashMap<>();
    private final ClusterSupply supply;

    LearnedDemand(
            Rounded rounded,
            RequestKindIndex kinds,
            ClusterSupply supply,
            BiFunction<CapacityName, Sizes, SharePrices> priced) {
        this.supply = supply;
        this.mean =
                new PerDevice(value(rounded.cpu, MEAN_STEP), value(rounded.memory, MEAN_STEP), 1);
        rounded.classes.forEach((name, values) ->
                byClass.put(
                        kinds.number(new RequestKind(name, List.of())),
                        new PerDevice(
                                value(values.get(0), MEAN_STEP),
                                value(values.get(1), MEAN_STEP),
                                value(values.get(2), FREQUENCY_STEP))));
        rounded.kinds.forEach((kind, values) -> {
            frequency.put(kinds.number(kind), value(values.get(0), FREQUENCY_STEP));
            if (!kind.selectors().isEmpty()) {
                scarcity.put(kinds.number(kind), value(values.get(1), FREQUENCY_STEP));
            }
        });
        rounded.sizes.forEach((name, sizes) -> prices.put(name, priced.apply(name, sizes)));
    }

    private static double value(long rounded, double step) {
        return rounded == NONE ? 0 : Math.exp(rounded * step);
    }

    private static long rounded(double value, double step) {
        return value > 0 && Double.isFinite(value) ? Math.round(Math.log(value) / step) : NONE;
    }

    /// The rounded demand of all pods.
    static Rounded rounded(DemandSums sums, RequestKindIndex kinds, ClusterSupply supply) {
        var devices = sums.devices(kinds, supply);
        var perClass = new TreeMap<String, Long>();
        devices.forEach((kind, sum) -> perClass.merge(kind.className(), sum, Long::sum));
        var total = perClass.values().stream().mapToLong(Long::longValue).sum();
        var all = (double) total / ClusterSupply.UNIT;
        var classes = new TreeMap<String, List<Long>>();
        var withDevices = new double[2];
        perClass.forEach((name, sum) -> {
            var number = (double) sum / ClusterSupply.UNIT;
            var resources = sums.ofClass(name);
            withDevices[0] = Math.max(withDevices[0], (double) resources.cpu);
            withDevices[1] = Math.max(withDevices[1], (double) resources.memory);
            classes.put(
                    name,
                    List.of(
                            rounded(RESERVED * resources.cpu / number, MEAN_STEP),
                            rounded(RESERVED * resources.memory / number, MEAN_STEP),
                            rounded(number / all, FREQUENCY_STEP)));
        });
        var ofKinds = new HashMap<RequestKind, List<Long>>();
        devices.forEach((kind, sum) ->
                ofKinds.put(kind, ofKind(kind, sum, total, perClass, kinds, supply)));
        var divisor = total > 0 ? all : Math.max(1, sums.pods());
        return new Rounded(
                rounded((total > 0 ? withDevices[0] : sums.all().cpu) / divisor, MEAN_STEP),
                rounded((total > 0 ? withDevices[1] : sums.all().memory) / divisor, MEAN_STEP),
                classes,
                ofKinds,
                sizes(sums, supply));
    }

    /// The frequency of a kind, and the demand for its devices when the cluster is full, relative
    /// to their number.
    private static List<Long> ofKind(
            RequestKind kind,
            long sum,
            long total,
            Map<String, Long> perClass,
            RequestKindIndex kinds,
            ClusterSupply supply) {
        var inClass = (double) sum / perClass.getOrDefault(kind.className(), 1L);
        var number = supply.devices(kinds.number(kind));
        var ofClass = supply.devices(kinds.number(kind.withoutSelectors()));
        return List.of(
                rounded((double) sum / total, FREQUENCY_STEP),
                rounded(number > 0 ? inClass * ofClass / number : 0, FREQUENCY_STEP));
    }

    private static Map<CapacityName, Sizes> sizes(DemandSums sums, ClusterSupply supply) {
        var rounded = new HashMap<CapacityName, Sizes>();
        sums.shareSizes(supply)
                .forEach((name, counts) -> {
                    var all = (double) counts.values().stream().mapToLong(Long::longValue).sum();
                    var weights =
                            counts.values().stream()
                                    .map(count ->
                                            SIZE_WEIGHT_BITS + rounded(count / all, SIZE_STEP))
                                    .map(bits -> 1L << Math.clamp(bits, 0, SIZE_WEIGHT_BITS))
                                    .toList();
                    rounded.put(
                            name,
                            new Sizes(
                                    supply.largestCapacity(name),
                                    List.copyOf(counts.keySet()),
                                    weights));
                });
        return rounded;
    }

    /// CPU and memory per device of any class; per pod if no pod requests devices.
    PerDevice mean() {
        return mean;
    }

    /// CPU and memory per device by the number of the class, in the order of class names.
    Map<Integer, PerDevice> byClass() {
        return byClass;
    }

    /// The part of a request kind among all requested devices.
    double frequency(int kind) {
        return frequency.getOrDefault(kind, 0.0);
    }

    /// Kinds with selectors, and the demand for their devices relative to their number.
    Map<Integer, Double> scarcity() {
        return scarcity;
    }

    /// The main capacity of a share; empty for whole devices.
    List<DemandSums.MainCapacity> mainCapacity(RequestedShare share) {
        return mainCapacities.computeIfAbsent(share, one -> DemandSums.mainCapacity(one, supply));
    }

    SharePrices prices(CapacityName name) {
        return Objects.requireNonNull(prices.get(name));
    }
}
