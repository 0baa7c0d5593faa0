package dev.berth.node.oci;

import dev.berth.node.runtime.RuntimeFailure;
import dev.berth.node.runtime.SandboxSpec;
import dev.berth.node.runtime.SandboxState;
import dev.berth.node.safepath.MountTable;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;

/// Makes and removes what the containers of a pod share: namespaces, a link to the machine, shared
/// memory, and the files that tell who and where they are.
final class Sandboxes {

    /// Addresses that somebody else took in the same moment, before it is given up.
    private static final int MAX_ADDRESSES = 16;

    private static final Path RESOLVER = Path.of("/etc/resolv.conf");
    private static final Path HOSTS = Path.of("/etc/hosts");
    private static final Path HOSTNAME = Path.of("/proc/sys/kernel/hostname");

    private final OciServices parts;
    private final PodAddresses addresses;
    private final PodNetwork network;
    // Guards the choice of an address until it is remembered.
    private final ReentrantLock choosing = new ReentrantLock();

    Sandboxes(OciServices parts, PodAddresses addresses) {
        this.parts = parts;
        this.addresses = addresses;
        this.network = new PodNetwork(parts.programs(), addresses);
    }

    /// Makes one; what was made is removed again when it fails.
    String make(SandboxSpec spec) throws RuntimeFailure {
        var id = OciServices.newId();
        var begun = SandboxRecord.begun(id, spec, parts.machine().boot(), parts.clock().instant());
        parts.sandboxes().put(begun);
        try {
            make(begun, spec);
            return id;
        } catch (RuntimeFailure | RuntimeException e) {
            removeParts(id, e);
            throw new RuntimeFailure(
                    "the sandbox of pod %s cannot be made: %s"
                            .formatted(spec.pod(), e.getMessage()),
                    e);
        }
    }

    private void make(SandboxRecord begun, SandboxSpec spec) throws RuntimeFailure {
        var directory = parts.sandbox(begun.id());
        var namespaces = parts.namespaces(begun.id());
        MountOperations.makeDirectory(directory);
        namespaces.make(begun, spec.sysctls());
        if (!begun.sharing().hostIpc()) {
            var memory = directory.resolve("shm");
            MountOperations.makeDirectory(memory);
            parts.mounting()
                    .mount("tmpfs", "shm", memory, "nosuid,nodev,noexec,mode=1777,size=65536k");
        }
        var linked = begun.sharing().hostNetwork() ? begun : link(begun);
        var holder = namespaces.hold(linked);
        var held = holder.isPresent() ? linked.heldBy(holder.get()) : linked;
        writeFiles(held, directory);
        MountOperations.makeDirectory(spec.logDirectory());
        parts.sandboxes().put(held.at(SandboxRecord.Stage.READY));
    }

    private SandboxRecord link(SandboxRecord sandbox) throws RuntimeFailure {
        var tried = new HashSet<String>();
        while (true) {
            var addressed = choose(sandbox, tried);
            var address = addressed.address().orElseThrow();
            tried.add(address);
            try {
                var namespace = parts.sandbox(sandbox.id()).resolve("ns/net");
                network.attach(sandbox.id(), address, namespace);
                return addressed;
            } catch (RuntimeFailure e) {
                var wasTaken = network.routed().contains(address);
                network.detach(sandbox.id());
                if (!wasTaken || tried.size() >= MAX_ADDRESSES) {
                    throw e;
                }
            }
        }
    }

    private SandboxRecord choose(SandboxRecord sandbox, Set<String> tried) throws RuntimeFailure {
        choosing.lock();
        try {
            var taken = new HashSet<>(tried);
            taken.addAll(network.routed());
            var known = parts.sandboxes().all();
            known.forEach(one -> one.address().ifPresent(taken::add));
            var last =
                    known.stream()
                            .filter(one -> one.address().isPresent())
                            .max(Comparator.comparing(SandboxRecord::createdAt))
                            .flatMap(SandboxRecord::address);
            var address =
                    addresses
                            .next(taken, last)
                            .orElseThrow(() ->
                                    new RuntimeFailure(
                                            "all addresses of %s are taken; remove pods, or give"
                                                            .formatted(addresses)
                                                    + " the node a larger range"));
            var addressed = sandbox.withAddress(address);
            parts.sandboxes().put(addressed);
            return addressed;
        } finally {
            choosing.unlock();
        }
    }

    private static void writeFiles(SandboxRecord sandbox, Path directory) throws RuntimeFailure {
        var hostname = sandbox.hostname().isEmpty() ? text(HOSTNAME).strip() : sandbox.hostname();
        MountOperations.write(directory.resolve("hostname"), hostname + "\n");
        MountOperations.write(directory.resolve("resolv.conf"), text(RESOLVER));
        MountOperations.write(
                directory.resolve("hosts"),
                sandbox.sharing().hostNetwork()
                        ? text(HOSTS)
                        : "127.0.0.1\tlocalhost\n::1\tlocalhost ip6-localhost ip6-loopback\n"
                                + sandbox.address()
                                        .map(one -> one + "\t" + hostname + "\n")
                                        .orElse(""));
    }

    /// Empty for what the machine does not have.
    private static String text(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException _) {
            return "";
        }
    }

    /// Files of a sandbox, by where they go in its containers.
    Map<String, Path> files(String id) {
        var files = new LinkedHashMap<String, Path>();
        for (var name : List.of("hosts", "hostname", "resolv.conf")) {
            files.put("/etc/" + name, parts.sandbox(id).resolve(name));
        }
        return files;
    }

    Path sharedMemory(SandboxRecord sandbox) {
        return sandbox.sharing().hostIpc()
                ? Path.of("/dev/shm")
                : parts.sandbox(sandbox.id()).resolve("shm");
    }

    List<SandboxState> states() throws RuntimeFailure {
        var mounts = mounts();
        return parts.sandboxes().all().stream()
                .map(one ->
                        new SandboxState(
                                one.id(),
                                one.pod(),
                                one.uid(),
                                one.attempt(),
                                isReady(one, mounts),
                                one.createdAt(),
                                one.address().map(List::of).orElse(List.of())))
                .toList();
    }

    /// A sandbox that can have containers.
    Optional<SandboxRecord> ready(String id) throws RuntimeFailure {
        var mounts = mounts();
        return parts.sandboxes().find(id).filter(one -> isReady(one, mounts));
    }

    private boolean isReady(SandboxRecord sandbox, MountTable mounts) {
        return sandbox.stage() == SandboxRecord.Stage.READY
                && sandbox.boot().equals(parts.machine().boot())
                && parts.namespaces(sandbox.id()).areKept(sandbox, mounts);
    }

    private static MountTable mounts() throws RuntimeFailure {
        try {
            return MountTable.read();
        } catch (IOException e) {
            throw new RuntimeFailure("mounts cannot be read: " + e.getMessage(), e);
        }
    }

    /// Removes all of a sandbox, whose containers are gone.
    void remove(String id) throws RuntimeFailure {
        var found = parts.sandboxes().find(id);
        if (found.isEmpty()) {
            return;
        }
        var sandbox = found.get();
        parts.sandboxes().put(sandbox.at(SandboxRecord.Stage.REMOVING));
        parts.namespaces(id).release(sandbox);
        if (!sandbox.sharing().hostNetwork()) {
            network.detach(id);
        }
        parts.mounting().removeTree(parts.sandbox(id));
        var isLast =
                parts.sandboxes().all().stream()
                        .noneMatch(one -> one.uid().equals(sandbox.uid()) && !one.id().equals(id));
        if (isLast) {
            parts.cgroups().remove(parts.cgroups().ofPod(sandbox.uid()));
        }
        parts.sandboxes().delete(id);
    }

    private void removeParts(String id, Exception because) {
        try {
            remove(id);
        } catch (RuntimeFailure e) {
            because.addSuppressed(e);
        }
    }
}
