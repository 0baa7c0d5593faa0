package dev.berth.node.agent;

import dev.berth.node.pod.PodDefinition;
import dev.berth.node.pod.ProbeResults;
import dev.berth.node.probe.ContainerProber;
import dev.berth.node.probe.HandlerRunner;
import dev.berth.node.runtime.ContainerState.Phase;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;

/// Runs the probe workers of one pod's containers. Not thread-safe.
final class PodProbes implements AutoCloseable {

    private final PodServices services;
    private final PodActions actions;
    private final Runnable onChange;
    private final Map<String, ContainerProber> probers = new HashMap<>();

    /// @param onChange called when a probe result may have changed
    PodProbes(PodServices services, PodActions actions, Runnable onChange) {
        this.services = services;
        this.actions = actions;
        this.onChange = onChange;
    }

    /// Starts probe workers of running containers and stops those of terminated ones. Returns the
    /// results by container ID.
    Map<String, ProbeResults> probeResults(
            PodDefinition definition, RuntimeStatusCache.Snapshot snapshot) {
        var running = new HashMap<String, Instant>();
        for (var container : snapshot.containers()) {
            if (container.phase() instanceof Phase.Running(var since)) {
                running.put(container.id(), since);
                definition
                        .find(container.name())
                        .filter(ContainerProber::isNeeded)
                        .map(one ->
                                new HandlerRunner.Target(
                                        one, container.id(), actions.address(definition)))
                        .ifPresent(target ->
                                probers.computeIfAbsent(
                                        container.id(), _ -> prober(definition, target, since)));
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
        var probeResults = new HashMap<String, ProbeResults>();
        probers.forEach((id, prober) -> probeResults.put(id, prober.probeResults()));
        return probeResults;
    }

    private ContainerProber prober(
            PodDefinition definition, HandlerRunner.Target target, Instant since) {
        return new ContainerProber(
                actions.handlers(),
                target,
                since,
                services.clock(),
                onChange,
                (purpose, message) ->
                        services.events()
                                .record(
                                        definition.tree(),
                                        target.definition().name(),
                                        true,
                                        "Unhealthy",
                                        "%s probe failed: %s".formatted(purpose.text(), message)));
    }

    @Override
    public void close() {
        probers.values().forEach(ContainerProber::close);
    }
}
