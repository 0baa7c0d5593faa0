package dev.berth.node.oci;

import dev.berth.node.file.PrivateDirectory;
import dev.berth.node.image.ImageStore;
import dev.berth.node.runtime.CommandResult;
import dev.berth.node.runtime.CommandSession;
import dev.berth.node.runtime.ContainerRuntime;
import dev.berth.node.runtime.ContainerSpec;
import dev.berth.node.runtime.ContainerState;
import dev.berth.node.runtime.ImageConfig;
import dev.berth.node.runtime.RuntimeFailure;
import dev.berth.node.runtime.RuntimeIdentity;
import dev.berth.node.runtime.SandboxSpec;
import dev.berth.node.runtime.SandboxState;
import java.io.IOException;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/// A runtime without a daemon: `conmon` and `runc` on this machine, images from a store of its own.
///
/// Everything that is made is on the disk before it is begun, so that a runtime that is killed at
/// any moment and started again knows what there is, and removes what was only begun. Sandboxes are
/// namespaces that are kept open by mounts (see [LinuxNamespaces]); each container has a `conmon`
/// that outlives this process.
public final class OciRuntime implements ContainerRuntime {

    private final OciServices parts;
    private final LockedDirectory directory;
    private final Sandboxes sandboxes;
    private final OciContainers containers;
    private final ContainerCommands commands;
    private final ExitWatch exits;
    private final KeyedLocks sandboxTurns = new KeyedLocks();
    private final KeyedLocks containerTurns = new KeyedLocks();

    private OciRuntime(
            OciServices parts, LockedDirectory directory, PodAddresses addresses, ExitWatch exits) {
        this.parts = parts;
        this.directory = directory;
        this.sandboxes = new Sandboxes(parts, addresses);
        this.containers = new OciContainers(parts, sandboxes);
        this.commands = new ContainerCommands(parts);
        this.exits = exits;
    }

    /// Starts the runtime, which finds what earlier ones have left.
    ///
    /// @throws RuntimeFailure with what this machine lacks, and what to do about it
    public static OciRuntime start(OciSettings settings, Clock clock) throws RuntimeFailure {
        Preflight.check(settings);
        var programs = Programs.find(System.getenv().getOrDefault("PATH", ""));
        var directory = LockedDirectory.take(settings.state());
        try {
            PrivateDirectory.make(settings.root());
            PrivateDirectory.make(OciSettings.images(settings.root()));
            var runc = new Runc(programs, settings.state(), settings.logs());
            var parts = Preflight.parts(settings, clock, programs, runc);
            var exits = ExitWatch.on(runc.exits());
            var runtime = new OciRuntime(parts, directory, settings.addresses(), exits);
            new Recovery(parts, runtime).run();
            return runtime;
        } catch (RuntimeFailure | RuntimeException e) {
            directory.close();
            throw e;
        } catch (IOException e) {
            directory.close();
            throw new RuntimeFailure(
                    "%s cannot be used: %s".formatted(settings.state(), e.getMessage()), e);
        }
    }

    /// The images that its containers are made of.
    public ImageStore images() {
        return parts.images();
    }

    @Override
    public RuntimeIdentity identity() {
        return new RuntimeIdentity("oci", parts.runcVersion());
    }

    @Override
    public Optional<ImageConfig> image(String reference) throws RuntimeFailure {
        try {
            return parts.images().find(reference).map(image -> image.config());
        } catch (IOException e) {
            throw new RuntimeFailure("images cannot be read: " + e.getMessage(), e);
        }
    }

    @Override
    public String importCommand(String reference) {
        return parts.images().importCommand(reference);
    }

    @Override
    public String createSandbox(SandboxSpec spec) throws RuntimeFailure {
        return sandboxes.make(spec);
    }

    @Override
    public List<SandboxState> sandboxes() throws RuntimeFailure {
        return sandboxes.states();
    }

    @Override
    public void removeSandbox(String sandbox) throws RuntimeFailure {
        sandboxTurns.take(
                sandbox,
                () -> {
                    for (var container : parts.containers().all()) {
                        if (container.sandbox().equals(sandbox)) {
                            removeContainer(container.id());
                        }
                    }
                    sandboxes.remove(sandbox);
                    return sandbox;
                });
    }

    @Override
    public String createContainer(String sandbox, ContainerSpec spec) throws RuntimeFailure {
        return sandboxTurns.take(
                sandbox,
                () -> {
                    var ready =
                            sandboxes
                                    .ready(sandbox)
                                    .orElseThrow(() ->
                                            new RuntimeFailure(
                                                    "sandbox %s is gone; make another"
                                                            .formatted(sandbox)));
                    return containers.make(ready, spec);
                });
    }

    @Override
    public void startContainer(String container) throws RuntimeFailure {
        containerTurns.take(
                container,
                () -> {
                    containers.start(container);
                    return container;
                });
    }

    /// Others may remove the container meanwhile, so nobody waits for a turn.
    @Override
    public void stopContainer(String container, Duration grace) throws RuntimeFailure {
        containers.stop(container, grace);
    }

    @Override
    public void removeContainer(String container) throws RuntimeFailure {
        containerTurns.take(
                container,
                () -> {
                    containers.remove(container);
                    return container;
                });
    }

    @Override
    public List<ContainerState> containers() {
        return containers.states();
    }

    @Override
    public void reopenLog(String container) throws RuntimeFailure {
        containers.reopenLog(container);
    }

    @Override
    public CommandResult run(String container, List<String> command, Duration timeout)
            throws RuntimeFailure {
        return commands.run(containers.running(container), command, timeout);
    }

    @Override
    public CommandSession open(String container, List<String> command, boolean hasTerminal)
            throws RuntimeFailure {
        return commands.open(containers.running(container), command, hasTerminal);
    }

    @Override
    public void onChange(Runnable listener) {
        exits.add(listener);
    }

    /// Lets go of everything; containers go on.
    @Override
    public void close() {
        exits.close();
        if (parts.sandboxes().all().isEmpty()) {
            parts.cgroups().removeEmpty(parts.cgroups().parent());
        }
        directory.close();
    }
}
