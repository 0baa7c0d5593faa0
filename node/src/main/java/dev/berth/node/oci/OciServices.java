package dev.berth.node.oci;

import dev.berth.node.image.ImageStore;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Clock;
import java.util.HexFormat;
import java.util.List;

/// Services that sandboxes and containers share.
///
/// @param state the runtime's directory
/// @param runcVersion such as `1.1.5`
record OciServices(
        Path state,
        Clock clock,
        HostPrivileges privileges,
        Programs programs,
        MountOperations mounts,
        Cgroups cgroups,
        RootFilesystems roots,
        Runc runc,
        String runcVersion,
        ImageStore images,
        List<Path> cdiDirectories,
        RecordFiles<SandboxRecord> sandboxes,
        RecordFiles<ContainerRecord> containers) {

    private static final SecureRandom RANDOM = new SecureRandom();
    private static final int ID_BYTES = 8;

    static String newId() {
        var bytes = new byte[ID_BYTES];
        RANDOM.nextBytes(bytes);
        return HexFormat.of().formatHex(bytes);
    }

    Path sandbox(String id) {
        return state.resolve("sandboxes").resolve(id);
    }

    Path bundle(String id) {
        return state.resolve("containers").resolve(id);
    }

    LinuxNamespaces namespaces(String sandbox) {
        return new LinuxNamespaces(programs, sandbox(sandbox).resolve("ns"));
    }
}
