package dev.berth.node.runtime;

import java.util.Optional;

/// Seccomp, AppArmor and SELinux confinement of a container.
///
/// @param appArmor empty if the pod specifies none
public record Confinement(
        SecurityProfile seccomp, Optional<SecurityProfile> appArmor, SeLinuxOptions seLinux) {

    /// Confinement of a pod that specifies no profile.
    public static final Confinement NONE =
            new Confinement(SecurityProfile.UNCONFINED, Optional.empty(), SeLinuxOptions.NONE);

    /// The parts of an SELinux label; empty parts are set by the runtime.
    public record SeLinuxOptions(String user, String role, String type, String level) {

        public static final SeLinuxOptions NONE = new SeLinuxOptions("", "", "", "");

        public boolean isEmpty() {
            return equals(NONE);
        }
    }
}
