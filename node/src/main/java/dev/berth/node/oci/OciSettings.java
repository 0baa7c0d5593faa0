package dev.berth.node.oci;

import dev.berth.node.cdi.CdiRegistry;
import dev.berth.node.runtime.LogLimits;
import java.nio.file.Path;
import java.util.List;

/// Where a runtime keeps things, and what it may give away.
///
/// @param root the node's directory; images are in `images`, all else is in `oci`
/// @param cgroupParent below which pods have their control groups, such as `berth`
/// @param addresses for pods
/// @param cdiDirectories the least important first
/// @param logs limits of containers' logs, which the agent enforces; without it a log file stays
///   below what all files of a container may have together
public record OciSettings(
        Path root,
        String cgroupParent,
        PodAddresses addresses,
        List<Path> cdiDirectories,
        LogLimits logs) {

    /// Where a node keeps things if nobody says otherwise.
    public static final Path ROOT = Path.of("/var/lib/berth/node");

    public static final String CGROUP_PARENT = "berth";

    /// With the usual limits of logs.
    public OciSettings(
            Path root, String cgroupParent, PodAddresses addresses, List<Path> cdiDirectories) {
        this(root, cgroupParent, addresses, cdiDirectories, LogLimits.USUAL);
    }

    public OciSettings {
        cdiDirectories = List.copyOf(cdiDirectories);
        root = root.toAbsolutePath().normalize();
    }

    public static OciSettings usual(Path root) {
        return new OciSettings(root, CGROUP_PARENT, PodAddresses.USUAL, CdiRegistry.STANDARD);
    }

    /// Where the images of a node are.
    public static Path images(Path root) {
        return root.resolve("images");
    }

    Path state() {
        return root.resolve("oci");
    }
}
