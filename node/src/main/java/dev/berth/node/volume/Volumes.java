package dev.berth.node.volume;

import dev.berth.client.Cluster;
import dev.berth.model.api.Uid;
import dev.berth.model.json.JsonObject;
import dev.berth.model.quantity.Quantity;
import dev.berth.node.pod.PodTask;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;

/// Makes and removes the volumes of pods, below the agent's directory. Both can be repeated.
public final class Volumes {

    private static final Set<String> SHOWING =
            Set.of("configMap", "secret", "downwardAPI", "projected");

    /// These may hold what must not reach a disk.
    private static final Set<String> SECRET = Set.of("secret", "projected");

    private static final int GROUP_WRITES = 02770;

    private final Path pods;
    private final Cluster cluster;
    private final Tokens tokens;
    private final Map<String, Quantity> allocatable;

    /// @param pods where each pod has a directory named by its UID
    /// @param allocatable what the node has for pods
    public Volumes(Path pods, Cluster cluster, Map<String, Quantity> allocatable, Clock clock) {
        this.pods = pods;
        this.cluster = cluster;
        this.tokens = new Tokens(cluster, clock);
        this.allocatable = Map.copyOf(allocatable);
    }

    /// The pod's own directory.
    public Path directory(Uid pod) {
        return pods.resolve(pod.value());
    }

    /// Sees to it that all volumes of a pod are there, with what they have to show now; where they
    /// are, by name.
    public Map<String, Path> mount(PodTask pod) throws VolumeProblem {
        var paths = new LinkedHashMap<String, Path>();
        for (var volume : pod.spec().objects("volumes")) {
            var name = volume.text("name");
            try {
                paths.put(name, mount(pod, name, volume));
            } catch (IOException e) {
                throw new VolumeProblem(
                        "volume %s: cannot be made in %s: %s"
                                .formatted(name, directory(pod.uid()), e),
                        e);
            } catch (VolumeProblem e) {
                throw new VolumeProblem("volume %s: %s".formatted(name, e.getMessage()), e);
            }
        }
        return paths;
    }

    private Path mount(PodTask pod, String name, JsonObject volume)
            throws IOException, VolumeProblem {
        var kind =
                volume.names().stream().filter(one -> !one.equals("name")).findFirst().orElse("");
        var source = volume.objectOrEmpty(kind);
        if (kind.equals("hostPath")) {
            return HostPath.check(source);
        }
        if (!kind.isEmpty() && !kind.equals("emptyDir") && !SHOWING.contains(kind)) {
            throw new VolumeProblem(
                    ("kind %s is not supported on this node; use emptyDir, hostPath, configMap,"
                                    + " secret, downwardAPI or projected")
                            .formatted(kind));
        }
        var directory = directory(pod.uid()).resolve("volumes").resolve(name);
        var isNew = !Files.isDirectory(directory);
        Files.createDirectories(directory);
        if (SECRET.contains(kind) || source.text("medium").equals("Memory")) {
            MemoryMount.ensure(directory, source.string("sizeLimit"));
        }
        if (SHOWING.contains(kind)) {
            var projection = new Projection(cluster, tokens, pod, allocatable);
            new PublishedDirectory(directory).write(projection.files(kind, source));
            if (isNew) {
                Files.setAttribute(directory, "unix:mode", 0755);
            }
        } else if (isNew) {
            Files.setAttribute(directory, "unix:mode", 0777);
        }
        own(pod, directory);
        return directory;
    }

    /// Volumes belong to the group that the pod names for them.
    private static void own(PodTask pod, Path directory) throws IOException {
        var group = pod.spec().objectOrEmpty("securityContext").number("fsGroup");
        if (group.isPresent()) {
            Files.setAttribute(directory, "unix:gid", (int) group.getAsLong());
            var mode = (int) Files.getAttribute(directory, "unix:mode") & 07777;
            Files.setAttribute(directory, "unix:mode", mode | GROUP_WRITES);
        }
    }

    /// Removes a pod's volumes and all of its directory.
    public void remove(Uid pod) throws IOException {
        tokens.forget(pod);
        var directory = directory(pod);
        MemoryMount.removeBelow(directory);
        PublishedDirectory.delete(directory);
    }
}
