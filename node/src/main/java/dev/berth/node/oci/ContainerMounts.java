package dev.berth.node.oci;

import dev.berth.model.json.Json;
import dev.berth.model.json.JsonObject;
import dev.berth.node.runtime.ContainerSpec.Mount;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// Mounts of a container: kernel file systems, files of the sandbox, and the mounts of its spec,
/// which replace any of those at the same path.
final class ContainerMounts {

    private final Map<String, JsonObject> byPath = new LinkedHashMap<>();

    private ContainerMounts() {}

    static List<JsonObject> of(ContainerInputs inputs) {
        var mounts = new ContainerMounts();
        mounts.addKernel(inputs.spec().security().isPrivileged());
        mounts.bind(inputs.sharedMemory(), "/dev/shm", false);
        inputs.files().entrySet().stream()
                .sorted(Map.Entry.comparingByKey())
                .forEach(file -> mounts.bind(file.getValue(), file.getKey(), false));
        inputs.spec().mounts().forEach(mounts::add);
        return mounts.inOrder();
    }

    private void addKernel(boolean isPrivileged) {
        var readOnly = isPrivileged ? "rw" : "ro";
        kernel("/proc", "proc", List.of("nosuid", "noexec", "nodev"));
        kernel("/dev", "tmpfs", List.of("nosuid", "strictatime", "mode=755", "size=65536k"));
        kernel(
                "/dev/pts",
                "devpts",
                List.of("nosuid", "noexec", "newinstance", "ptmxmode=0666", "mode=0620", "gid=5"));
        kernel("/dev/mqueue", "mqueue", List.of("nosuid", "noexec", "nodev"));
        kernel("/sys", "sysfs", List.of("nosuid", "noexec", "nodev", readOnly));
        kernel(
                "/sys/fs/cgroup",
                "cgroup",
                List.of("nosuid", "noexec", "nodev", "relatime", readOnly));
    }

    private void kernel(String path, String type, List<String> options) {
        put(path, type, type, options);
    }

    private void add(Mount mount) {
        bind(mount.host(), mount.container(), mount.isReadOnly());
    }

    private void bind(Path host, String path, boolean isReadOnly) {
        put(path, "bind", host.toString(), List.of("rbind", "rprivate", isReadOnly ? "ro" : "rw"));
    }

    private void put(String path, String type, String source, List<String> options) {
        var normal = Path.of("/").resolve(path).normalize().toString();
        byPath.put(
                normal,
                JsonObject.of("destination", Json.of(normal))
                        .with("type", Json.of(type))
                        .with("source", Json.of(source))
                        .with("options", RecordJson.texts(options)));
    }

    /// Sorts mounts by depth, so that nested mounts come after their parents.
    private List<JsonObject> inOrder() {
        var all = new ArrayList<>(byPath.values());
        all.sort(Comparator.comparingInt(ContainerMounts::depth));
        return all;
    }

    private static int depth(JsonObject mount) {
        return Path.of(mount.text("destination")).getNameCount();
    }
}
