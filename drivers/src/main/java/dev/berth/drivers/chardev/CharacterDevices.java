package dev.berth.drivers.chardev;

import dev.berth.drivers.machine.MachineRoots;
import dev.berth.drivers.machine.SysfsLinks;
import dev.berth.node.cdi.HostDevices;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/// Finds the character devices below `/dev`.
final class CharacterDevices {

    private static final int MAX_DEPTH = 4;

    private final MachineRoots machine;
    private final SysfsLinks links;
    private final HostDevices devices;

    CharacterDevices(MachineRoots machine) {
        this.machine = machine;
        this.links = new SysfsLinks(machine.sysfs());
        this.devices = new HostDevices(machine.dev());
    }

    /// All character devices by path; skips links and files that vanish during the scan.
    List<CharacterDevice> all() {
        var files = new ArrayList<CharacterDevice>();
        collect("", MAX_DEPTH, files);
        return files;
    }

    private void collect(String directory, int depth, List<CharacterDevice> files) {
        for (var name : machine.sysfs().names(machine.dev().toAbsolutePath().resolve(directory))) {
            var path = directory.isEmpty() ? name : directory + "/" + name;
            switch (devices.find(path)) {
                case HostDevices.Found.Node(var type, var major, var minor) -> {
                    if (type.equals("c")) {
                        files.add(file(path, major, minor));
                    }
                }
                case HostDevices.Found.NoNode _ -> {
                    if (depth > 0 && isDirectory(path)) {
                        collect(path, depth - 1, files);
                    }
                }
            }
        }
    }

    private boolean isDirectory(String path) {
        return Files.isDirectory(machine.dev().resolve(path), LinkOption.NOFOLLOW_LINKS);
    }

    private CharacterDevice file(String path, long major, long minor) {
        var node = "dev/char/%d:%d".formatted(major, minor);
        return new CharacterDevice(
                path,
                major,
                minor,
                links.real(node + "/device").map(Path::toString),
                links.pciFunction(node));
    }
}
