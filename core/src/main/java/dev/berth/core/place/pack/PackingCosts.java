package dev.berth.core.place.pack;

import dev.berth.core.allocate.DeviceRanking;
import dev.berth.core.place.pack.NodeSupply.State;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// The cost of placing one pod on a node under the policy `pack`.
///
/// The first cost, in steps, is the growth of stranded capacity: devices that the node can no
/// longer use because it lacks CPU or memory for them, the worth that the remaining capacity of a
/// shared device loses, partitions that become impossible, and devices that other pods name. Then
/// the remaining capacity of the chosen device, the lost partitions, and the remaining capacity of
/// the node decide, least first.
///
/// Devices are chosen by the same costs ([#deviceRanking]).
public final class PackingCosts {

    /// First costs that differ by less, in devices, are equal: full devices and nodes come first.
    private static final double STEP = 0.08;

    /// Weight of devices that other pods name, relative to lost devices.
    private static final double SCARCITY_WEIGHT = 0.5;

    private static final double SCALE = 1e6;
    private static final double PRECISION = 1e9;
    private static final double THOUSAND = 1000;

    /// The cost of a device for a request.
    private record DeviceCost(double cost, double left, double lost) {

        static final Comparator<DeviceCost> ORDER =
                Comparator.<DeviceCost>comparingLong(one -> steps(one.cost))
                        .thenComparingDouble(DeviceCost::left)
                        .thenComparingDouble(DeviceCost::lost);
    }

    /// Devices of one state with their cost.
    private record Choice(State state, int count, DeviceCost cost) {}

    private final LearnedDemand demand;
    private final PodDemand pod;
    private final Map<RequestedShare, Long> milliCounts = new LinkedHashMap<>();
    private final RequestKindIndex kinds;
    private final int knownKinds;

    PackingCosts(LearnedDemand demand, PodDemand pod, RequestKindIndex kinds) {
        this.demand = demand;
        this.pod = pod;
        this.kinds = kinds;
        this.knownKinds = kinds.size();
        pod.devices().forEach(one -> milliCounts.merge(one.share(), one.milliCount(), Long::sum));
    }

    private static long steps(double cost) {
        return Math.round(withoutNoise(cost) / STEP);
    }

    /// Sums in another order may differ in their last bits; placements must not.
    private static double withoutNoise(double cost) {
        return Math.round(cost * PRECISION) / PRECISION;
    }

    /// True when both give the same costs for equal pods.
    @SuppressWarnings("ReferenceEquality") // demands are interned
    public boolean hasDemandOf(PackingCosts other) {
        return demand == other.demand;
    }

    /// True when node capacities computed for the other contain the same request kinds.
    @SuppressWarnings("ReferenceEquality")
    public boolean hasKindsOf(PackingCosts other) {
        return kinds == other.kinds && knownKinds == other.knownKinds;
    }

    /// The costs of a node, the most important first.
    public List<Long> of(NodeFreeCapacity node) {
        var cost = 0.0;
        var left = 0.0;
        var lost = 0.0;
        var taken = new HashMap<Integer, Double>();
        var units = 0.0;
        for (var request : milliCounts.entrySet()) {
            var missing = Math.round(request.getValue() / THOUSAND);
            for (var choice : choices(request.getKey(), node.devices())) {
                var count = Math.min(missing, choice.count);
                missing -= count;
                cost += count * choice.cost.cost;
                left += count * choice.cost.left;
                lost += count * choice.cost.lost;
                var size = count * size(request.getKey(), choice.state);
                units += size;
                take(choice.state, size, taken);
                if (missing <= 0) {
                    break;
                }
            }
        }
        return List.of(
                steps(cost + strandedGrowth(node, taken)),
                Math.round(left * SCALE),
                Math.round(lost * SCALE),
                Math.round(remaining(node, units) * SCALE));
    }

    private void take(State state, double size, Map<Integer, Double> taken) {
        for (var kind : demand.byClass().keySet()) {
            if (kind >= 0 && state.kinds().get(kind)) {
                taken.merge(kind, size, Double::sum);
            }
        }
    }

    /// Devices of a node that can serve a request, cheapest first.
    private List<Choice> choices(RequestedShare share, NodeSupply supply) {
        var choices = new ArrayList<Choice>();
        for (var entry : supply.counts().entrySet()) {
            if (serves(entry.getKey(), share)) {
                var state = entry.getKey();
                choices.add(new Choice(state, entry.getValue(), cost(share, state)));
            }
        }
        if (choices.size() > 1) {
            choices.sort(Comparator.comparing(Choice::cost, DeviceCost.ORDER));
        }
        return choices;
    }

    private boolean serves(State state, RequestedShare share) {
        var kind = kinds.number(share.kind());
        if (kind < 0 || !state.kinds().get(kind)) {
            return false;
        }
        if (share.amounts().isEmpty()) {
            return !state.isShared();
        }
        for (var entry : share.amounts().entrySet()) {
            var amount = state.capacities().get(entry.getKey());
            if (amount == null || amount.left() < entry.getValue()) {
                return false;
            }
        }
        return true;
    }

    private DeviceCost cost(RequestedShare share, State state) {
        if (state.isPartition()) {
            var lost = 0.0;
            for (var loss : state.losses().entrySet()) {
                lost += demand.frequency(loss.getKey()) * loss.getValue();
            }
            return new DeviceCost(lost, state.remaining(), withoutNoise(lost));
        }
        var size = size(share, state);
        var worth = 1.0;
        for (var main : demand.mainCapacity(share)) {
            var amount = state.capacities().get(main.name().name());
            if (amount != null) {
                worth = demand.prices(main.name()).cost(amount.left(), main.amount());
            }
        }
        var scarcity = SCARCITY_WEIGHT * size * scarcity(share, state);
        return new DeviceCost(worth + scarcity, Math.max(0, state.remaining() - size), 0);
    }

    /// The fraction of a device that a request takes.
    private double size(RequestedShare share, State state) {
        if (state.isPartition()) {
            return state.size();
        }
        var largest = 0.0;
        for (var entry : share.amounts().entrySet()) {
            var amount = state.capacities().get(entry.getKey());
            if (amount != null && amount.total() > 0) {
                largest = Math.max(largest, (double) entry.getValue() / amount.total());
            }
        }
        return share.amounts().isEmpty() ? 1 : largest;
    }

    /// The demand of other pods that name the device by selectors, relative to the number of such
    /// devices. A pod that names devices itself has no choice among models, so that nothing is
    /// gained by keeping them.
    private double scarcity(RequestedShare share, State state) {
        if (!share.kind().selectors().isEmpty()) {
            return 0;
        }
        var sum = 0.0;
        for (var entry : demand.scarcity().entrySet()) {
            if (entry.getKey() >= 0 && state.kinds().get(entry.getKey())) {
                sum += entry.getValue();
            }
        }
        return sum;
    }

    /// The growth of the devices that lack CPU or memory, weighted by how frequent their class is.
    private double strandedGrowth(NodeFreeCapacity node, Map<Integer, Double> taken) {
        var growth = 0.0;
        for (var entry : demand.byClass().entrySet()) {
            var free = node.devices().free(entry.getKey());
            if (free <= 0) {
                continue;
            }
            var perDevice = entry.getValue();
            var before = stranded(free, node.cpu(), node.memory(), perDevice);
            var after =
                    stranded(
                            free - taken.getOrDefault(entry.getKey(), 0.0),
                            node.cpu() - pod.cpu(),
                            node.memory() - pod.memory(),
                            perDevice);
            growth += perDevice.weight() * (after - before);
        }
        return growth;
    }

    private static double stranded(
            double free, double cpu, double memory, LearnedDemand.PerDevice perDevice) {
        var usable = free;
        if (perDevice.cpu() > 0) {
            usable = Math.min(usable, cpu / perDevice.cpu());
        }
        if (perDevice.memory() > 0) {
            usable = Math.min(usable, memory / perDevice.memory());
        }
        return Math.max(0, free - Math.max(0, usable));
    }

    /// CPU, memory and devices that remain, in devices.
    private double remaining(NodeFreeCapacity node, double units) {
        var sum = -units;
        for (var kind : demand.byClass().keySet()) {
            sum += node.devices().free(kind);
        }
        if (demand.mean().cpu() > 0) {
            sum += (node.cpu() - pod.cpu()) / demand.mean().cpu();
        }
        if (demand.mean().memory() > 0) {
            sum += (node.memory() - pod.memory()) / demand.mean().memory();
        }
        return sum;
    }

    /// The order of a node's devices for the pod: by cost, then in the order of Kubernetes.
    public DeviceRanking deviceRanking(NodeFreeCapacity node) {
        return devices -> order(node.devices().states(devices));
    }

    private int[] order(List<Optional<State>> states) {
        var costs = new HashMap<State, Optional<DeviceCost>>();
        var order = new Integer[states.size()];
        Arrays.setAll(order, device -> device);
        Arrays.sort(
                order,
                Comparator.comparing(
                        device ->
                                states.get(device)
                                        .flatMap(state ->
                                                costs.computeIfAbsent(state, this::cheapest)),
                        PackingCosts::compare));
        return Arrays.stream(order).mapToInt(Integer::intValue).toArray();
    }

    /// The cost for the first request that the device can serve.
    private Optional<DeviceCost> cheapest(State state) {
        for (var share : milliCounts.keySet()) {
            if (serves(state, share)) {
                return Optional.of(cost(share, state));
            }
        }
        return Optional.empty();
    }

    /// Devices that serve no request come last.
    private static int compare(Optional<DeviceCost> one, Optional<DeviceCost> other) {
        if (one.isEmpty() || other.isEmpty()) {
            return Boolean.compare(one.isEmpty(), other.isEmpty());
        }
        return DeviceCost.ORDER.compare(one.get(), other.get());
    }
}
