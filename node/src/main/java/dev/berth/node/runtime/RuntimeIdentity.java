package dev.berth.node.runtime;

/// What runs the containers.
///
/// @param name such as `oci` or `containerd`
public record RuntimeIdentity(String name, String version) {

    /// As in a Node's status: `containerd://2.1.9`.
    @Override
    public String toString() {
        return name + "://" + version;
    }
}
