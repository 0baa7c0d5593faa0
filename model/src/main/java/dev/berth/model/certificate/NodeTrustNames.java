package dev.berth.model.certificate;

/// What server and nodes call the things by which they know each other.
public final class NodeTrustNames {

    /// The annotation in which a node tells the [Fingerprint] of the certificate of its door. Only
    /// the node itself, and administrators, can write it.
    public static final String SERVING_CERTIFICATE = "berth.dev/serving-certificate";

    /// The name in the certificate with which the server comes to the doors of nodes.
    public static final String SERVER_NAME = "berth-apiserver-kubelet-client";

    private NodeTrustNames() {}
}
