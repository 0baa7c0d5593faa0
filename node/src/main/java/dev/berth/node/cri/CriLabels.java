package dev.berth.node.cri;

/// What our sandboxes and containers are marked with at the runtime.
final class CriLabels {

    /// On everything that is ours: others may use the same runtime.
    static final String OURS = "berth.dev/agent";

    static final String YES = "true";

    static final String POD_NAME = "io.kubernetes.pod.name";
    static final String POD_NAMESPACE = "io.kubernetes.pod.namespace";
    static final String POD_UID = "io.kubernetes.pod.uid";
    static final String CONTAINER_NAME = "io.kubernetes.container.name";

    /// The whole of what was asked for a sandbox, which must be told again with each container.
    static final String SANDBOX_CONFIG = "berth.dev/sandbox-config";

    /// The path of a container's log.
    static final String LOG = "berth.dev/log";

    private CriLabels() {}
}
