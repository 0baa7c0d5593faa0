package dev.berth.node.oci;

import dev.berth.node.cdi.CdiRegistry;
import dev.berth.node.runtime.LogLimits;
import java.nio.file.Path;
import java.util.List;

/// Configuration of the OCI runtime.
///
/// @param root the node's directory; images are in `images`, everything else is in `oci`
/// @param cgroupParent parent of the pods' cgroups, such as `berth`
/// @param addresses address range of pods
/// @param cdiDirectories in ascending priority
/// @param logs limits of containers' logs, which the agent enforces; without an agent a log file
///   stays below the total limit of a container's log files
public record OciOptions(
        Path root,
        String cgroupParent,
        PodAddresses addresses,
        List<Path> cdiDirectories,
        LogLimits logs) {

    /// Default directory of a node.
    public static final Path ROOT = Path.of("/var/lib/berth/node");

    public static final String CGROUP_PARENT = "berth";

    /// Options with the default log limits.
    public OciOptions(
            Path root, String cgroupParent, PodAddresses addresses, List<Path> cdiDirectories) {
        this(root, cgroupParent, addresses, cdiDirectories, LogLimits.DEFAULT);
    }

    public OciOptions {
        cdiDirectories = List.copyOf(cdiDirectories);
        root = root.toAbsolutePath().normalize();
    }

    public static OciOptions defaults(Path root) {
        return new OciOptions(root, CGROUP_PARENT, PodAddresses.DEFAULT, CdiRegistry.STANDARD);
    }

    /// The image directory of a node.
    public static Path images(Path root) {
        return root.resolve("images");
    }

    Path state() {
        return root.resolve("oci");
    }
}
