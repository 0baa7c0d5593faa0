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

/// Makes, starts, ends and removes containers.
final class OciContainers {

    private static final long POLL_MILLIS = 20;

    /// How long a container that was killed may take to be gone.
    private static final Duration DEATH = Duration.ofSeconds(30);

    /// How long conmon may take to open a new log.
    private static final Duration REOPENING = Duration.ofSeconds(5);

    private final OciServices parts;
    private final Sandboxes sandboxes;

    OciContainers(OciServices parts, Sandboxes sandboxes) {
        this.parts = parts;
        this.sandboxes = sandboxes;
    }

    /// Makes one; what was made is removed again when it fails.
    String make(SandboxRecord sandbox, ContainerSpec spec) throws RuntimeFailure {
        var image = image(spec.image());
        check(spec);
        var id = OciServices.newId();
        var begun =
                new ContainerRecord(
                        id,
                        sandbox.id(),
                        sandbox.uid(),
                        spec.name(),
                        spec.attempt(),
                        ContainerRecord.Stage.MAKING,
                        parts.machine().boot(),
                        parts.clock().instant(),
                        image.id(),
                        spec.log(),
                        image.stopSignal(),
                        Optional.empty(),
                        Optional.empty(),
                        Optional.empty());
        parts.containers().put(begun);
        try {
            make(begun, sandbox, spec, image);
            return id;
        } catch (RuntimeFailure | RuntimeException e) {
            // What the pod says may be what Java does not take, such as a path with a NUL.
            removeParts(id, e);
            throw new RuntimeFailure(
                    "container %s cannot be made: %s".formatted(spec.name(), e.getMessage()), e);
        }
    }

    private StoredImage image(String reference) throws RuntimeFailure {
        try {
            return parts.images()
                    .find(reference)
                    .orElseThrow(() ->
                            new RuntimeFailure(
                                    "image %s is not on this machine; import it with: %s"
                                            .formatted(
                                                    reference,
                                                    parts.images().importCommand(reference))));
        } catch (IOException e) {
            throw new RuntimeFailure("images cannot be read: " + e.getMessage(), e);
        }
    }

    private static void check(ContainerSpec spec) throws RuntimeFailure {
        if (spec.arguments().isEmpty()) {
            throw new RuntimeFailure(
                    "container %s has no command, and neither has image %s; say command"
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
            ContainerRecord begun, SandboxRecord sandbox, ContainerSpec spec, StoredImage image)
            throws RuntimeFailure {
        var bundle = parts.bundle(begun.id());
        MountOperations.makeDirectory(bundle);
        MountOperations.makeDirectory(spec.log().toAbsolutePath().resolveSibling(""));
        var root = parts.roots().make(parts.images().files(image), bundle);
        var isPrivileged = spec.security().isPrivileged();
        var plan =
                new ContainerInputs(
                        spec,
                        root,
                        parts.cgroups().ofContainer(sandbox.uid(), begun.id()),
                        parts.namespaces(sandbox.id()).kept(sandbox),
                        sandbox.sharing().hostProcesses(),
                        ImageUsers.of(new ImageRoot(root))
                                .identity(spec.security(), image.config().user()),
                        sandboxes.files(sandbox.id()),
                        sandboxes.sharedMemory(sandbox),
                        isPrivileged ? HostDeviceFiles.all() : List.of());
        var confined =
                ConfinedConfig.of(
                        ContainerConfig.of(plan, parts.machine()),
                        spec.security(),
                        AppArmor.OF_KERNEL);
        var config = withDevices(confined, spec);
        MountOperations.write(bundle.resolve("config.json"), JsonWriter.pretty(config));
        var pid = parts.runc().create(begun, bundle, spec.hasTerminal(), spec.hasInput());
        if (!isPrivileged && !GrantedDevices.hasTun(config)) {
            parts.cgroups().deny(plan.cgroup(), GrantedDevices.TUN_RULE);
        }
        var process =
                ProcessIdentity.of(pid)
                        .orElseThrow(() -> new RuntimeFailure("it ended before it was started"));
        parts.containers()
                .put(begun.created(process, ProcessIdentity.in(bundle.resolve("conmon.pid"))));
    }

    private JsonObject withDevices(JsonObject config, ContainerSpec spec) throws RuntimeFailure {
        if (spec.cdiDevices().isEmpty()) {
            return config;
        }
        try {
            var registry = CdiRegistry.scan(parts.cdiDirectories());
            var result = registry.inject(spec.cdiDevices(), config, new HostDevices(Path.of("/")));
            return switch (result) {
                case OciEdits.Result.Failed(var reason) -> throw new RuntimeFailure(reason);
                case OciEdits.Result.Edited(var edited) -> checked(edited);
            };
        } catch (IOException e) {
            throw new RuntimeFailure(
                    "devices cannot be looked up in %s: %s"
                            .formatted(parts.cdiDirectories(), e.getMessage()),
                    e);
        }
    }

    /// What this runc does not know it would pass over, and the container had no device.
    private JsonObject checked(JsonObject config) throws RuntimeFailure {
        if (config.objectOrEmpty("linux").has("netDevices") && isOlderThan(1, 4)) {
            throw new RuntimeFailure(
                    "a CDI device is a network interface (netDevices), for which runc 1.4 is"
                            + " needed; this one is "
                            + parts.runcVersion());
        }
        return config;
    }

    private boolean isOlderThan(int major, int minor) {
        var numbers = parts.runcVersion().split("\\.", -1);
        var first = Integer.parseInt(numbers[0]);
        return first < major || (first == major && Integer.parseInt(numbers[1]) < minor);
    }

    void start(String id) throws RuntimeFailure {
        var container = known(id);
        if (!(phase(container) instanceof Phase.Created)) {
            throw new RuntimeFailure(
                    "container %s (%s) was started before".formatted(container.name(), id));
        }
        parts.containers().put(container.started(parts.clock().instant()));
        parts.runc().start(id);
    }

    ContainerRecord known(String id) throws RuntimeFailure {
        return parts.containers()
                .find(id)
                .orElseThrow(() -> new RuntimeFailure("there is no container " + id));
    }

    /// A container in which something can be run.
    ContainerRecord running(String id) throws RuntimeFailure {
        var container = known(id);
        if (!(phase(container) instanceof Phase.Running)) {
            throw new RuntimeFailure(
                    "container %s (%s) is not running".formatted(container.name(), id));
        }
        return container;
    }

    void reopenLog(String id) throws RuntimeFailure {
        var container = running(id);
        Runc.reopenLog(parts.bundle(id));
        var end = System.nanoTime() + REOPENING.toNanos();
        while (!Files.exists(container.log())) {
            if (System.nanoTime() - end > 0
                    || container.monitor().filter(ProcessIdentity::isAlive).isEmpty()) {
                throw new RuntimeFailure(
                        "conmon of container %s (%s) does not open a new log"
                                .formatted(container.name(), id));
            }
            pause();
        }
    }

    List<ContainerState> states() {
        return parts.containers().all().stream()
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
        return ContainerEvidence.of(container, parts.runc().exits(), parts.bundle(container.id()))
                .phase(container, parts.machine().boot());
    }

    /// Ends one: by its image's signal and, when it is there after the grace, for certain.
    void stop(String id, Duration grace) throws RuntimeFailure {
        var found = parts.containers().find(id);
        if (found.isEmpty() || phase(found.get()) instanceof Phase.Exited) {
            return;
        }
        end(found.get(), grace);
        // With its first process goes a container that has its own; others may have left some.
        parts.cgroups().kill(parts.cgroups().ofContainer(found.get().pod(), id));
    }

    private void end(ContainerRecord container, Duration grace) throws RuntimeFailure {
        var id = container.id();
        if (phase(container) instanceof Phase.Running && grace.isPositive()) {
            var asked = parts.runc().kill(id, container.stopSignal());
            if (asked.exitCode() != 0 && !container.stopSignal().equals("SIGTERM")) {
                // Images name signals that runc does not know.
                parts.runc().kill(id, "SIGTERM");
            }
            if (hasEnded(container, grace)) {
                return;
            }
        }
        parts.runc().kill(id, "SIGKILL");
        if (!hasEnded(container, DEATH)) {
            throw new RuntimeFailure(
                    "container %s (%s) was killed and is still there; it may wait for a device or a"
                                    .formatted(container.name(), id)
                            + " file system that does not answer");
        }
    }

    private boolean hasEnded(ContainerRecord container, Duration patience) throws RuntimeFailure {
        var end = System.nanoTime() + patience.toNanos();
        while (!(phase(container) instanceof Phase.Exited)) {
            if (System.nanoTime() - end > 0) {
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

    /// Removes all of one but its log.
    void remove(String id) throws RuntimeFailure {
        var found = parts.containers().find(id);
        if (found.isEmpty()) {
            return;
        }
        var container = found.get();
        var bundle = parts.bundle(id);
        var isHalfMade = container.stage() == ContainerRecord.Stage.MAKING;
        parts.containers().put(container.at(ContainerRecord.Stage.REMOVING));
        var monitor =
                container.monitor().or(() -> ProcessIdentity.in(bundle.resolve("conmon.pid")));
        if (isHalfMade) {
            // It may be about to create the container for a runtime that is gone.
            monitor.ifPresent(ProcessIdentity::kill);
        }
        parts.runc().delete(id);
        parts.cgroups().remove(parts.cgroups().ofContainer(container.pod(), id));
        awaitEnd(monitor);
        parts.mounting().removeTree(bundle);
        try {
            Files.deleteIfExists(parts.runc().exits().resolve(id));
            Files.deleteIfExists(parts.runc().attachLink(id));
        } catch (IOException e) {
            throw new RuntimeFailure(
                    "files of container %s cannot be deleted: %s".formatted(id, e.getMessage()), e);
        }
        parts.containers().delete(id);
    }

    /// Until its monitor has written the last line of the log, and the exit code.
    private static void awaitEnd(Optional<ProcessIdentity> monitor) throws RuntimeFailure {
        var end = System.nanoTime() + DEATH.toNanos();
        while (monitor.filter(ProcessIdentity::isAlive).isPresent()) {
            if (System.nanoTime() - end > 0) {
                monitor.get().kill();
                return;
            }
            pause();
        }
    }

    private void removeParts(String id, Exception because) {
        try {
            remove(id);
        } catch (RuntimeFailure e) {
            because.addSuppressed(e);
        }
    }
}
