package dev.berth.node.endpoint;

import dev.berth.model.api.meta.Uid;
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
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/// A fake runtime: containers exist only by name, and their commands are processes of this machine.
final class HostProcesses implements ContainerRuntime {

    private static final Instant BEGIN = Instant.parse("2026-11-16T10:00:00Z");

    private final Map<String, ContainerState> containers = new ConcurrentHashMap<>();
    private final Set<Process> processes = ConcurrentHashMap.newKeySet();

    /// Sets a container running.
    void running(Uid pod, String name, int attempt, Path log) {
        put(pod, name, attempt, new Phase.Running(BEGIN), log);
    }

    /// Sets a container exited.
    void exited(Uid pod, String name, int attempt, Path log) {
        put(pod, name, attempt, new Phase.Exited(BEGIN, BEGIN, 0, "Completed", ""), log);
    }

    private void put(Uid pod, String name, int attempt, Phase phase, Path log) {
        var id = pod + "-" + name + "-" + attempt;
        containers.put(
                id,
                new ContainerState(id, "sandbox", pod, name, attempt, phase, BEGIN, "image", log));
    }

    /// The processes that run.
    long alive() {
        return processes.stream().filter(Process::isAlive).count();
    }

    @Override
    public List<ContainerState> containers() {
        return List.copyOf(containers.values());
    }

    @Override
    public CommandSession open(String container, List<String> command, boolean hasTerminal)
            throws RuntimeFailure {
        try {
            var process = new ProcessBuilder(command).start();
            processes.add(process);
            return new Session(process);
        } catch (IOException e) {
            throw new RuntimeFailure("cannot run %s: no such command".formatted(command), e);
        }
    }

    private record Session(Process process) implements CommandSession {

        @Override
        public OutputStream input() {
            return process.getOutputStream();
        }

        @Override
        public InputStream output() {
            return process.getInputStream();
        }

        @Override
        public InputStream errors() {
            return process.getErrorStream();
        }

        @Override
        public void resize(int columns, int rows) {}

        @Override
        public int exitCode() throws InterruptedException {
            return process.waitFor();
        }

        @Override
        public void close() {
            process.destroyForcibly();
        }
    }

    @Override
    public void close() {
        processes.forEach(Process::destroyForcibly);
    }

    @Override
    public RuntimeIdentity identity() {
        return new RuntimeIdentity("host", "1");
    }

    @Override
    public Optional<ImageConfig> image(String reference) {
        throw notAsked();
    }

    @Override
    public String createSandbox(SandboxSpec spec) {
        throw notAsked();
    }

    @Override
    public List<SandboxState> sandboxes() {
        throw notAsked();
    }

    @Override
    public void removeSandbox(String sandbox) {
        throw notAsked();
    }

    @Override
    public String createContainer(String sandbox, ContainerSpec spec) {
        throw notAsked();
    }

    @Override
    public void startContainer(String container) {
        throw notAsked();
    }

    @Override
    public void stopContainer(String container, Duration grace) {
        throw notAsked();
    }

    @Override
    public void removeContainer(String container) {
        throw notAsked();
    }

    @Override
    public void reopenLog(String container) {}

    @Override
    public CommandResult run(String container, List<String> command, Duration timeout) {
        throw notAsked();
    }

    @Override
    public void onChange(Runnable listener) {
        throw notAsked();
    }

    private static UnsupportedOperationException notAsked() {
        return new UnsupportedOperationException("the door does not ask for this");
    }
}
