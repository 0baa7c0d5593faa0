package dev.berth.node.oci;

import dev.berth.model.api.meta.Uid;
import dev.berth.node.runtime.RuntimeFailure;
import dev.berth.node.safepath.MountTable;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// The cgroups of containers, in all mounted hierarchies: one per controller (v1), or one for all
/// (v2).
final class Cgroups {

    private static final Logger LOG = LoggerFactory.getLogger(Cgroups.class);

    /// Attempts to kill and remove what is in a cgroup.
    private static final int ATTEMPTS = 100;

    private static final long RETRY_MILLIS = 20;

    private final String parent;
    private final List<Path> hierarchies;

    Cgroups(String parent, MountTable mounts) {
        this.parent = parent;
        this.hierarchies =
                Stream.concat(mounts.ofType("cgroup").stream(), mounts.ofType("cgroup2").stream())
                        .map(MountTable.Mount::point)
                        .toList();
    }

    boolean areMounted() {
        return !hierarchies.isEmpty();
    }

    /// The parent cgroup of a pod's containers.
    String ofPod(Uid pod) {
        return parent + "/pod" + pod.value();
    }

    String ofContainer(Uid pod, String id) {
        return ofPod(pod) + "/" + id;
    }

    String parent() {
        return parent;
    }

    /// Kills all processes in a cgroup.
    void kill(String group) {
        kill(below(group));
    }

    /// Kills all processes in a cgroup and removes it with its children.
    void remove(String group) {
        for (var attempt = 0; attempt < ATTEMPTS; attempt++) {
            var left = below(group);
            if (left.isEmpty()) {
                return;
            }
            kill(left);
            left.forEach(Cgroups::tryToDelete);
            if (attempt > 0 && !pause()) {
                return;
            }
        }
        LOG.warn("cgroup {} cannot be removed: a process in it does not terminate", group);
    }

    /// Denies devices to a cgroup; cgroup v1 only.
    void deny(String group, String rule) throws RuntimeFailure {
        for (var hierarchy : hierarchies) {
            var file = hierarchy.resolve(group).resolve("devices.deny");
            if (Files.exists(file)) {
                try {
                    Files.writeString(file, rule);
                } catch (IOException e) {
                    throw new RuntimeFailure(
                            "%s cannot be written: %s".formatted(file, e.getMessage()), e);
                }
            }
        }
    }

    /// Removes a cgroup if it is empty.
    void removeEmpty(String group) {
        hierarchies.forEach(hierarchy -> tryToDelete(hierarchy.resolve(group)));
    }

    private List<Path> below(String group) {
        var found = new ArrayList<Path>();
        for (var hierarchy : hierarchies) {
            try (var all = Files.walk(hierarchy.resolve(group))) {
                found.addAll(all.filter(Files::isDirectory).toList().reversed());
            } catch (IOException | UncheckedIOException _) {
                // The cgroup does not exist or is being removed.
            }
        }
        return found;
    }

    private static void kill(List<Path> groups) {
        var processes = new TreeSet<Long>();
        for (var group : groups) {
            try (var lines = Files.lines(group.resolve("cgroup.procs"))) {
                lines.map(Long::parseLong).forEach(processes::add);
            } catch (IOException | UncheckedIOException _) {
                // The cgroup is being removed.
            }
        }
        // Zero stands for processes of namespaces that are not visible from here.
        processes.stream()
                .filter(pid -> pid > 0)
                .flatMap(pid -> ProcessHandle.of(pid).stream())
                .forEach(ProcessHandle::destroyForcibly);
    }

    private static void tryToDelete(Path group) {
        try {
            Files.deleteIfExists(group);
        } catch (IOException _) {
            // The cgroup is not empty.
        }
    }

    private static boolean pause() {
        try {
            Thread.sleep(RETRY_MILLIS);
            return true;
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
            return false;
        }
    }
}
