package dev.berth.node.runtime;

import java.util.Optional;

/// What the kernel's security modules forbid a container.
///
/// @param appArmor empty when the pod names none
public record Confinement(
        SecurityProfile seccomp, Optional<SecurityProfile> appArmor, SeLinuxOptions seLinux) {

    /// A container of a pod that names no profile.
    public static final Confinement NONE =
            new Confinement(SecurityProfile.UNCONFINED, Optional.empty(), SeLinuxOptions.NONE);

    /// The parts of an SELinux label; those that are empty are the runtime's choice.
    public record SeLinuxOptions(String user, String role, String type, String level) {

        public static final SeLinuxOptions NONE = new SeLinuxOptions("", "", "", "");

        public boolean isEmpty() {
            return equals(NONE);
        }
    }
}
