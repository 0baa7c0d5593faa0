package dev.berth.node.pod;

import dev.berth.model.api.meta.ObjectRef;
import dev.berth.model.api.meta.Uid;
import dev.berth.model.json.JsonObject;
import dev.berth.model.json.ParseResult;
import dev.berth.model.json.YamlReader;
import dev.berth.node.pod.PodObservation.NodeFacts;
import dev.berth.node.runtime.ContainerState;
import dev.berth.node.runtime.ContainerState.Phase;
import dev.berth.node.runtime.SandboxState;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// Scenario of pod decisions: a pod and its observed state.
final class PodScenario {

    static final Instant START = Instant.parse("2026-01-01T00:00:00Z");

    private static final Uid UID = new Uid("u");

    private JsonObject tree;
    private final List<SandboxState> sandboxes = new ArrayList<>();
    private final List<ContainerState> containers = new ArrayList<>();
    private final Map<String, ProbeResults> probeResults = new HashMap<>();
    private final Map<String, Instant> stopping = new HashMap<>();
    private boolean holdsClaims;
    private boolean isGone;

    PodWorkerState workerState = PodWorkerState.EMPTY;
    Instant now = START;

    PodScenario(String spec) {
        this.tree = tree("{metadata: {name: p, namespace: ns, uid: u}, spec: %s}".formatted(spec));
    }

    static JsonObject tree(String yaml) {
        return YamlReader.read(yaml) instanceof ParseResult.Documents(var documents)
                        && documents.getFirst().root() instanceof JsonObject object
                ? object
                : JsonObject.EMPTY;
    }

    PodScenario metadata(String yaml) {
        var metadata = tree.objectOrEmpty("metadata");
        for (var entry : tree(yaml).members().entrySet()) {
            metadata = metadata.with(entry.getKey(), entry.getValue());
        }
        tree = tree.with("metadata", metadata);
        return this;
    }

    PodScenario status(String yaml) {
        tree = tree.with("status", tree(yaml));
        return this;
    }

    PodScenario sandbox(boolean isReady) {
        var number = sandboxes.size();
        sandboxes.add(
                new SandboxState(
                        "box" + number,
                        new ObjectRef("ns", "p"),
                        UID,
                        number,
                        isReady,
                        START,
                        List.of("10.0.0.1")));
        return this;
    }

    PodScenario noSandbox() {
        sandboxes.clear();
        containers.clear();
        return this;
    }

    PodScenario running(String name) {
        return container(name, 0, new Phase.Running(START));
    }

    PodScenario exited(String name, int code) {
        return exited(name, 0, code, START);
    }

    PodScenario exited(String name, int attempt, int code, Instant at) {
        return container(
                name,
                attempt,
                new Phase.Exited(START, at, code, code == 0 ? "Completed" : "Error", ""));
    }

    PodScenario container(String name, int attempt, Phase phase) {
        var id = name + attempt;
        containers.removeIf(one -> one.id().equals(id));
        containers.add(
                new ContainerState(
                        id, "box0", UID, name, attempt, phase, START, "sha256:i", Path.of("log")));
        return this;
    }

    PodScenario probeResults(String id, boolean isStarted, boolean isReady) {
        probeResults.put(id, new ProbeResults(isStarted, isReady, Optional.empty()));
        return this;
    }

    PodScenario probeFailure(String id, Probe.Purpose purpose) {
        probeResults.put(
                id,
                new ProbeResults(true, false, Optional.of(new ProbeResults.ProbeFailure(purpose))));
        return this;
    }

    PodScenario stopping(String id, Instant by) {
        stopping.put(id, by);
        return this;
    }

    PodScenario holdingClaims(boolean holds) {
        holdsClaims = holds;
        return this;
    }

    PodScenario gone() {
        isGone = true;
        return this;
    }

    PodScenario later(Duration time) {
        now = now.plus(time);
        return this;
    }

    /// Decides, and keeps the status and history for the next decision.
    PodDecision decide() {
        var observation =
                new PodObservation(
                        new NodeFacts(List.of("192.0.2.1"), "oci"),
                        sandboxes,
                        containers,
                        probeResults,
                        stopping,
                        Map.of(),
                        Map.of(),
                        holdsClaims,
                        isGone);
        var decision = PodDecision.decide(PodDefinition.of(tree), observation, workerState, now);
        workerState = decision.workerState();
        tree = tree.with("status", decision.status());
        return decision;
    }
}
