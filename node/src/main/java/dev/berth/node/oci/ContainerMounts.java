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

/// What is mounted in a container: the kernel's own file systems, the pod's files, and what the pod
/// asks for, which replaces any of those before.
final class ContainerMounts {

    private final Map<String, JsonObject> byPlace = new LinkedHashMap<>();

    private ContainerMounts() {}

    static List<JsonObject> of(ContainerInputs plan) {
        var mounts = new ContainerMounts();
        mounts.addKernel(plan.spec().security().isPrivileged());
        mounts.bind(plan.sharedMemory(), "/dev/shm", false);
        plan.files().entrySet().stream()
                .sorted(Map.Entry.comparingByKey())
                .forEach(file -> mounts.bind(file.getValue(), file.getKey(), false));
        plan.spec().mounts().forEach(mounts::add);
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

    private void kernel(String place, String type, List<String> options) {
        put(place, type, type, options);
    }

    private void add(Mount mount) {
        bind(mount.host(), mount.container(), mount.isReadOnly());
    }

    private void bind(Path host, String place, boolean isReadOnly) {
        put(place, "bind", host.toString(), List.of("rbind", "rprivate", isReadOnly ? "ro" : "rw"));
    }

    private void put(String place, String type, String source, List<String> options) {
        var normal = Path.of("/").resolve(place).normalize().toString();
        byPlace.put(
                normal,
                JsonObject.of("destination", Json.of(normal))
                        .with("type", Json.of(type))
                        .with("source", Json.of(source))
                        .with("options", RecordJson.texts(options)));
    }

    /// What is deeper goes on top of what is not.
    private List<JsonObject> inOrder() {
        var all = new ArrayList<>(byPlace.values());
        all.sort(Comparator.comparingInt(ContainerMounts::depth));
        return all;
    }

    private static int depth(JsonObject mount) {
        return Path.of(mount.text("destination")).getNameCount();
    }
}
