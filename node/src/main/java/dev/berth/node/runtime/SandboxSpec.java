package dev.berth.node.runtime;

import dev.berth.model.api.ObjectRef;
import dev.berth.model.api.Uid;
import java.nio.file.Path;
import java.util.List;

/// What a pod's containers are to share.
///
/// @param attempt how many sandboxes the pod had before
/// @param hostname empty for the machine's own, as pods on the host's network have it
/// @param logDirectory where the logs of the pod's containers go
/// @param sysctls of the pod's namespaces
/// @param hasPrivileged true when one of its containers is to be privileged: some runtimes must
///   know
public record SandboxSpec(
        ObjectRef pod,
        Uid uid,
        int attempt,
        String hostname,
        Sharing sharing,
        Path logDirectory,
        List<EnvVariable> sysctls,
        boolean hasPrivileged) {

    public SandboxSpec {
        sysctls = List.copyOf(sysctls);
    }

    /// One without privileged containers.
    public SandboxSpec(
            ObjectRef pod,
            Uid uid,
            int attempt,
            String hostname,
            Sharing sharing,
            Path logDirectory,
            List<EnvVariable> sysctls) {
        this(pod, uid, attempt, hostname, sharing, logDirectory, sysctls, false);
    }

    /// Which namespaces are the machine's own, and whether containers see each other's processes.
    public record Sharing(
            boolean hostNetwork, boolean hostProcesses, boolean hostIpc, boolean processes) {

        /// A pod that says nothing about it.
        public static final Sharing DEFAULT = new Sharing(false, false, false, false);
    }
}
