package dev.berth.node.volume;

import dev.berth.client.Cluster;
import dev.berth.model.api.meta.Uid;
import dev.berth.model.file.PrivateDirectory;
import dev.berth.model.json.JsonObject;
import dev.berth.model.quantity.Quantity;
import dev.berth.node.pod.PodDefinition;
import dev.berth.node.safepath.BindMounts;
import dev.berth.node.safepath.SafeDirectory;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Clock;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import java.util.stream.Collectors;

/// Mounts and removes the volumes of pods, below the agent's directory. Both operations are
/// idempotent.
public final class VolumeMounter {

    /// Volume types that project API objects.
    private static final Set<String> PUBLISHED =
            Set.of("configMap", "secret", "downwardAPI", "projected");

    /// Volume types whose content must not be written to disk.
    private static final Set<String> SECRET = Set.of("secret", "projected");

    private static final int OWNER_ONLY = 0700;
    private static final int ALL_WRITE = 0777;
    private static final int GROUP_WRITE = 02770;

    private final Path pods;
    private final Cluster cluster;
    private final ServiceAccountTokenCache tokens;
    private final Map<String, Quantity> allocatable;

    /// @param pods parent of the pods' directories, which are named by UID
    /// @param allocatable resources of the node for pods
    public VolumeMounter(
            Path pods, Cluster cluster, Map<String, Quantity> allocatable, Clock clock) {
        this.pods = pods;
        this.cluster = cluster;
        this.tokens = new ServiceAccountTokenCache(cluster, clock);
        this.allocatable = Map.copyOf(allocatable);
    }

    /// The directory of a pod.
    public PodDirectory directory(Uid pod) {
        return PodDirectory.of(pods, pod);
    }

    /// The pods that have a directory.
    public Set<Uid> pods() throws IOException {
        try (var directory = SafeDirectory.open(PrivateDirectory.make(pods))) {
            return directory.names().stream().map(Uid::new).collect(Collectors.toSet());
        }
    }

    /// Creates missing volumes of a pod and updates projected content. Returns the volumes by name.
    public Map<String, MountedVolume> mount(PodDefinition pod) throws VolumeException {
        var volumes = new LinkedHashMap<String, MountedVolume>();
        for (var volume : pod.spec().objects("volumes")) {
            var name = volume.text("name");
            try {
                volumes.put(name, mount(pod, name, volume));
            } catch (IOException e) {
                throw new VolumeException(
                        "volume %s: cannot be created in %s: %s"
                                .formatted(name, directory(pod.uid()).path(), e.getMessage()),
                        e);
            } catch (VolumeException e) {
                throw new VolumeException("volume %s: %s".formatted(name, e.getMessage()), e);
            }
        }
        return volumes;
    }

    private MountedVolume mount(PodDefinition pod, String name, JsonObject volume)
            throws IOException, VolumeException {
        var kind =
                volume.names().stream().filter(one -> !one.equals("name")).findFirst().orElse("");
        var source = volume.objectOrEmpty(kind);
        if (kind.equals("hostPath")) {
            return new MountedVolume(HostPath.check(source), false);
        }
        if (PUBLISHED.contains(kind)) {
            return new MountedVolume(publish(pod, name, kind, source), true);
        }
        if (!kind.isEmpty() && !kind.equals("emptyDir")) {
            throw new VolumeException(
                    ("kind %s is not supported on this node; use emptyDir, hostPath, configMap,"
                                    + " secret, downwardAPI or projected")
                            .formatted(kind));
        }
        return new MountedVolume(emptyDir(pod, name, source), false);
    }

    private Path publish(PodDefinition pod, String name, String kind, JsonObject source)
            throws IOException, VolumeException {
        var files = new ProjectedFiles(cluster, tokens, pod, allocatable).files(kind, source);
        var of = directory(pod.uid());
        var directory = of.make(of.published(name));
        if (SECRET.contains(kind) && !BindMounts.isMountPoint(directory)) {
            BindMounts.memory(directory, "mode=0700");
        }
        try (var parent = SafeDirectory.open(directory);
                var staging = openOrCreate(parent, "staging");
                var content = openOrCreate(parent, "volume")) {
            new AtomicDirectory(content, staging, group(pod)).write(files);
        }
        return directory.resolve("volume");
    }

    private static SafeDirectory openOrCreate(SafeDirectory parent, String name)
            throws IOException {
        return parent.status(name).isPresent()
                ? parent.directory(name)
                : parent.makeDirectory(name, OWNER_ONLY);
    }

    private Path emptyDir(PodDefinition pod, String name, JsonObject source) throws IOException {
        var of = directory(pod.uid());
        var volumes = of.make(of.volumes());
        var group = group(pod);
        var mode = ALL_WRITE | (group.isPresent() ? GROUP_WRITE : 0);
        var path = volumes.resolve(name);
        try (var parent = SafeDirectory.open(volumes)) {
            // Containers may have changed the mode of an existing one.
            if (parent.status(name).isEmpty()) {
                make(parent, name, mode, group);
            }
        }
        if (source.text("medium").equals("Memory") && !BindMounts.isMountPoint(path)) {
            BindMounts.memory(path, options(mode, group, source));
        }
        return path;
    }

    /// Creates the directory under another name first, so that an existing one is complete.
    private static void make(SafeDirectory parent, String name, int mode, OptionalLong group)
            throws IOException {
        var unfinished = "." + name;
        parent.delete(unfinished);
        try (var made = parent.makeDirectory(unfinished, OWNER_ONLY)) {
            if (group.isPresent()) {
                made.setGroup(group.getAsLong());
            }
            made.setMode(mode);
        }
        parent.rename(unfinished, parent, name);
    }

    private static String options(int mode, OptionalLong group, JsonObject source) {
        var options = new StringBuilder("mode=").append(Integer.toOctalString(mode));
        group.ifPresent(gid -> options.append(",gid=").append(gid));
        source.string("sizeLimit")
                .flatMap(Quantity::tryParse)
                .ifPresent(size -> options.append(",size=").append(size.roundedUp()));
        return options.toString();
    }

    /// The group of the pod's volumes. As in the kubelet, `fsGroupChangePolicy` has no effect:
    /// these volumes are created for the pod, with the group.
    private static OptionalLong group(PodDefinition pod) {
        return pod.spec().objectOrEmpty("securityContext").number("fsGroup");
    }

    /// Removes a pod's volumes and its directory.
    public void remove(Uid pod) throws IOException {
        tokens.remove(pod);
        BindMounts.removeBelow(directory(pod).path());
        SafeDirectory.deleteTree(directory(pod).path());
    }
}
