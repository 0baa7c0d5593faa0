package dev.berth.node.runtime;

/// Name and version of a container runtime.
///
/// @param name such as `oci` or `containerd`
public record RuntimeIdentity(String name, String version) {

    /// As in a Node's status: `containerd://2.1.9`.
    @Override
    public String toString() {
        return name + "://" + version;
    }
}
