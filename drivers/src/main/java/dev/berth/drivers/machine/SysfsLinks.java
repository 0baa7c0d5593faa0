package dev.berth.drivers.machine;

import dev.berth.node.sysfs.PciAddress;
import dev.berth.node.sysfs.Sysfs;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/// Resolves symbolic links below `/sys`.
public final class SysfsLinks {

    private final Path root;

    public SysfsLinks(Sysfs sysfs) {
        this.root = sysfs.root();
    }

    /// The PCI function of a path below `/sys`: the last one on its real path.
    public Optional<PciAddress> pciFunction(String path) {
        return real(path)
                .flatMap(real -> {
                    for (var i = real.getNameCount() - 1; i >= 0; i--) {
                        var address = PciAddress.tryParse(real.getName(i).toString());
                        if (address.isPresent()) {
                            return address;
                        }
                    }
                    return Optional.empty();
                });
    }

    /// The last path element of a link target, which need not exist, for example the driver name of
    /// a `driver` link.
    public Optional<String> target(String path) {
        try {
            var target = Files.readSymbolicLink(root.resolve(path));
            return Optional.of(String.valueOf(target.getFileName()));
        } catch (IOException | UnsupportedOperationException _) {
            return Optional.empty();
        }
    }

    public Optional<Path> real(String path) {
        try {
            return Optional.of(root.resolve(path).toRealPath());
        } catch (IOException _) {
            return Optional.empty();
        }
    }

    public boolean has(String path) {
        return Files.exists(root.resolve(path));
    }
}
