package dev.berth.node.sysfs;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.TreeMap;
import java.util.stream.Stream;

/// The tree under `/sys`, or a copy of one.
///
/// Missing files are absent values, not errors: kernels and virtual machines differ.
public final class Sysfs {

    /// The tree of this machine.
    public static final Path SYSTEM = Path.of("/sys");

    private final Path root;

    public Sysfs(Path root) {
        this.root = root;
    }

    public Path root() {
        return root;
    }

    /// All PCI functions, by address.
    public List<PciAddress> pciFunctions() {
        return names(pciDevices()).stream()
                .map(PciAddress::tryParse)
                .flatMap(Optional::stream)
                .sorted()
                .toList();
    }

    private Path pciDevices() {
        return root.resolve("bus/pci/devices");
    }

    /// A file of a PCI function, such as `class` or `vendor`.
    public Optional<String> pciFile(PciAddress address, String name) {
        return text(pciDevices().resolve(address.text()).resolve(name));
    }

    /// The PCIe root complex of a function, such as `pci0000:40`: devices that share one reach each
    /// other without the processor.
    public Optional<String> pcieRoot(PciAddress address) {
        var link = pciDevices().resolve(address.text());
        try {
            var target = pciDevices().resolve(Files.readSymbolicLink(link)).normalize();
            var below = root.normalize().relativize(target);
            var isPci =
                    below.getNameCount() > 2
                            && below.getName(0).toString().equals("devices")
                            && below.getName(1).toString().startsWith("pci")
                            && below.endsWith(address.text());
            return isPci ? Optional.of(below.getName(1).toString()) : Optional.empty();
        } catch (IOException | UnsupportedOperationException | IllegalArgumentException _) {
            return Optional.empty();
        }
    }

    /// The NUMA node of a PCI function; empty if unknown (-1).
    public OptionalInt numaNode(PciAddress address) {
        return pciFile(address, "numa_node")
                .map(Sysfs::number)
                .filter(node -> node.isPresent() && node.getAsInt() >= 0)
                .orElse(OptionalInt.empty());
    }

    /// The NUMA node of a CPU.
    public OptionalInt numaNodeOfCpu(int cpu) {
        return names(root.resolve("devices/system/cpu/cpu" + cpu)).stream()
                .filter(name -> name.startsWith("node"))
                .map(name -> number(name.substring("node".length())))
                .filter(OptionalInt::isPresent)
                .findFirst()
                .orElse(OptionalInt.empty());
    }

    /// A NUMA node, and those nodes of its socket that have the smallest distance to it.
    public List<Integer> nearNumaNodes(int node) {
        var near = new ArrayList<Integer>();
        near.add(node);
        var distances = distances(node);
        var least =
                distances.entrySet().stream()
                        .filter(entry -> entry.getKey() != node)
                        .mapToInt(Map.Entry::getValue)
                        .min();
        if (least.isEmpty()) {
            return near;
        }
        var socket = socket(node);
        distances.forEach((other, distance) -> {
            var isNear = other != node && distance == least.getAsInt();
            var otherSocket = socket(other);
            var isSame = socket.isEmpty() || otherSocket.isEmpty() || socket.equals(otherSocket);
            if (isNear && isSame) {
                near.add(other);
            }
        });
        return near;
    }

    /// Distances to all nodes, by node number.
    private NavigableMap<Integer, Integer> distances(int node) {
        var distances = new TreeMap<Integer, Integer>();
        var nodes = new ArrayList<Integer>();
        for (var name : names(root.resolve("devices/system/node"))) {
            if (name.startsWith("node")) {
                number(name.substring("node".length())).ifPresent(nodes::add);
            }
        }
        nodes.sort(null);
        var row = text(nodeFile(node, "distance")).map(Sysfs::fields).orElse(List.of());
        for (var i = 0; i < Math.min(row.size(), nodes.size()); i++) {
            var to = nodes.get(i);
            number(row.get(i)).ifPresent(distance -> distances.put(to, distance));
        }
        return distances;
    }

    private OptionalInt socket(int node) {
        return text(nodeFile(node, "cpulist"))
                .map(CpuList::first)
                .filter(OptionalInt::isPresent)
                .flatMap(cpu ->
                        text(
                                root.resolve(
                                        "devices/system/cpu/cpu%d/topology/physical_package_id"
                                                .formatted(cpu.getAsInt()))))
                .map(Sysfs::number)
                .orElse(OptionalInt.empty());
    }

    private Path nodeFile(int node, String name) {
        return root.resolve("devices/system/node/node" + node).resolve(name);
    }

    /// The content of a file without the trailing line end.
    public Optional<String> text(Path file) {
        try {
            return Optional.of(Files.readString(root.resolve(file)).strip());
        } catch (IOException _) {
            return Optional.empty();
        }
    }

    /// The sorted names of a directory; empty if it does not exist.
    public List<String> names(Path directory) {
        try (Stream<Path> entries = Files.list(root.resolve(directory))) {
            return entries.map(entry -> String.valueOf(entry.getFileName())).sorted().toList();
        } catch (IOException _) {
            return List.of();
        }
    }

    private static List<String> fields(String text) {
        return List.of(text.split("\\s+", -1));
    }

    static OptionalInt number(String text) {
        try {
            return OptionalInt.of(Integer.parseInt(text));
        } catch (NumberFormatException _) {
            return OptionalInt.empty();
        }
    }
}
