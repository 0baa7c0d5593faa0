package dev.berth.node.agent;

import dev.berth.node.pod.Fitness;
import dev.berth.node.pod.PodTask;
import dev.berth.node.probe.Check;
import dev.berth.node.probe.Prober;
import dev.berth.node.runtime.ContainerState.Phase;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;

/// Has the containers of one pod asked how they are. Use it from one thread.
final class ProbeDesk implements AutoCloseable {

    private final Workshop shop;
    private final PodHands hands;
    private final Runnable onChange;
    private final Map<String, Prober> probers = new HashMap<>();

    /// @param onChange is told when a container may be fitter or less so
    ProbeDesk(Workshop shop, PodHands hands, Runnable onChange) {
        this.shop = shop;
        this.hands = hands;
        this.onChange = onChange;
    }

    /// Those that run are asked, those that have ended are not; what is known of each by its id.
    Map<String, Fitness> fitness(PodTask task, RuntimeView.Snapshot seen) {
        var running = new HashMap<String, Instant>();
        for (var container : seen.containers()) {
            if (container.phase() instanceof Phase.Running(var since)) {
                running.put(container.id(), since);
                task.find(container.name())
                        .filter(Prober::isNeeded)
                        .map(one -> new Check.Target(one, container.id(), hands.address(task)))
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
        var fitness = new HashMap<String, Fitness>();
        probers.forEach((id, prober) -> fitness.put(id, prober.fitness()));
        return fitness;
    }

    private Prober prober(PodTask task, Check.Target target, Instant since) {
        return new Prober(
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
        probers.values().forEach(Prober::close);
    }
}
