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
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// Builds the reports of an explanation: checks every device against every request on each node and
/// counts devices by obstacle.
final class ReportBuilder {

    private final ExplainInputs inputs;
    private final WhatIfAllocator whatIf;
    private final SelectorEvaluation selectors;
    private final DeviceObstacles obstacles;
    private final List<RequestAlternative> alternatives;
    private final List<Map<DeviceId, BestFit>> bestFits = new ArrayList<>();
    private final Map<PoolId, String> unusable = new HashMap<>();

    /// The check of a device with the fewest obstacles, and the node where that holds.
    record BestFit(String node, DeviceObstacles.DeviceFit fit) {}

    ReportBuilder(
            ExplainInputs inputs,
            WhatIfAllocator whatIf,
            DeviceHolders deviceHolders,
            SelectorEvaluation selectors) {
        this.inputs = inputs;
        this.whatIf = whatIf;
        this.selectors = selectors;
        this.obstacles = new DeviceObstacles(inputs, deviceHolders, selectors);
        this.alternatives = RequestAlternative.of(inputs);
        alternatives.forEach(_ -> bestFits.add(new LinkedHashMap<>()));
    }

    List<RequestAlternative> alternatives() {
        return alternatives;
    }

    /// For a request, the best result of each device that is visible from a node without
    /// rejections.
    Map<DeviceId, BestFit> bestFits(int alternative) {
        return bestFits.get(alternative);
    }

    DeviceObstacles.DeviceFit evaluate(
            RequestAlternative alternative, Node node, PoolView pool, int row) {
        return obstacles.evaluate(alternative, node, pool, row);
    }

    NodeReport report(Node node, AllocationOutcome outcome) {
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
                                (a, b) ->
                                        b.fit.occurrences().size() < a.fit.occurrences().size()
                                                ? b
                                                : a));
    }

    private static List<UnusablePool> unusable(List<PoolView> pools) {
        var found = new ArrayList<UnusablePool>();
        for (var pool : pools) {
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
    List<RequestReport> cluster() {
        var reports = new ArrayList<RequestReport>();
        for (var i = 0; i < alternatives.size(); i++) {
            var alternative = alternatives.get(i);
            var fits = new LinkedHashMap<DeviceId, DeviceObstacles.DeviceFit>();
            bestFits.get(i).forEach((id, best) -> fits.put(id, best.fit));
            for (var slice : newest()) {
                for (var device : slice.spec().devices()) {
                    var pool = slice.poolId();
                    var id = new DeviceId(pool.driver(), pool.pool(), device.name());
                    fits.computeIfAbsent(id, _ -> unseen(pool, device, alternative));
                }
            }
            reports.add(ObstacleCounter.of(alternative, fits.values()));
        }
        return reports;
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
