package dev.berth.node.cri;

/// Labels and annotations of our sandboxes and containers at the runtime.
final class CriLabels {

    /// Marks our objects, because other programs may use the same runtime.
    static final String OURS = "berth.dev/agent";

    static final String YES = "true";

    static final String POD_NAME = "io.kubernetes.pod.name";
    static final String POD_NAMESPACE = "io.kubernetes.pod.namespace";
    static final String POD_UID = "io.kubernetes.pod.uid";
    static final String CONTAINER_NAME = "io.kubernetes.container.name";

    /// The encoded configuration of a sandbox, which must be repeated with each container.
    static final String SANDBOX_CONFIG = "berth.dev/sandbox-config";

    /// The path of a container's log.
    static final String LOG = "berth.dev/log";

    private CriLabels() {}
}
