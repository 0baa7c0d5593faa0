package dev.berth.node.agent;

import dev.berth.node.pod.PodDefinition;
import dev.berth.node.pod.ProbeResults;
import dev.berth.node.probe.ContainerProber;
import dev.berth.node.probe.HandlerRunner;
import dev.berth.node.runtime.ContainerState.Phase;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;

/// Has the containers of one pod asked how they are. Use it from one thread.
final class PodProbes implements AutoCloseable {

    private final PodServices shop;
    private final PodActions hands;
    private final Runnable onChange;
    private final Map<String, ContainerProber> probers = new HashMap<>();

    /// @param onChange is told when a container may be fitter or less so
    PodProbes(PodServices shop, PodActions hands, Runnable onChange) {
        this.shop = shop;
        this.hands = hands;
        this.onChange = onChange;
    }

    /// Those that run are asked, those that have ended are not; what is known of each by its id.
    Map<String, ProbeResults> fitness(PodDefinition task, RuntimeStatusCache.Snapshot seen) {
        var running = new HashMap<String, Instant>();
        for (var container : seen.containers()) {
            if (container.phase() instanceof Phase.Running(var since)) {
                running.put(container.id(), since);
                task.find(container.name())
                        .filter(ContainerProber::isNeeded)
                        .map(one ->
                                new HandlerRunner.Target(one, container.id(), hands.address(task)))
                        .ifPresent(target ->
                                probers.computeIfAbsent(
                                        container.id(), _ -> prober(task, target, since)));
            }
        }
        probers.entrySet()
                .removeIf(entry -> {
                    var isOver = !running.containsKey(entry.getKey());
                    if (isOver) {
                        entry.getValue().close();
                    }
                    return isOver;
                });
        var fitness = new HashMap<String, ProbeResults>();
        probers.forEach((id, prober) -> fitness.put(id, prober.fitness()));
        return fitness;
    }

    private ContainerProber prober(PodDefinition task, HandlerRunner.Target target, Instant since) {
        return new ContainerProber(
                hands.check(),
                target,
                since,
                shop.clock(),
                onChange,
                (purpose, message) ->
                        shop.events()
                                .tell(
                                        task.tree(),
                                        true,
                                        "Unhealthy",
                                        "%s probe failed: %s".formatted(purpose.word(), message)));
    }

    @Override
    public void close() {
        probers.values().forEach(ContainerProber::close);
    }
}
