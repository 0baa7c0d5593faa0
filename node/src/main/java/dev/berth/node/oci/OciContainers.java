package dev.berth.node.oci;

import dev.berth.model.json.JsonObject;
import dev.berth.model.json.JsonWriter;
import dev.berth.node.cdi.CdiRegistry;
import dev.berth.node.cdi.HostDevices;
import dev.berth.node.cdi.OciEdits;
import dev.berth.node.image.ImageRoot;
import dev.berth.node.image.StoredImage;
import dev.berth.node.runtime.ContainerSpec;
import dev.berth.node.runtime.ContainerState;
import dev.berth.node.runtime.ContainerState.Phase;
import dev.berth.node.runtime.RuntimeFailure;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/// Creates, starts, stops and removes containers.
final class OciContainers {

    private static final long POLL_MILLIS = 20;

    /// How long a killed container may take to terminate.
    private static final Duration KILL_TIMEOUT = Duration.ofSeconds(30);

    /// How long conmon may take to reopen a log.
    private static final Duration REOPEN_TIMEOUT = Duration.ofSeconds(5);

    private final OciServices services;
    private final Sandboxes sandboxes;

    OciContainers(OciServices services, Sandboxes sandboxes) {
        this.services = services;
        this.sandboxes = sandboxes;
    }

    /// Creates a container; removes its parts again if that fails.
    String make(SandboxRecord sandbox, ContainerSpec spec) throws RuntimeFailure {
        var image = image(spec.image());
        check(spec);
        var id = OciServices.newId();
        var record =
                new ContainerRecord(
                        id,
                        sandbox.id(),
                        sandbox.uid(),
                        spec.name(),
                        spec.attempt(),
                        ContainerRecord.Stage.MAKING,
                        services.privileges().boot(),
                        services.clock().instant(),
                        image.id(),
                        spec.log(),
                        image.stopSignal(),
                        Optional.empty(),
                        Optional.empty(),
                        Optional.empty());
        services.containers().put(record);
        try {
            make(record, sandbox, spec, image);
            return id;
        } catch (RuntimeFailure | RuntimeException e) {
            // A pod's values may be invalid in Java, such as a path with a NUL.
            removeAfter(id, e);
            throw new RuntimeFailure(
                    "container %s cannot be created: %s".formatted(spec.name(), e.getMessage()), e);
        }
    }

    private StoredImage image(String reference) throws RuntimeFailure {
        try {
            return services.images()
                    .find(reference)
                    .orElseThrow(() ->
                            new RuntimeFailure(
                                    "image %s is not on this machine; import it with: %s"
                                            .formatted(
                                                    reference,
                                                    services.images().importCommand(reference))));
        } catch (IOException e) {
            throw new RuntimeFailure("images cannot be read: " + e.getMessage(), e);
        }
    }

    private static void check(ContainerSpec spec) throws RuntimeFailure {
        if (spec.arguments().isEmpty()) {
            throw new RuntimeFailure(
                    "container %s has no command, and neither has image %s; set command"
                            .formatted(spec.name(), spec.image()));
        }
        for (var mount : spec.mounts()) {
            if (!Files.exists(mount.host())) {
                throw new RuntimeFailure(
                        "container %s: %s for the mount at %s is not on this machine"
                                .formatted(spec.name(), mount.host(), mount.container()));
            }
        }
    }

    private void make(
            ContainerRecord record, SandboxRecord sandbox, ContainerSpec spec, StoredImage image)
            throws RuntimeFailure {
        var bundle = services.bundle(record.id());
        MountOperations.makeDirectory(bundle);
        MountOperations.makeDirectory(spec.log().toAbsolutePath().resolveSibling(""));
        var root = services.roots().make(services.images().files(image), bundle);
        var isPrivileged = spec.security().isPrivileged();
        var inputs =
                new ContainerInputs(
                        spec,
                        root,
                        services.cgroups().ofContainer(sandbox.uid(), record.id()),
                        services.namespaces(sandbox.id()).paths(sandbox),
                        sandbox.sharing().hostProcesses(),
                        ImageUsers.of(new ImageRoot(root))
                                .identity(spec.security(), image.config().user()),
                        sandboxes.files(sandbox.id()),
                        sandboxes.sharedMemory(sandbox),
                        isPrivileged ? HostDeviceFiles.all() : List.of());
        var confined =
                ConfinedConfig.of(
                        ContainerConfig.of(inputs, services.privileges()),
                        spec.security(),
                        AppArmor.OF_KERNEL);
        var config = withDevices(confined, spec);
        MountOperations.write(bundle.resolve("config.json"), JsonWriter.pretty(config));
        var pid = services.runc().create(record, bundle, spec.hasTerminal(), spec.hasInput());
        if (!isPrivileged && !GrantedDevices.hasTun(config)) {
            services.cgroups().deny(inputs.cgroup(), GrantedDevices.TUN_RULE);
        }
        var process =
                ProcessIdentity.of(pid)
                        .orElseThrow(
                                () -> new RuntimeFailure("it terminated before it was started"));
        services.containers()
                .put(record.created(process, ProcessIdentity.in(bundle.resolve("conmon.pid"))));
    }

    private JsonObject withDevices(JsonObject config, ContainerSpec spec) throws RuntimeFailure {
        if (spec.cdiDevices().isEmpty()) {
            return config;
        }
        try {
            var registry = CdiRegistry.scan(services.cdiDirectories());
            var result = registry.inject(spec.cdiDevices(), config, new HostDevices(Path.of("/")));
            return switch (result) {
                case OciEdits.Result.Failed(var reason) -> throw new RuntimeFailure(reason);
                case OciEdits.Result.Edited(var edited) -> checked(edited);
            };
        } catch (IOException e) {
            throw new RuntimeFailure(
                    "cannot read CDI specs in %s: %s"
                            .formatted(services.cdiDirectories(), e.getMessage()),
                    e);
        }
    }

    /// An older runc would ignore the field, and the container would run without its device.
    private JsonObject checked(JsonObject config) throws RuntimeFailure {
        if (config.objectOrEmpty("linux").has("netDevices") && isOlderThan(1, 4)) {
            throw new RuntimeFailure(
                    "a CDI device is a network interface (netDevices), which requires runc 1.4;"
                            + " this one is "
                            + services.runcVersion());
        }
        return config;
    }

    private boolean isOlderThan(int major, int minor) {
        var numbers = services.runcVersion().split("\\.", -1);
        var first = Integer.parseInt(numbers[0]);
        return first < major || (first == major && Integer.parseInt(numbers[1]) < minor);
    }

    void start(String id) throws RuntimeFailure {
        var container = find(id);
        if (!(phase(container) instanceof Phase.Created)) {
            throw new RuntimeFailure(
                    "container %s (%s) was started before".formatted(container.name(), id));
        }
        services.containers().put(container.started(services.clock().instant()));
        services.runc().start(id);
    }

    ContainerRecord find(String id) throws RuntimeFailure {
        return services.containers()
                .find(id)
                .orElseThrow(() -> new RuntimeFailure("no such container: " + id));
    }

    /// A container in which commands can run.
    ContainerRecord running(String id) throws RuntimeFailure {
        var container = find(id);
        if (!(phase(container) instanceof Phase.Running)) {
            throw new RuntimeFailure(
                    "container %s (%s) is not running".formatted(container.name(), id));
        }
        return container;
    }

    void reopenLog(String id) throws RuntimeFailure {
        var container = running(id);
        Runc.reopenLog(services.bundle(id));
        var terminate = System.nanoTime() + REOPEN_TIMEOUT.toNanos();
        while (!Files.exists(container.log())) {
            if (System.nanoTime() - terminate > 0
                    || container.monitor().filter(ProcessIdentity::isAlive).isEmpty()) {
                throw new RuntimeFailure(
                        "conmon of container %s (%s) does not reopen its log"
                                .formatted(container.name(), id));
            }
            pause();
        }
    }

    List<ContainerState> states() {
        return services.containers().all().stream()
                .map(one ->
                        new ContainerState(
                                one.id(),
                                one.sandbox(),
                                one.pod(),
                                one.name(),
                                one.attempt(),
                                phase(one),
                                one.createdAt(),
                                one.imageId(),
                                one.log()))
                .toList();
    }

    Phase phase(ContainerRecord container) {
        return ContainerProcessStatus.of(
                        container, services.runc().exits(), services.bundle(container.id()))
                .phase(container, services.privileges().boot());
    }

    /// Stops a container: sends its image's stop signal, and SIGKILL after the grace period.
    void stop(String id, Duration grace) throws RuntimeFailure {
        var found = services.containers().find(id);
        if (found.isEmpty() || phase(found.get()) instanceof Phase.Exited) {
            return;
        }
        terminate(found.get(), grace);
        // A container with its own PID namespace ends with its first process; others may leave
        // processes.
        services.cgroups().kill(services.cgroups().ofContainer(found.get().pod(), id));
    }

    private void terminate(ContainerRecord container, Duration grace) throws RuntimeFailure {
        var id = container.id();
        if (phase(container) instanceof Phase.Running && grace.isPositive()) {
            var signalled = services.runc().kill(id, container.stopSignal());
            if (signalled.exitCode() != 0 && !container.stopSignal().equals("SIGTERM")) {
                // Images may name signals that runc does not know.
                services.runc().kill(id, "SIGTERM");
            }
            if (awaitExit(container, grace)) {
                return;
            }
        }
        services.runc().kill(id, "SIGKILL");
        if (!awaitExit(container, KILL_TIMEOUT)) {
            throw new RuntimeFailure(
                    "container %s (%s) was killed but still exists; it may wait for a device or a"
                                    .formatted(container.name(), id)
                            + " file system that does not respond");
        }
    }

    private boolean awaitExit(ContainerRecord container, Duration timeout) throws RuntimeFailure {
        var terminate = System.nanoTime() + timeout.toNanos();
        while (!(phase(container) instanceof Phase.Exited)) {
            if (System.nanoTime() - terminate > 0) {
                return false;
            }
            pause();
        }
        return true;
    }

    private static void pause() throws RuntimeFailure {
        try {
            Thread.sleep(POLL_MILLIS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new RuntimeFailure("interrupted", e);
        }
    }

    /// Removes a container except its log.
    void remove(String id) throws RuntimeFailure {
        var found = services.containers().find(id);
        if (found.isEmpty()) {
            return;
        }
        var container = found.get();
        var bundle = services.bundle(id);
        var isPartlyCreated = container.stage() == ContainerRecord.Stage.MAKING;
        services.containers().put(container.at(ContainerRecord.Stage.REMOVING));
        var monitor =
                container.monitor().or(() -> ProcessIdentity.in(bundle.resolve("conmon.pid")));
        if (isPartlyCreated) {
            // It may be about to create the container for a runtime that was killed.
            monitor.ifPresent(ProcessIdentity::kill);
        }
        services.runc().delete(id);
        services.cgroups().remove(services.cgroups().ofContainer(container.pod(), id));
        awaitEnd(monitor);
        services.mounts().removeTree(bundle);
        try {
            Files.deleteIfExists(services.runc().exits().resolve(id));
            Files.deleteIfExists(services.runc().attachLink(id));
        } catch (IOException e) {
            throw new RuntimeFailure(
                    "files of container %s cannot be deleted: %s".formatted(id, e.getMessage()), e);
        }
        services.containers().delete(id);
    }

    /// Waits until conmon has written the last line of the log and the exit code.
    private static void awaitEnd(Optional<ProcessIdentity> monitor) throws RuntimeFailure {
        var terminate = System.nanoTime() + KILL_TIMEOUT.toNanos();
        while (monitor.filter(ProcessIdentity::isAlive).isPresent()) {
            if (System.nanoTime() - terminate > 0) {
                monitor.get().kill();
                return;
            }
            pause();
        }
    }

    private void removeAfter(String id, Exception cause) {
        try {
            remove(id);
        } catch (RuntimeFailure e) {
            cause.addSuppressed(e);
        }
    }
}
