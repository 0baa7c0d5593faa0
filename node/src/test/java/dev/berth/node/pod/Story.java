package dev.berth.node.pod;

import dev.berth.model.api.ObjectRef;
import dev.berth.model.api.Uid;
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

/// A pod of a test, and what is seen of it.
final class Story {

    static final Instant START = Instant.parse("2026-01-01T00:00:00Z");

    private static final Uid UID = new Uid("u");

    private JsonObject tree;
    private final List<SandboxState> sandboxes = new ArrayList<>();
    private final List<ContainerState> containers = new ArrayList<>();
    private final Map<String, ProbeResults> fitness = new HashMap<>();
    private final Map<String, Instant> stopping = new HashMap<>();
    private boolean holdsClaims;
    private boolean isGone;

    PodHistory memory = PodHistory.NOTHING;
    Instant now = START;

    Story(String spec) {
        this.tree = tree("{metadata: {name: p, namespace: ns, uid: u}, spec: %s}".formatted(spec));
    }

    static JsonObject tree(String yaml) {
        return YamlReader.read(yaml) instanceof ParseResult.Documents(var documents)
                        && documents.getFirst().root() instanceof JsonObject object
                ? object
                : JsonObject.EMPTY;
    }

    Story metadata(String yaml) {
        var metadata = tree.objectOrEmpty("metadata");
        for (var entry : tree(yaml).members().entrySet()) {
            metadata = metadata.with(entry.getKey(), entry.getValue());
        }
        tree = tree.with("metadata", metadata);
        return this;
    }

    Story status(String yaml) {
        tree = tree.with("status", tree(yaml));
        return this;
    }

    Story sandbox(boolean isReady) {
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

    Story noSandbox() {
        sandboxes.clear();
        containers.clear();
        return this;
    }

    Story running(String name) {
        return container(name, 0, new Phase.Running(START));
    }

    Story exited(String name, int code) {
        return exited(name, 0, code, START);
    }

    Story exited(String name, int attempt, int code, Instant at) {
        return container(
                name,
                attempt,
                new Phase.Exited(START, at, code, code == 0 ? "Completed" : "Error", ""));
    }

    Story container(String name, int attempt, Phase phase) {
        var id = name + attempt;
        containers.removeIf(one -> one.id().equals(id));
        containers.add(
                new ContainerState(
                        id, "box0", UID, name, attempt, phase, START, "sha256:i", Path.of("log")));
        return this;
    }

    Story fitness(String id, boolean isStarted, boolean isReady) {
        fitness.put(id, new ProbeResults(isStarted, isReady, Optional.empty()));
        return this;
    }

    Story sick(String id, Probe.Purpose purpose) {
        fitness.put(
                id, new ProbeResults(true, false, Optional.of(new ProbeResults.Illness(purpose))));
        return this;
    }

    Story stopping(String id, Instant by) {
        stopping.put(id, by);
        return this;
    }

    Story holdingClaims(boolean holds) {
        holdsClaims = holds;
        return this;
    }

    Story gone() {
        isGone = true;
        return this;
    }

    Story later(Duration time) {
        now = now.plus(time);
        return this;
    }

    /// Decides, and takes over what is told and remembered.
    PodDecision decide() {
        var sight =
                new PodObservation(
                        new NodeFacts(List.of("192.0.2.1"), "oci"),
                        sandboxes,
                        containers,
                        fitness,
                        stopping,
                        Map.of(),
                        Map.of(),
                        holdsClaims,
                        isGone);
        var decision = PodDecision.decide(PodDefinition.of(tree), sight, memory, now);
        memory = decision.memory();
        tree = tree.with("status", decision.status());
        return decision;
    }
}
