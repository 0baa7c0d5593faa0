package dev.berth.node.cdi;

import java.util.ArrayList;
import java.util.List;

/// Versions of the CDI specification.
public final class CdiVersions {

    /// All versions, oldest first.
    private static final List<String> KNOWN =
            List.of(
                    "0.1.0", "0.2.0", "0.3.0", "0.4.0", "0.5.0", "0.6.0", "0.7.0", "0.8.0", "1.0.0",
                    "1.1.0");

    /// The newest version that all runtimes read: podman from 4.3, containerd from 1.7.
    private static final String WIDELY_READ = "0.5.0";

    private CdiVersions() {}

    /// The oldest version that has all fields of the spec.
    public static String required(CdiSpec spec) {
        var edits = new ArrayList<ContainerEdits>();
        edits.add(spec.edits());
        spec.devices().forEach(device -> edits.add(device.edits()));
        if (edits.stream().anyMatch(CdiVersions::needs110)) {
            return "1.1.0";
        }
        if (edits.stream().anyMatch(CdiVersions::needs070)) {
            return "0.7.0";
        }
        if (needs060(spec)) {
            return "0.6.0";
        }
        if (needs050(spec, edits)) {
            return "0.5.0";
        }
        return edits.stream().anyMatch(CdiVersions::needs040) ? "0.4.0" : "0.3.0";
    }

    /// The version to write: the one that all runtimes read, or a newer one if a field needs it.
    public static String toWrite(CdiSpec spec) {
        var required = required(spec);
        return isNewer(required, WIDELY_READ) ? required : WIDELY_READ;
    }

    static boolean isKnown(String version) {
        return KNOWN.contains(plain(version));
    }

    /// True if the first version is newer; both must be known.
    static boolean isNewer(String one, String other) {
        return KNOWN.indexOf(plain(one)) > KNOWN.indexOf(plain(other));
    }

    private static String plain(String version) {
        return version.startsWith("v") ? version.substring(1) : version;
    }

    private static boolean needs110(ContainerEdits edits) {
        return !edits.netDevices().isEmpty()
                || edits.intelRdt()
                        .filter(rdt -> !rdt.schemata().isEmpty() || rdt.enableMonitoring())
                        .isPresent();
    }

    private static boolean needs070(ContainerEdits edits) {
        return edits.intelRdt().isPresent() || !edits.additionalGids().isEmpty();
    }

    private static boolean needs060(CdiSpec spec) {
        return !spec.annotations().isEmpty()
                || spec.devices().stream().anyMatch(device -> !device.annotations().isEmpty())
                || spec.kind().className().contains(".");
    }

    private static boolean needs050(CdiSpec spec, List<ContainerEdits> edits) {
        return spec.devices().stream().anyMatch(device -> beginsWithoutLetter(device.name()))
                || edits.stream()
                        .flatMap(one -> one.deviceNodes().stream())
                        .anyMatch(node -> !node.hostPath().isEmpty());
    }

    private static boolean beginsWithoutLetter(String name) {
        return !name.isEmpty() && !CdiNames.isLetter(name.charAt(0));
    }

    private static boolean needs040(ContainerEdits edits) {
        return edits.mounts().stream().anyMatch(mount -> !mount.type().isEmpty());
    }
}
