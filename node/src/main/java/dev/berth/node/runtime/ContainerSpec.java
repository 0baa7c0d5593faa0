package dev.berth.node.runtime;

import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/// Specification of a container.
///
/// @param attempt number of earlier containers of that name in the pod
/// @param arguments the complete command line, including the image's parts
/// @param env the complete environment, including the image's
/// @param workingDirectory empty for `/`
/// @param cdiDevices names such as `vendor.com/class=name`; an unknown one fails the container
/// @param log log file, in the CRI format
public record ContainerSpec(
        String name,
        int attempt,
        String image,
        List<String> arguments,
        List<EnvVariable> env,
        String workingDirectory,
        List<Mount> mounts,
        List<String> cdiDevices,
        Limits limits,
        Security security,
        boolean hasTerminal,
        boolean hasInput,
        Path log) {

    public ContainerSpec {
        arguments = List.copyOf(arguments);
        env = List.copyOf(env);
        mounts = List.copyOf(mounts);
        cdiDevices = List.copyOf(cdiDevices);
    }

    /// A bind mount of a host file or directory.
    public record Mount(Path host, String container, boolean isReadOnly) {}

    /// Resource limits of a container.
    ///
    /// @param cpuShares its weight, 1024 for a core
    /// @param cpuQuotaMicros per 100 ms
    /// @param cpus a list such as `0-3,8`; empty for all
    public record Limits(
            OptionalLong cpuShares,
            OptionalLong cpuQuotaMicros,
            OptionalLong memoryBytes,
            String cpus,
            int oomScoreAdjustment) {

        public static final Limits NONE =
                new Limits(OptionalLong.empty(), OptionalLong.empty(), OptionalLong.empty(), "", 0);
    }

    /// Security settings of a container.
    ///
    /// @param user a number or a user name of the image; empty for the image's user
    /// @param hasStrictGroups true to ignore the groups that the image assigns to the user
    /// @param addedCapabilities without `CAP_`; `ALL` for all
    public record Security(
            Optional<String> user,
            OptionalLong group,
            List<Long> moreGroups,
            boolean hasStrictGroups,
            boolean isPrivileged,
            boolean hasReadOnlyRoot,
            boolean mayGainPrivileges,
            List<String> addedCapabilities,
            List<String> droppedCapabilities,
            Confinement confinement) {

        /// Settings of a container without a securityContext.
        public static final Security DEFAULT =
                new Security(
                        Optional.empty(),
                        OptionalLong.empty(),
                        List.of(),
                        false,
                        false,
                        true,
                        List.of(),
                        List.of());

        /// Settings without profiles, with the groups of the image.
        public Security(
                Optional<String> user,
                OptionalLong group,
                List<Long> moreGroups,
                boolean isPrivileged,
                boolean hasReadOnlyRoot,
                boolean mayGainPrivileges,
                List<String> addedCapabilities,
                List<String> droppedCapabilities) {
            this(
                    user,
                    group,
                    moreGroups,
                    false,
                    isPrivileged,
                    hasReadOnlyRoot,
                    mayGainPrivileges,
                    addedCapabilities,
                    droppedCapabilities,
                    Confinement.NONE);
        }

        public Security {
            moreGroups = List.copyOf(moreGroups);
            addedCapabilities = List.copyOf(addedCapabilities);
            droppedCapabilities = List.copyOf(droppedCapabilities);
        }
    }
}
