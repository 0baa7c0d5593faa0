package dev.berth.node.oci;

import dev.berth.node.runtime.ContainerSpec;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/// Inputs of a container's `config.json`.
///
/// @param root directory of its root file system
/// @param cgroup path of its cgroup
/// @param shared paths of the pod's namespaces by type; an absent type is the host's
/// @param hostProcesses true if it shares the host's PID namespace
/// @param user user and groups it runs as
/// @param files of the sandbox, by path in the container
/// @param sharedMemory the pod's `/dev/shm`
/// @param hostDevices all devices of the machine, for a privileged container
record ContainerInputs(
        ContainerSpec spec,
        Path root,
        String cgroup,
        Map<String, Path> shared,
        boolean hostProcesses,
        ImageUsers.Identity user,
        Map<String, Path> files,
        Path sharedMemory,
        List<DeviceFile> hostDevices) {

    ContainerInputs {
        shared = Map.copyOf(shared);
        files = Map.copyOf(files);
        hostDevices = List.copyOf(hostDevices);
    }

    /// A device node of the machine.
    ///
    /// @param type `b` or `c`
    record DeviceFile(
            String path, String type, long major, long minor, int mode, int uid, int gid) {}
}
