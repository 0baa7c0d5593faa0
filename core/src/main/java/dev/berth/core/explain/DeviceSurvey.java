package dev.berth.core.explain;

import dev.berth.core.allocate.AllocationOutcome;
import dev.berth.core.cel.ListedDevice;
import dev.berth.core.explain.NodeReport.UnusablePool;
import dev.berth.core.explain.Obstacle.Encounter;
import dev.berth.core.inventory.PoolView;
import dev.berth.model.api.Device;
import dev.berth.model.api.DeviceId;
import dev.berth.model.api.Node;
import dev.berth.model.api.PoolId;
import dev.berth.model.api.ResourceSlice;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// Judges every device for every request, node by node, and counts.
final class DeviceSurvey {

    private final ExplainInputs situation;
    private final WhatIfAllocator prober;
    private final SelectorEvaluation selectors;
    private final DeviceObstacles judge;
    private final List<RequestAlternative> wants;
    private final List<Map<DeviceId, Finding>> best = new ArrayList<>();
    private final Map<PoolId, String> unusable = new HashMap<>();

    /// The kindest verdict on a device, and the node that has it.
    record Finding(String node, DeviceObstacles.Verdict verdict) {}

    DeviceSurvey(
            ExplainInputs situation,
            WhatIfAllocator prober,
            DeviceHolders ledger,
            SelectorEvaluation selectors) {
        this.situation = situation;
        this.prober = prober;
        this.selectors = selectors;
        this.judge = new DeviceObstacles(situation, ledger, selectors);
        this.wants = RequestAlternative.of(situation);
        wants.forEach(_ -> best.add(new LinkedHashMap<>()));
    }

    List<RequestAlternative> wants() {
        return wants;
    }

    /// The kindest verdict on each device that a usable node sees, for a request.
    Map<DeviceId, Finding> findings(int want) {
        return best.get(want);
    }

    DeviceObstacles.Verdict judged(RequestAlternative want, Node node, PoolView pool, int row) {
        return judge.judge(want, node, pool, row);
    }

    NodeReport report(Node node, AllocationOutcome answer) {
        var pools = prober.seenFrom(node);
        var barred = situation.barred().getOrDefault(node.name(), List.of());
        var requests = new ArrayList<RequestReport>();
        for (var i = 0; i < wants.size(); i++) {
            var want = wants.get(i);
            if (situation.isOffered(node.name(), want.claim(), want.request())) {
                continue;
            }
            var verdicts = new LinkedHashMap<DeviceId, DeviceObstacles.Verdict>();
            for (var pool : pools) {
                judge(want, node, pool, verdicts);
            }
            if (barred.isEmpty()) {
                remember(i, node, verdicts);
            }
            requests.add(ObstacleCounter.of(want, verdicts.values()));
        }
        var bad = unusable(pools);
        if (barred.isEmpty()) {
            bad.forEach(pool -> unusable.put(pool.pool(), pool.why()));
        }
        return new NodeReport(
                node.name(),
                barred,
                answer instanceof AllocationOutcome.Failed failed
                        ? Optional.of(failed.message())
                        : Optional.empty(),
                answer instanceof AllocationOutcome.Undecided,
                bad,
                requests,
                List.of());
    }

    private void judge(
            RequestAlternative want,
            Node node,
            PoolView pool,
            Map<DeviceId, DeviceObstacles.Verdict> verdicts) {
        if (!pool.isUsable()) {
            return;
        }
        for (var row = 0; row < pool.size(); row++) {
            verdicts.put(pool.device(row), judge.judge(want, node, pool, row));
        }
    }

    private void remember(int want, Node node, Map<DeviceId, DeviceObstacles.Verdict> verdicts) {
        verdicts.forEach((id, verdict) ->
                best.get(want)
                        .merge(
                                id,
                                new Finding(node.name(), verdict),
                                (a, b) ->
                                        b.verdict.encounters().size()
                                                        < a.verdict.encounters().size()
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
                                        "incomplete: %d of %d slices are there"
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

    /// Each request over the whole cluster, devices that no node can use included.
    List<RequestReport> cluster() {
        var reports = new ArrayList<RequestReport>();
        for (var i = 0; i < wants.size(); i++) {
            var want = wants.get(i);
            var verdicts = new LinkedHashMap<DeviceId, DeviceObstacles.Verdict>();
            best.get(i).forEach((id, finding) -> verdicts.put(id, finding.verdict));
            for (var slice : newest()) {
                for (var device : slice.spec().devices()) {
                    var pool = slice.poolId();
                    var id = new DeviceId(pool.driver(), pool.pool(), device.name());
                    verdicts.computeIfAbsent(id, _ -> unseen(pool, device, want));
                }
            }
            reports.add(ObstacleCounter.of(want, verdicts.values()));
        }
        return reports;
    }

    private List<ResourceSlice> newest() {
        var generations = new HashMap<PoolId, Long>();
        for (var slice : situation.slices()) {
            generations.merge(slice.poolId(), slice.spec().pool().generation(), Math::max);
        }
        return situation.slices().stream()
                .filter(slice ->
                        generations.getOrDefault(slice.poolId(), 0L)
                                == slice.spec().pool().generation())
                .toList();
    }

    private DeviceObstacles.Verdict unseen(PoolId pool, Device device, RequestAlternative want) {
        var view = ListedDevice.of(pool.driver(), device);
        var ofClass = selectors.ofClass(want, view);
        var found = new ArrayList<>(ofClass);
        found.addAll(selectors.ofRequest(want, view));
        var why = unusable.get(pool);
        found.add(
                why == null
                        ? new Encounter(new Obstacle.OutOfReach(), "")
                        : new Encounter(new Obstacle.PoolUnusable(pool, why), ""));
        return new DeviceObstacles.Verdict(ofClass.isEmpty(), false, found);
    }
}
