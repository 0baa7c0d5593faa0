package dev.berth.node.cri;

import dev.berth.node.runtime.Confinement.SeLinuxOptions;
import dev.berth.node.runtime.ContainerSpec.Security;
import dev.berth.node.runtime.ProcPaths;
import dev.berth.node.runtime.RuntimeFailure;
import dev.berth.wire.cri.Capability;
import dev.berth.wire.cri.Image;
import dev.berth.wire.cri.Int64Value;
import dev.berth.wire.cri.LinuxContainerSecurityContext;
import dev.berth.wire.cri.NamespaceOption;
import dev.berth.wire.cri.SELinuxOption;
import dev.berth.wire.cri.SecurityProfile;
import dev.berth.wire.cri.SecurityProfile.ProfileType;
import dev.berth.wire.cri.SupplementalGroupsPolicy;
import java.nio.file.Files;
import java.nio.file.Path;

/// Builds the CRI security context of a container.
///
/// The runtime checks whether profiles exist. It ignores SELinux options on machines without
/// SELinux and an unknown supplemental groups policy, so these are refused here.
///
/// @param supportsGroupsPolicy true if the runtime supports `supplementalGroupsPolicy`
/// @param seLinux a file that exists on machines with SELinux
record CriSecurity(boolean supportsGroupsPolicy, Path seLinux) {

    static final Path SE_LINUX = Path.of("/sys/fs/selinux/enforce");

    /// @param namespaces of the container's sandbox
    /// @param image of the container
    LinuxContainerSecurityContext context(
            Security security, NamespaceOption namespaces, Image image) throws RuntimeFailure {
        var confinement = security.confinement();
        var context =
                LinuxContainerSecurityContext.newBuilder()
                        .setPrivileged(security.isPrivileged())
                        .setNamespaceOptions(namespaces)
                        .setReadonlyRootfs(security.hasReadOnlyRoot())
                        .addAllSupplementalGroups(security.moreGroups())
                        .setSupplementalGroupsPolicy(groupsPolicy(security))
                        .setNoNewPrivs(!security.mayGainPrivileges())
                        .addAllMaskedPaths(ProcPaths.MASKED)
                        .addAllReadonlyPaths(ProcPaths.READ_ONLY)
                        .setSeccomp(profile(confinement.seccomp()))
                        .setCapabilities(
                                Capability.newBuilder()
                                        .addAllAddCapabilities(security.addedCapabilities())
                                        .addAllDropCapabilities(security.droppedCapabilities()));
        confinement.appArmor().ifPresent(requested -> context.setApparmor(profile(requested)));
        if (!confinement.seLinux().isEmpty() && !security.isPrivileged()) {
            context.setSelinuxOptions(label(confinement.seLinux()));
        }
        setUser(context, security, image);
        return context.build();
    }

    private SupplementalGroupsPolicy groupsPolicy(Security security) throws RuntimeFailure {
        if (!security.hasStrictGroups()) {
            return SupplementalGroupsPolicy.Merge;
        }
        if (!supportsGroupsPolicy) {
            throw new RuntimeFailure(
                    "supplementalGroupsPolicy: Strict is not supported by the container runtime;"
                            + " containerd 2.0 and CRI-O 1.31 support it");
        }
        return SupplementalGroupsPolicy.Strict;
    }

    private static SecurityProfile profile(dev.berth.node.runtime.SecurityProfile requested) {
        var profile = SecurityProfile.newBuilder();
        return switch (requested) {
            case dev.berth.node.runtime.SecurityProfile.RuntimeDefault _ ->
                    profile.setProfileType(ProfileType.RuntimeDefault).build();
            case dev.berth.node.runtime.SecurityProfile.Unconfined _ ->
                    profile.setProfileType(ProfileType.Unconfined).build();
            case dev.berth.node.runtime.SecurityProfile.Localhost(var reference) ->
                    profile.setProfileType(ProfileType.Localhost)
                            .setLocalhostRef(reference)
                            .build();
        };
    }

    private SELinuxOption label(SeLinuxOptions options) throws RuntimeFailure {
        if (!Files.exists(seLinux)) {
            throw new RuntimeFailure(
                    "seLinuxOptions cannot be applied: SELinux is not enabled on this node; remove"
                            + " them");
        }
        return SELinuxOption.newBuilder()
                .setUser(options.user())
                .setRole(options.role())
                .setType(options.type())
                .setLevel(options.level())
                .build();
    }

    private static void setUser(
            LinuxContainerSecurityContext.Builder context, Security security, Image image) {
        var user = security.user().orElse("");
        if (user.matches("[0-9]{1,18}")) {
            context.setRunAsUser(number(Long.parseLong(user)));
        } else if (!user.isEmpty()) {
            context.setRunAsUsername(user);
        } else if (image.hasUid()) {
            // CRI requires a user with a group, so the image's own user is set, too.
            context.setRunAsUser(image.getUid());
        } else {
            context.setRunAsUsername(image.getUsername());
        }
        security.group().ifPresent(group -> context.setRunAsGroup(number(group)));
    }

    private static Int64Value number(long value) {
        return Int64Value.newBuilder().setValue(value).build();
    }
}
