package dev.berth.node.oci;

import dev.berth.node.runtime.EnvVariable;
import dev.berth.node.runtime.RuntimeFailure;
import dev.berth.node.safepath.MountTable;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;

/// The namespaces that a pod's containers share, kept open by bind mounts instead of a pause
/// process.
///
/// A mount keeps a namespace as well as a process in it would, costs no memory, needs no pause
/// image, cannot be killed, and survives restarts of the agent. Only a PID namespace needs a
/// process, because it ends with its first one: pods that share a PID namespace have a waiting
/// shell there, which also reaps orphaned processes.
final class LinuxNamespaces {

    private static final long POLL_MILLIS = 5;
    private static final int MAX_POLLS = 2000;

    private static final String SET_UP =
            """
            set -e
            if [ -n "$1" ]; then hostname "$1"; fi
            if [ "$2" = own ]; then ip link set lo up; fi
            shift 2
            while [ $# -gt 0 ]; do printf %s "$2" > "/proc/sys/$1"; shift 2; done
            """;

    /// Waits forever and reaps orphaned processes.
    private static final String HOLD = "while :; do sleep 86400 & wait; done";

    private static final Pattern SYSCTL = Pattern.compile("[a-zA-Z0-9_-]+([./][a-zA-Z0-9_-]+)+");

    private final Programs programs;
    private final Path directory;

    /// @param directory for the mounts of one sandbox
    LinuxNamespaces(Programs programs, Path directory) {
        this.programs = programs;
        this.directory = directory;
    }

    /// The paths of a sandbox's namespaces, by their type in `config.json`.
    Map<String, Path> paths(SandboxRecord sandbox) {
        var paths = new LinkedHashMap<String, Path>();
        if (!sandbox.sharing().hostNetwork()) {
            paths.put("network", directory.resolve("net"));
        }
        if (!sandbox.sharing().hostIpc()) {
            paths.put("ipc", directory.resolve("ipc"));
        }
        if (!sandbox.hostname().isEmpty()) {
            paths.put("uts", directory.resolve("uts"));
        }
        if (sharesProcesses(sandbox)) {
            paths.put("pid", directory.resolve("pid"));
        }
        return paths;
    }

    private static boolean sharesProcesses(SandboxRecord sandbox) {
        return sandbox.sharing().processes() && !sandbox.sharing().hostProcesses();
    }

    /// True while all namespaces exist.
    boolean exist(SandboxRecord sandbox, MountTable mounts) {
        return paths(sandbox).values().stream().allMatch(mounts::has)
                && sandbox.holder().map(ProcessIdentity::isAlive).orElse(true);
    }

    /// Creates all namespaces except the PID namespace.
    void make(SandboxRecord sandbox, List<EnvVariable> sysctls) throws RuntimeFailure {
        MountOperations.makeDirectory(directory);
        var line = new ArrayList<String>();
        line.add(programs.path("unshare"));
        for (var one : paths(sandbox).entrySet()) {
            MountOperations.write(one.getValue(), "");
            if (!one.getKey().equals("pid")) {
                line.add("--" + option(one.getKey()) + "=" + one.getValue());
            }
        }
        line.addAll(List.of(programs.path("sh"), "-c", SET_UP, "sh", sandbox.hostname()));
        line.add(sandbox.sharing().hostNetwork() ? "host" : "own");
        for (var sysctl : sysctls) {
            line.add(path(sysctl, sandbox));
            line.add(sysctl.value());
        }
        programs.require("namespaces cannot be created", line, "");
    }

    private static String option(String name) {
        return name.equals("network") ? "net" : name;
    }

    /// Only sysctls of the pod's own namespaces may be set: all others are the host's.
    private static String path(EnvVariable sysctl, SandboxRecord sandbox) throws RuntimeFailure {
        var name = sysctl.name().replace('/', '.');
        var isOfNetwork = name.startsWith("net.") && !sandbox.sharing().hostNetwork();
        var isOfIpc =
                (name.startsWith("kernel.shm")
                                || name.startsWith("kernel.msg")
                                || name.equals("kernel.sem")
                                || name.startsWith("fs.mqueue."))
                        && !sandbox.sharing().hostIpc();
        if (!SYSCTL.matcher(sysctl.name()).matches() || !(isOfNetwork || isOfIpc)) {
            throw new RuntimeFailure(
                    ("the sysctl %s is not one of the pod's own namespaces; a pod can set net.*,"
                                    + " kernel.shm*, kernel.msg*, kernel.sem and fs.mqueue.* where"
                                    + " it does not share the host's")
                            .formatted(sysctl.name()));
        }
        return name.replace('.', '/');
    }

    /// Starts the process that holds the PID namespace, if the sandbox has one.
    Optional<ProcessIdentity> hold(SandboxRecord sandbox) throws RuntimeFailure {
        if (!sharesProcesses(sandbox)) {
            return Optional.empty();
        }
        var pin = directory.resolve("pid");
        var pidFile = directory.resolve("holder");
        var script =
                "echo $$ > \"$1\"; exec unshare --pid=\"$2\" --fork --kill-child sh -c '%s'"
                        .formatted(HOLD);
        var line =
                programs.line(
                        "setsid",
                        List.of("sh", "-c", script, "sh", pidFile.toString(), pin.toString()));
        // It outlives this process, so it must not inherit its streams.
        Programs.start(
                new ProcessBuilder(line)
                        .redirectInput(ProcessBuilder.Redirect.from(Path.of("/dev/null").toFile()))
                        .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                        .redirectError(ProcessBuilder.Redirect.DISCARD));
        return Optional.of(awaitHolder(pidFile, pin));
    }

    private static ProcessIdentity awaitHolder(Path pidFile, Path pin) throws RuntimeFailure {
        try {
            for (var i = 0; i < MAX_POLLS; i++) {
                var holder = ProcessIdentity.in(pidFile);
                if (holder.isPresent() && MountTable.read().has(pin)) {
                    return holder.get();
                }
                Thread.sleep(POLL_MILLIS);
            }
        } catch (IOException e) {
            throw new RuntimeFailure("mounts cannot be read: " + e.getMessage(), e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new RuntimeFailure("interrupted", e);
        }
        throw new RuntimeFailure(
                "cannot create a PID namespace for the pod; check whether unshare --pid"
                        + " --fork true works on this machine");
    }

    /// Ends the process that holds the PID namespace.
    void release(SandboxRecord sandbox) {
        sandbox.holder().ifPresent(ProcessIdentity::kill);
        if (sandbox.holder().isEmpty() && Files.exists(directory.resolve("holder"))) {
            // Started but not yet recorded.
            ProcessIdentity.in(directory.resolve("holder"))
                    .filter(one -> isHolder(one.pid()))
                    .ifPresent(ProcessIdentity::kill);
        }
    }

    private boolean isHolder(long pid) {
        try {
            return Files.readString(Path.of("/proc", Long.toString(pid), "cmdline"))
                    .contains(directory.toString());
        } catch (IOException _) {
            return false;
        }
    }
}
