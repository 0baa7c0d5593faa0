package dev.berth.node.oci;

import dev.berth.node.cdi.HostDevices;
import dev.berth.node.runtime.RuntimeFailure;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;

/// The device nodes of this machine, for privileged containers.
final class HostDeviceFiles {

    private static final Path DEV = Path.of("/dev");
    private static final int PERMISSIONS = 07777;

    /// Entries of `/dev` that every container has its own of.
    private static final Set<String> OWN =
            Set.of("pts", "shm", "mqueue", "fd", "console", "ptmx", "stdin", "stdout", "stderr");

    private HostDeviceFiles() {}

    static List<ContainerInputs.DeviceFile> all() throws RuntimeFailure {
        var found = new ArrayList<ContainerInputs.DeviceFile>();
        var devices = new HostDevices(Path.of("/"));
        try (var files = Files.walk(DEV)) {
            for (var file : files.filter(HostDeviceFiles::isShared).sorted().toList()) {
                if (devices.find(file.toString())
                                instanceof HostDevices.Found.Node(var type, var major, var minor)
                        && !type.equals("p")) {
                    found.add(described(file, type, major, minor));
                }
            }
        } catch (IOException | UncheckedIOException e) {
            throw new RuntimeFailure(
                    "cannot list the devices of the machine: " + e.getMessage(), e);
        }
        return found;
    }

    private static boolean isShared(Path file) {
        return !file.equals(DEV) && !OWN.contains(DEV.relativize(file).getName(0).toString());
    }

    private static ContainerInputs.DeviceFile described(
            Path file, String type, long major, long minor) throws IOException {
        var attributes = Files.readAttributes(file, "unix:mode,uid,gid", LinkOption.NOFOLLOW_LINKS);
        return new ContainerInputs.DeviceFile(
                file.toString(),
                type,
                major,
                minor,
                number(attributes, "mode") & PERMISSIONS,
                number(attributes, "uid"),
                number(attributes, "gid"));
    }

    private static int number(Map<String, Object> attributes, String name) {
        return attributes.get(name) instanceof Number number ? number.intValue() : 0;
    }
}
