package dev.berth.node.runtime;

import dev.berth.model.api.meta.ObjectRef;
import dev.berth.model.api.meta.Uid;
import java.nio.file.Path;
import java.util.List;

/// Specification of a pod sandbox.
///
/// @param attempt number of earlier sandboxes of the pod
/// @param hostname empty for the host's, as on the host network
/// @param logDirectory of the pod's containers
/// @param sysctls of the pod's namespaces
/// @param hasPrivileged true if one of its containers will be privileged, which some runtimes need
///   to know
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

    /// A sandbox without privileged containers.
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

    /// Which namespaces are shared with the host, and whether the pod's containers share a PID
    /// namespace.
    public record Sharing(
            boolean hostNetwork, boolean hostProcesses, boolean hostIpc, boolean processes) {

        /// A pod with the default namespaces.
        public static final Sharing DEFAULT = new Sharing(false, false, false, false);
    }
}
