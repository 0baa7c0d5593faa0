package dev.berth.node.agent;

import dev.berth.model.quantity.Quantity;
import java.io.IOException;
import java.net.Inet4Address;
import java.net.NetworkInterface;
import java.net.SocketException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/// Capacity and system information of the machine, as reported in the Node's status.
///
/// @param capacity by resource
public record MachineFacts(
        Map<String, Quantity> capacity,
        String architecture,
        String kernel,
        String osImage,
        String machineId,
        String systemId,
        String bootId) {

    private static final long MAX_PODS = 110;
    private static final long BYTES_PER_KIB = 1024;

    public MachineFacts {
        capacity = Collections.unmodifiableMap(new LinkedHashMap<>(capacity));
    }

    /// Reads the facts of this machine.
    ///
    /// @param root directory whose file system provides ephemeral storage
    public static MachineFacts read(Path root) throws IOException {
        var capacity = new LinkedHashMap<String, Quantity>();
        capacity.put("cpu", Quantity.of(cpus()));
        capacity.put("memory", kibibytes(memory()));
        capacity.put(
                "ephemeral-storage",
                kibibytes(Files.getFileStore(root).getTotalSpace() / BYTES_PER_KIB));
        capacity.put("pods", Quantity.of(MAX_PODS));
        return new MachineFacts(
                capacity,
                architecture(System.getProperty("os.arch", "")),
                System.getProperty("os.version", ""),
                prettyName(),
                text("/etc/machine-id"),
                text("/sys/class/dmi/id/product_uuid").toLowerCase(Locale.ROOT),
                text("/proc/sys/kernel/random/boot_id"));
    }

    private static Quantity kibibytes(long count) {
        return Quantity.parse(count + "Ki");
    }

    private static long cpus() throws IOException {
        try (var lines = Files.lines(Path.of("/proc/cpuinfo"))) {
            return Math.max(1, lines.filter(line -> line.startsWith("processor")).count());
        }
    }

    private static long memory() throws IOException {
        for (var line : Files.readAllLines(Path.of("/proc/meminfo"))) {
            if (line.startsWith("MemTotal:")) {
                return Long.parseLong(line.replaceAll("[^0-9]", ""));
            }
        }
        throw new IOException("/proc/meminfo has no MemTotal");
    }

    /// The architecture as container images name it.
    private static String architecture(String ofJava) {
        return switch (ofJava) {
            case "x86_64", "amd64" -> "amd64";
            case "aarch64" -> "arm64";
            default -> ofJava;
        };
    }

    private static String prettyName() throws IOException {
        var file = Path.of("/etc/os-release");
        if (Files.exists(file)) {
            for (var line : Files.readAllLines(file)) {
                if (line.startsWith("PRETTY_NAME=")) {
                    return line.substring(line.indexOf('=') + 1).replace("\"", "");
                }
            }
        }
        return "Linux";
    }

    /// Content of a short file; empty if it cannot be read.
    private static String text(String file) {
        try {
            return Files.readString(Path.of(file)).strip();
        } catch (IOException _) {
            return "";
        }
    }

    /// The first external IPv4 address of this machine; loopback if it has none.
    public static String address() {
        try {
            return NetworkInterface.networkInterfaces()
                    .filter(MachineFacts::isExternal)
                    .flatMap(NetworkInterface::inetAddresses)
                    .filter(one -> one instanceof Inet4Address && !one.isLinkLocalAddress())
                    .map(one -> one.getHostAddress())
                    .findFirst()
                    .orElse("127.0.0.1");
        } catch (SocketException _) {
            return "127.0.0.1";
        }
    }

    private static boolean isExternal(NetworkInterface one) {
        try {
            return one.isUp() && !one.isLoopback() && !one.isVirtual();
        } catch (SocketException _) {
            return false;
        }
    }

    /// The host name in lower case, the default name of the Node.
    public static String hostname() {
        var name = text("/proc/sys/kernel/hostname");
        return Optional.of(name)
                .filter(one -> !one.isEmpty())
                .orElse("localhost")
                .toLowerCase(Locale.ROOT);
    }
}
