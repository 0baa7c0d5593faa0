package dev.berth.node.oci;

import dev.berth.model.api.Uid;
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

/// The control groups of containers, in all hierarchies that the machine has: one for each
/// controller, or one for all.
final class Cgroups {

    private static final Logger LOG = LoggerFactory.getLogger(Cgroups.class);

    /// How often it is tried to end what does not want to end.
    private static final int ATTEMPTS = 100;

    private static final long PAUSE_MILLIS = 20;

    private final String parent;
    private final List<Path> hierarchies;

    Cgroups(String parent, MountTable mounts) {
        this.parent = parent;
        this.hierarchies =
                Stream.concat(mounts.ofType("cgroup").stream(), mounts.ofType("cgroup2").stream())
                        .map(MountTable.Mount::point)
                        .toList();
    }

    boolean areThere() {
        return !hierarchies.isEmpty();
    }

    /// Where a pod's containers have theirs.
    String ofPod(Uid pod) {
        return parent + "/pod" + pod.value();
    }

    String ofContainer(Uid pod, String id) {
        return ofPod(pod) + "/" + id;
    }

    String parent() {
        return parent;
    }

    /// Ends what is in a group.
    void kill(String group) {
        kill(below(group));
    }

    /// Ends what is in a group and removes it with all below it.
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
        LOG.warn("the control group {} cannot be removed: something in it does not end", group);
    }

    /// Takes a permission for devices from a group, where there are groups of the first version.
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

    /// Removes a group if nothing is in it.
    void removeEmpty(String group) {
        hierarchies.forEach(hierarchy -> tryToDelete(hierarchy.resolve(group)));
    }

    private List<Path> below(String group) {
        var found = new ArrayList<Path>();
        for (var hierarchy : hierarchies) {
            try (var all = Files.walk(hierarchy.resolve(group))) {
                found.addAll(all.filter(Files::isDirectory).toList().reversed());
            } catch (IOException | UncheckedIOException _) {
                // It is not there, or is going.
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
                // It is going.
            }
        }
        // Zero stands for processes of namespaces that cannot be seen from here.
        processes.stream()
                .filter(pid -> pid > 0)
                .flatMap(pid -> ProcessHandle.of(pid).stream())
                .forEach(ProcessHandle::destroyForcibly);
    }

    private static void tryToDelete(Path group) {
        try {
            Files.deleteIfExists(group);
        } catch (IOException _) {
            // Something is in it still.
        }
    }

    private static boolean pause() {
        try {
            Thread.sleep(PAUSE_MILLIS);
            return true;
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
            return false;
        }
    }
}
