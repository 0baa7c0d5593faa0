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

/// Creates and removes sandboxes: namespaces, network link, shared memory, and the files `hosts`,
/// `hostname` and `resolv.conf`.
final class Sandboxes {

    /// Maximum number of addresses to try that another process takes at the same moment.
    private static final int MAX_ADDRESSES = 16;

    private static final Path RESOLVER = Path.of("/etc/resolv.conf");
    private static final Path HOSTS = Path.of("/etc/hosts");
    private static final Path HOSTNAME = Path.of("/proc/sys/kernel/hostname");

    private final OciServices services;
    private final PodAddresses addresses;
    private final PodNetwork network;
    // Guards the choice of an address until it is recorded.
    private final ReentrantLock addressLock = new ReentrantLock();

    Sandboxes(OciServices services, PodAddresses addresses) {
        this.services = services;
        this.addresses = addresses;
        this.network = new PodNetwork(services.programs(), addresses);
    }

    /// Creates a sandbox; removes its parts again if that fails.
    String make(SandboxSpec spec) throws RuntimeFailure {
        var id = OciServices.newId();
        var record =
                SandboxRecord.create(
                        id, spec, services.privileges().boot(), services.clock().instant());
        services.sandboxes().put(record);
        try {
            make(record, spec);
            return id;
        } catch (RuntimeFailure | RuntimeException e) {
            removeAfter(id, e);
            throw new RuntimeFailure(
                    "the sandbox of pod %s cannot be created: %s"
                            .formatted(spec.pod(), e.getMessage()),
                    e);
        }
    }

    private void make(SandboxRecord record, SandboxSpec spec) throws RuntimeFailure {
        var directory = services.sandbox(record.id());
        var namespaces = services.namespaces(record.id());
        MountOperations.makeDirectory(directory);
        namespaces.make(record, spec.sysctls());
        if (!record.sharing().hostIpc()) {
            var memory = directory.resolve("shm");
            MountOperations.makeDirectory(memory);
            services.mounts()
                    .mount("tmpfs", "shm", memory, "nosuid,nodev,noexec,mode=1777,size=65536k");
        }
        var linked = record.sharing().hostNetwork() ? record : link(record);
        var holder = namespaces.hold(linked);
        var complete = holder.isPresent() ? linked.heldBy(holder.get()) : linked;
        writeFiles(complete, directory);
        MountOperations.makeDirectory(spec.logDirectory());
        services.sandboxes().put(complete.at(SandboxRecord.Stage.READY));
    }

    private SandboxRecord link(SandboxRecord sandbox) throws RuntimeFailure {
        var tried = new HashSet<String>();
        while (true) {
            var addressed = assignAddress(sandbox, tried);
            var address = addressed.address().orElseThrow();
            tried.add(address);
            try {
                var namespace = services.sandbox(sandbox.id()).resolve("ns/net");
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

    private SandboxRecord assignAddress(SandboxRecord sandbox, Set<String> tried)
            throws RuntimeFailure {
        addressLock.lock();
        try {
            var taken = new HashSet<>(tried);
            taken.addAll(network.routed());
            var all = services.sandboxes().all();
            all.forEach(one -> one.address().ifPresent(taken::add));
            var last =
                    all.stream()
                            .filter(one -> one.address().isPresent())
                            .max(Comparator.comparing(SandboxRecord::createdAt))
                            .flatMap(SandboxRecord::address);
            var address =
                    addresses
                            .next(taken, last)
                            .orElseThrow(() ->
                                    new RuntimeFailure(
                                            "all addresses of %s are in use; remove pods, or use"
                                                            .formatted(addresses)
                                                    + " a larger range"));
            var addressed = sandbox.withAddress(address);
            services.sandboxes().put(addressed);
            return addressed;
        } finally {
            addressLock.unlock();
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

    /// Content of a file; empty if the machine does not have it.
    private static String text(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException _) {
            return "";
        }
    }

    /// Files of a sandbox, by path in its containers.
    Map<String, Path> files(String id) {
        var files = new LinkedHashMap<String, Path>();
        for (var name : List.of("hosts", "hostname", "resolv.conf")) {
            files.put("/etc/" + name, services.sandbox(id).resolve(name));
        }
        return files;
    }

    Path sharedMemory(SandboxRecord sandbox) {
        return sandbox.sharing().hostIpc()
                ? Path.of("/dev/shm")
                : services.sandbox(sandbox.id()).resolve("shm");
    }

    List<SandboxState> states() throws RuntimeFailure {
        var mounts = mounts();
        return services.sandboxes().all().stream()
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

    /// A sandbox that can run containers.
    Optional<SandboxRecord> ready(String id) throws RuntimeFailure {
        var mounts = mounts();
        return services.sandboxes().find(id).filter(one -> isReady(one, mounts));
    }

    private boolean isReady(SandboxRecord sandbox, MountTable mounts) {
        return sandbox.stage() == SandboxRecord.Stage.READY
                && sandbox.boot().equals(services.privileges().boot())
                && services.namespaces(sandbox.id()).exist(sandbox, mounts);
    }

    private static MountTable mounts() throws RuntimeFailure {
        try {
            return MountTable.read();
        } catch (IOException e) {
            throw new RuntimeFailure("mounts cannot be read: " + e.getMessage(), e);
        }
    }

    /// Removes a sandbox whose containers are removed.
    void remove(String id) throws RuntimeFailure {
        var found = services.sandboxes().find(id);
        if (found.isEmpty()) {
            return;
        }
        var sandbox = found.get();
        services.sandboxes().put(sandbox.at(SandboxRecord.Stage.REMOVING));
        services.namespaces(id).release(sandbox);
        if (!sandbox.sharing().hostNetwork()) {
            network.detach(id);
        }
        services.mounts().removeTree(services.sandbox(id));
        var isLast =
                services.sandboxes().all().stream()
                        .noneMatch(one -> one.uid().equals(sandbox.uid()) && !one.id().equals(id));
        if (isLast) {
            services.cgroups().remove(services.cgroups().ofPod(sandbox.uid()));
        }
        services.sandboxes().delete(id);
    }

    private void removeAfter(String id, Exception cause) {
        try {
            remove(id);
        } catch (RuntimeFailure e) {
            cause.addSuppressed(e);
        }
    }
}
