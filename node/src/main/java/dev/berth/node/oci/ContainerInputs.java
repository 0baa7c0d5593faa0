package dev.berth.node.oci;

import dev.berth.node.runtime.ContainerSpec;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/// All that a container's configuration is made of.
///
/// @param root where its files are
/// @param cgroup the path of its control group
/// @param shared the namespaces of the pod, by name; a name that is missing is the machine's own
/// @param hostProcesses true when it sees the machine's processes
/// @param user as whom it runs
/// @param files of the sandbox, by where they go in the container
/// @param sharedMemory the pod's `/dev/shm`
/// @param hostDevices all of the machine; for a privileged container
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

    /// A device of the machine.
    ///
    /// @param type `b` or `c`
    record DeviceFile(
            String path, String type, long major, long minor, int mode, int uid, int gid) {}
}
