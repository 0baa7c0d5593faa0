package dev.berth.model.certificate;

/// Names by which the API server and nodes authenticate each other.
public final class NodeTrustNames {

    /// Annotation of a Node with the [Fingerprint] of its serving certificate. Only the node itself
    /// and administrators can write it.
    public static final String SERVING_CERTIFICATE = "berth.dev/serving-certificate";

    /// Common name of the client certificate that the API server uses to connect to nodes.
    public static final String SERVER_NAME = "berth-apiserver-kubelet-client";

    private NodeTrustNames() {}
}
