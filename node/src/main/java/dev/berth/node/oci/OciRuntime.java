package dev.berth.node.oci;

import dev.berth.model.file.PrivateDirectory;
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

/// Container runtime without a daemon: runs `conmon` and `runc`, with an image store of its own.
///
/// Records of sandboxes and containers are on disk before they are created. A runtime that is
/// killed at any moment and restarted therefore knows all of them, and removes the unfinished ones.
/// Sandboxes are namespaces kept open by mounts (see [LinuxNamespaces]); each container has a
/// `conmon` that outlives this process.
public final class OciRuntime implements ContainerRuntime {

    private final OciServices services;
    private final LockedDirectory directory;
    private final Sandboxes sandboxes;
    private final OciContainers containers;
    private final ContainerCommands commands;
    private final ExitWatch exits;
    private final KeyedLocks sandboxLocks = new KeyedLocks();
    private final KeyedLocks containerLocks = new KeyedLocks();

    private OciRuntime(
            OciServices services,
            LockedDirectory directory,
            PodAddresses addresses,
            ExitWatch exits) {
        this.services = services;
        this.directory = directory;
        this.sandboxes = new Sandboxes(services, addresses);
        this.containers = new OciContainers(services, sandboxes);
        this.commands = new ContainerCommands(services);
        this.exits = exits;
    }

    /// Starts the runtime and recovers the state of earlier ones.
    ///
    /// @throws RuntimeFailure when the machine lacks something; the message names the remedy
    public static OciRuntime start(OciOptions options, Clock clock) throws RuntimeFailure {
        Preflight.check(options);
        var programs = Programs.find(System.getenv().getOrDefault("PATH", ""));
        var directory = LockedDirectory.lock(options.state());
        try {
            PrivateDirectory.make(options.root());
            PrivateDirectory.make(OciOptions.images(options.root()));
            var runc = new Runc(programs, options.state(), options.logs());
            var services = Preflight.services(options, clock, programs, runc);
            var exits = ExitWatch.on(runc.exits());
            var runtime = new OciRuntime(services, directory, options.addresses(), exits);
            new Recovery(services, runtime).run();
            return runtime;
        } catch (RuntimeFailure | RuntimeException e) {
            directory.close();
            throw e;
        } catch (IOException e) {
            directory.close();
            throw new RuntimeFailure(
                    "%s cannot be used: %s".formatted(options.state(), e.getMessage()), e);
        }
    }

    /// The image store.
    public ImageStore images() {
        return services.images();
    }

    @Override
    public RuntimeIdentity identity() {
        return new RuntimeIdentity("oci", services.runcVersion());
    }

    @Override
    public Optional<ImageConfig> image(String reference) throws RuntimeFailure {
        try {
            return services.images().find(reference).map(image -> image.config());
        } catch (IOException e) {
            throw new RuntimeFailure("images cannot be read: " + e.getMessage(), e);
        }
    }

    @Override
    public String importCommand(String reference) {
        return services.images().importCommand(reference);
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
        sandboxLocks.withLock(
                sandbox,
                () -> {
                    for (var container : services.containers().all()) {
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
        return sandboxLocks.withLock(
                sandbox,
                () -> {
                    var ready =
                            sandboxes
                                    .ready(sandbox)
                                    .orElseThrow(() ->
                                            new RuntimeFailure(
                                                    "sandbox %s does not exist; create another"
                                                            .formatted(sandbox)));
                    return containers.make(ready, spec);
                });
    }

    @Override
    public void startContainer(String container) throws RuntimeFailure {
        containerLocks.withLock(
                container,
                () -> {
                    containers.start(container);
                    return container;
                });
    }

    /// Without the container's lock, so that the container can be removed meanwhile.
    @Override
    public void stopContainer(String container, Duration grace) throws RuntimeFailure {
        containers.stop(container, grace);
    }

    @Override
    public void removeContainer(String container) throws RuntimeFailure {
        containerLocks.withLock(
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

    /// Releases all resources; containers keep running.
    @Override
    public void close() {
        exits.close();
        if (services.sandboxes().all().isEmpty()) {
            services.cgroups().removeEmpty(services.cgroups().parent());
        }
        directory.close();
    }
}
