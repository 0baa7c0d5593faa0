package dev.berth.node.agent;

import dev.berth.model.api.meta.ObjectRef;
import dev.berth.node.runtime.CommandResult;
import dev.berth.node.runtime.CommandSession;
import dev.berth.node.runtime.ContainerRuntime;
import dev.berth.node.runtime.ContainerSpec;
import dev.berth.node.runtime.ContainerState;
import dev.berth.node.runtime.ContainerState.Phase;
import dev.berth.node.runtime.ImageConfig;
import dev.berth.node.runtime.RuntimeFailure;
import dev.berth.node.runtime.RuntimeIdentity;
import dev.berth.node.runtime.SandboxSpec;
import dev.berth.node.runtime.SandboxState;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;

/// In-memory container runtime. Containers run until a test ends them.
final class MemoryRuntime implements ContainerRuntime {

    private final Map<String, SandboxState> sandboxes = new LinkedHashMap<>();
    private final Map<String, ContainerState> containers = new LinkedHashMap<>();
    private final Map<String, ContainerSpec> specs = new LinkedHashMap<>();
    private final List<Runnable> listeners = new CopyOnWriteArrayList<>();
    private final Set<String> missingImages = new HashSet<>();
    private int count;

    /// Calls, in order.
    final List<String> log = new CopyOnWriteArrayList<>();

    volatile String failure = "";
    volatile boolean isStubborn;

    @Override
    public RuntimeIdentity identity() {
        return new RuntimeIdentity("memory", "1");
    }

    @Override
    public synchronized Optional<ImageConfig> image(String reference) {
        return missingImages.contains(reference)
                ? Optional.empty()
                : Optional.of(
                        new ImageConfig("sha256:1", List.of("/run"), List.of(), List.of(), "", ""));
    }

    synchronized void missImage(String reference, boolean isMissing) {
        if (isMissing) {
            missingImages.add(reference);
        } else {
            missingImages.remove(reference);
        }
    }

    @Override
    public String createSandbox(SandboxSpec spec) throws RuntimeFailure {
        fail();
        var id = id("sandbox");
        synchronized (this) {
            sandboxes.put(
                    id,
                    new SandboxState(
                            id,
                            spec.pod(),
                            spec.uid(),
                            spec.attempt(),
                            true,
                            Instant.now(),
                            List.of("10.0.0.7")));
        }
        note("sandbox " + spec.pod().name());
        return id;
    }

    private void fail() throws RuntimeFailure {
        if (!failure.isEmpty()) {
            throw new RuntimeFailure(failure);
        }
    }

    private synchronized String id(String kind) {
        count++;
        return kind + "-" + count;
    }

    private void note(String text) {
        log.add(text);
        listeners.forEach(Runnable::run);
    }

    @Override
    public synchronized List<SandboxState> sandboxes() {
        return List.copyOf(sandboxes.values());
    }

    @Override
    public void removeSandbox(String sandbox) {
        SandboxState gone;
        synchronized (this) {
            gone = sandboxes.remove(sandbox);
            containers.values().removeIf(one -> one.sandbox().equals(sandbox));
        }
        if (gone != null) {
            note("remove sandbox " + gone.pod().name());
        }
    }

    @Override
    public String createContainer(String sandbox, ContainerSpec spec) throws RuntimeFailure {
        fail();
        var id = id(spec.name());
        synchronized (this) {
            containers.put(
                    id,
                    new ContainerState(
                            id,
                            sandbox,
                            Objects.requireNonNull(sandboxes.get(sandbox)).uid(),
                            spec.name(),
                            spec.attempt(),
                            new Phase.Created(),
                            Instant.now(),
                            "sha256:1",
                            spec.log()));
            specs.put(id, spec);
        }
        return id;
    }

    @Override
    public void startContainer(String container) {
        var name = change(container, new Phase.Running(Instant.now()));
        note("start " + name);
    }

    private synchronized String change(String id, Phase phase) {
        var old = Objects.requireNonNull(containers.get(id));
        containers.put(
                id,
                new ContainerState(
                        id,
                        old.sandbox(),
                        old.pod(),
                        old.name(),
                        old.attempt(),
                        phase,
                        old.createdAt(),
                        old.imageId(),
                        old.log()));
        return old.name();
    }

    /// Terminates a container of that name by itself.
    void exit(String name, int code) {
        List<String> ids = new ArrayList<>();
        synchronized (this) {
            containers.forEach((id, one) -> {
                if (one.name().equals(name) && one.phase() instanceof Phase.Running) {
                    ids.add(id);
                }
            });
        }
        ids.forEach(id -> exited(id, code));
    }

    private void exited(String id, int code) {
        var now = Instant.now();
        var name =
                change(id, new Phase.Exited(now, now, code, code == 0 ? "Completed" : "Error", ""));
        note("exit " + name + " " + code);
    }

    @Override
    public void stopContainer(String container, Duration grace) {
        synchronized (this) {
            var found = containers.get(container);
            if (found == null || !(found.phase() instanceof Phase.Running)) {
                return;
            }
        }
        if (!isStubborn) {
            exited(container, 143);
        }
    }

    @Override
    public synchronized void removeContainer(String container) {
        containers.remove(container);
    }

    @Override
    public synchronized List<ContainerState> containers() {
        return List.copyOf(containers.values());
    }

    synchronized ContainerSpec spec(String name) {
        return specs.values().stream()
                .filter(one -> one.name().equals(name))
                .reduce((_, last) -> last)
                .orElseThrow();
    }

    synchronized void lose(ObjectRef pod) {
        sandboxes.replaceAll((_, one) ->
                one.pod().equals(pod)
                        ? new SandboxState(
                                one.id(),
                                one.pod(),
                                one.uid(),
                                one.attempt(),
                                false,
                                one.createdAt(),
                                List.of())
                        : one);
    }

    @Override
    public void reopenLog(String container) {}

    @Override
    public CommandResult run(String container, List<String> command, Duration timeout) {
        note("run " + String.join(" ", command));
        return new CommandResult(command.contains("fail") ? 1 : 0, "", "");
    }

    @Override
    public CommandSession open(String container, List<String> command, boolean hasTerminal)
            throws RuntimeFailure {
        throw new RuntimeFailure("commands are not supported");
    }

    @Override
    public void onChange(Runnable listener) {
        listeners.add(listener);
    }

    @Override
    public void close() {}
}
