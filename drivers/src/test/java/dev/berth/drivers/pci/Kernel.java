package dev.berth.drivers.pci;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/// Simulates the kernel on a copy of `/sys`: binds and unbinds drivers on writes.
final class Kernel implements PciDriverBinding.SysfsWriter {

    private final Path root;
    private final List<String> writes = new ArrayList<>();
    private int writesLeft = Integer.MAX_VALUE;

    Kernel(Path root, String... drivers) throws IOException {
        this.root = root;
        for (var driver : drivers) {
            Files.createDirectories(root.resolve("bus/pci/drivers").resolve(driver));
        }
    }

    /// Simulates a crash of the driver.
    static final class SimulatedCrash extends Error {
        private static final long serialVersionUID = 1;
    }

    /// Simulates a crash after a number of writes.
    void crashAfter(int count) {
        writesLeft = count;
    }

    List<String> writes() {
        return List.copyOf(writes);
    }

    @Override
    public void write(Path file, String text) throws IOException {
        if (writesLeft-- <= 0) {
            throw new SimulatedCrash();
        }
        var name = root.relativize(file).toString();
        writes.add(name.replace("bus/pci/", "") + " " + text.strip());
        if (name.endsWith("/driver_override")) {
            Files.writeString(file, text.isBlank() ? "(null)\n" : text + "\n");
        } else if (name.endsWith("/driver/unbind")) {
            Files.delete(file.resolveSibling("").resolveSibling("driver"));
        } else if (name.equals("bus/pci/drivers_probe")) {
            probe(root.resolve("bus/pci/devices").resolve(text));
        } else {
            throw new IOException("no such file: " + file);
        }
    }

    private void probe(Path function) throws IOException {
        var override = Files.readString(function.resolve("driver_override")).strip();
        var driver = root.resolve("bus/pci/drivers").resolve(override);
        if (!override.equals("(null)") && Files.isDirectory(driver)) {
            Files.createSymbolicLink(function.resolve("driver"), driver);
        }
    }
}
