package dev.berth.node.runtime;

/// A seccomp or AppArmor profile of a container, as in CRI.
public sealed interface SecurityProfile {

    /// The default profile of the runtime.
    record RuntimeDefault() implements SecurityProfile {}

    /// No profile.
    record Unconfined() implements SecurityProfile {}

    /// A profile of the node's administrator.
    ///
    /// @param reference the absolute path of a seccomp profile, or the name of an AppArmor profile
    record Localhost(String reference) implements SecurityProfile {}

    SecurityProfile RUNTIME_DEFAULT = new RuntimeDefault();
    SecurityProfile UNCONFINED = new Unconfined();
}
