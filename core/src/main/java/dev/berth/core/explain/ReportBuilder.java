package dev.berth.core.explain;

import dev.berth.core.allocate.AllocationOutcome;
import dev.berth.core.cel.ListedDevice;
import dev.berth.core.explain.NodeReport.UnusablePool;
import dev.berth.core.explain.Obstacle.Occurrence;
import dev.berth.core.inventory.PoolView;
import dev.berth.model.api.node.Node;
import dev.berth.model.api.slice.Device;
import dev.berth.model.api.slice.DeviceId;
import dev.berth.model.api.slice.PoolId;
import dev.berth.model.api.slice.ResourceSlice;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// Builds the reports of an explanation: checks every device against every request on each node and
/// counts devices by obstacle.
public final class ReportBuilder {

    private final ExplainInputs inputs;
    private final WhatIfAllocator whatIf;
    private final SelectorEvaluation selectors;
    private final DeviceObstacles obstacles;
    private final List<RequestAlternative> alternatives;
    private final RelevantDrivers relevant;
    private final List<Map<DeviceId, BestFit>> bestFits = new ArrayList<>();
    private final Map<PoolId, String> unusable = new HashMap<>();

    /// The check of a device with the fewest obstacles, and the node where that holds.
    public record BestFit(String node, DeviceObstacles.DeviceFit fit) {}

    public ReportBuilder(
            ExplainInputs inputs,
            WhatIfAllocator whatIf,
            DeviceHolders deviceHolders,
            SelectorEvaluation selectors) {
        this.inputs = inputs;
        this.whatIf = whatIf;
        this.selectors = selectors;
        this.obstacles = new DeviceObstacles(inputs, deviceHolders, selectors);
        this.alternatives = RequestAlternative.of(inputs);
        this.relevant = new RelevantDrivers(inputs, alternatives, selectors);
        alternatives.forEach(_ -> bestFits.add(new LinkedHashMap<>()));
    }

    /// Whether a request can match devices of a pool.
    public boolean isRelevant(PoolId pool) {
        return relevant.contains(pool.driver());
    }

    public List<RequestAlternative> alternatives() {
        return alternatives;
    }

    /// For a request, the best result of each device that is visible from a node without
    /// rejections.
    public Map<DeviceId, BestFit> bestFits(int alternative) {
        return bestFits.get(alternative);
    }

    public DeviceObstacles.DeviceFit evaluate(
            RequestAlternative alternative, Node node, PoolView pool, int row) {
        return obstacles.evaluate(alternative, node, pool, row);
    }

    /// The free amounts of the counters of a pool.
    public BigInteger[] countersLeft(PoolView pool) {
        return obstacles.countersLeft(pool);
    }

    public NodeReport report(Node node, AllocationOutcome outcome) {
        var pools = whatIf.visibleFrom(node);
        var rejections = inputs.rejections().getOrDefault(node.name(), List.of());
        var requests = new ArrayList<RequestReport>();
        for (var i = 0; i < alternatives.size(); i++) {
            var alternative = alternatives.get(i);
            if (inputs.isOffered(node.name(), alternative.claim(), alternative.request())) {
                continue;
            }
            var fits = new LinkedHashMap<DeviceId, DeviceObstacles.DeviceFit>();
            for (var pool : pools) {
                evaluateAll(alternative, node, pool, fits);
            }
            if (rejections.isEmpty()) {
                keepBest(i, node, fits);
            }
            requests.add(ObstacleCounter.of(alternative, fits.values()));
        }
        var bad = unusable(pools);
        if (rejections.isEmpty()) {
            bad.forEach(pool -> unusable.put(pool.pool(), pool.why()));
        }
        return new NodeReport(
                node.name(),
                rejections,
                outcome instanceof AllocationOutcome.Failed failed
                        ? Optional.of(failed.message())
                        : Optional.empty(),
                outcome instanceof AllocationOutcome.Undecided,
                bad,
                requests,
                List.of());
    }

    private void evaluateAll(
            RequestAlternative alternative,
            Node node,
            PoolView pool,
            Map<DeviceId, DeviceObstacles.DeviceFit> fits) {
        if (!pool.isUsable()) {
            return;
        }
        for (var row = 0; row < pool.size(); row++) {
            fits.put(pool.device(row), obstacles.evaluate(alternative, node, pool, row));
        }
    }

    private void keepBest(
            int alternative, Node node, Map<DeviceId, DeviceObstacles.DeviceFit> fits) {
        fits.forEach((id, fit) ->
                bestFits.get(alternative)
                        .merge(
                                id,
                                new BestFit(node.name(), fit),
                                (a, b) -> isNearer(b, a) ? b : a));
    }

    private static boolean isNearer(BestFit one, BestFit other) {
        return DeviceCheck.compare(one.fit.occurrences(), other.fit.occurrences()) < 0;
    }

    /// The unusable pools of drivers that a request can match.
    private List<UnusablePool> unusable(List<PoolView> pools) {
        var found = new ArrayList<UnusablePool>();
        for (var pool : pools) {
            if (!pool.isUsable() && !isRelevant(pool.id())) {
                continue;
            }
            switch (pool.status()) {
                case PoolView.Status.Complete _ -> {}
                case PoolView.Status.Incomplete(var present, var expected) ->
                        found.add(
                                new UnusablePool(
                                        pool.id(),
                                        "incomplete: %d of %d slices exist"
                                                .formatted(present, expected),
                                        present < expected));
                case PoolView.Status.Invalid(var reason) ->
                        found.add(new UnusablePool(pool.id(), "invalid: " + reason, false));
                case PoolView.Status.Malformed(var reason) ->
                        found.add(new UnusablePool(pool.id(), reason, false));
            }
        }
        return found;
    }

    /// Counts each request over the whole cluster, including devices that no node can use.
    public List<RequestReport> cluster() {
        var reports = new ArrayList<RequestReport>();
        for (var i = 0; i < alternatives.size(); i++) {
            reports.add(ObstacleCounter.of(alternatives.get(i), allFits(i).values()));
        }
        return reports;
    }

    /// The steps of each request over the whole cluster.
    public List<RequestSteps> steps() {
        var steps = new ArrayList<RequestSteps>();
        for (var i = 0; i < alternatives.size(); i++) {
            steps.add(RequestSteps.of(alternatives.get(i), allFits(i), inputs));
        }
        return steps;
    }

    /// The best result of every published device for a request.
    private Map<DeviceId, DeviceObstacles.DeviceFit> allFits(int alternative) {
        var fits = new LinkedHashMap<DeviceId, DeviceObstacles.DeviceFit>();
        bestFits.get(alternative).forEach((id, best) -> fits.put(id, best.fit));
        for (var slice : newest()) {
            for (var device : slice.spec().devices()) {
                var pool = slice.poolId();
                var id = new DeviceId(pool.driver(), pool.pool(), device.name());
                fits.computeIfAbsent(id, _ -> unseen(pool, device, alternatives.get(alternative)));
            }
        }
        return fits;
    }

    private List<ResourceSlice> newest() {
        var generations = new HashMap<PoolId, Long>();
        for (var slice : inputs.slices()) {
            generations.merge(slice.poolId(), slice.spec().pool().generation(), Math::max);
        }
        return inputs.slices().stream()
                .filter(slice ->
                        generations.getOrDefault(slice.poolId(), 0L)
                                == slice.spec().pool().generation())
                .toList();
    }

    private DeviceObstacles.DeviceFit unseen(
            PoolId pool, Device device, RequestAlternative alternative) {
        var view = ListedDevice.of(pool.driver(), device);
        var ofClass = selectors.ofClass(alternative, view);
        var found = new ArrayList<>(ofClass);
        found.addAll(selectors.ofRequest(alternative, view));
        var why = unusable.get(pool);
        found.add(
                why == null
                        ? new Occurrence(new Obstacle.OutOfReach(), "")
                        : new Occurrence(new Obstacle.PoolUnusable(pool, why), ""));
        return new DeviceObstacles.DeviceFit(ofClass.isEmpty(), false, found);
    }
}
